// Contract row → Fastify route: schemas, access, envelope, refusals in the caller's language.

import {
  type BodyOf,
  type DataOf,
  IDLE_HEADER,
  type Language,
  type ParamsOf,
  type QueryOf,
  refusals,
  type RefusalCode,
  type RefusalEnvelope,
  type Route,
  type TopLevelOf,
} from '@megalot/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest, FastifySchema } from 'fastify'
import * as z from 'zod/mini'
import type { Caller } from './caller.ts'
import { isDatabaseAway } from './db.ts'
import { refusalsTotal } from './metrics.ts'
import { Refusal } from './refusal.ts'

export interface Call<R extends Route> {
  params: ParamsOf<R>
  query: QueryOf<R>
  body: BodyOf<R>
  caller: R['access'] extends 'anyone' ? null : Caller
  /** For the few calls whose reply is not the envelope. */
  reply: FastifyReply
}

type HandlerResult<R extends Route> =
  TopLevelOf<R> extends Record<never, never>
    ? keyof TopLevelOf<R> extends never
      ? DataOf<R>
      : { data: DataOf<R>; top_level: TopLevelOf<R> }
    : never

/** A reply that is JSON text already; it bypasses the schema's serialiser, which takes longer than placing a ticket. */
export class JsonText {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

export type Handler<R extends Route> = (call: Call<R>) => Promise<HandlerResult<R> | JsonText>
export type Serve = <R extends Route>(route: R, handler: Handler<R>) => void

declare module 'fastify' {
  interface FastifyRequest {
    /** Null where the route needs no caller, and before authentication. */
    caller: Caller | null
  }
  interface FastifyContextConfig {
    /** The contract's row of a route; absent for files, health checks and the API's description. */
    contractRoute?: Route
  }
}

/** What a route requires of the session behind a call. */
export interface AuthOptions {
  /** How long the user has been idle, in ms, as the call reports it; null: the call says nothing about the user. */
  reported_idle_ms: number | null
  /** Whether the call is allowed during maintenance. */
  isOpenInMaintenance: boolean
  /** Whether a caller who was verified recently may come from the cache. */
  mayUseCache: boolean
}

/** Finds the caller behind a bearer session id, or refuses (401; 503 in maintenance). */
export type Authenticate = (sessionId: string, options: AuthOptions) => Promise<Caller>

/** Returns the function with which each module registers its contract rows on the server. */
export function createServe(app: FastifyInstance, authenticate: Authenticate): Serve {
  if (!app.hasRequestDecorator('caller')) app.decorateRequest('caller', null)
  return (route, handler) => {
    const authenticateRequest = async (request: FastifyRequest, mayUseCache: boolean): Promise<void> => {
      request.caller = await findCaller(route, request, authenticate, mayUseCache)
    }
    app.route({
      method: route.method,
      url: route.path,
      schema: schemaOf(route),
      ...(route.body_bytes === undefined ? {} : { bodyLimit: route.body_bytes }),
      config: { contractRoute: route, ...(route.is_throttled ? { rateLimit: {} } : {}) },
      // Replies to actions are small: compressing them costs more than it saves. And a compressor would hold back parts
      // of a stream until it has enough data.
      ...(route.is_stream || route.method !== 'GET' ? { compress: false as const } : {}),
      // Authentication comes before validation: an unauthenticated caller learns nothing about the form of a call.
      onRequest: (request) => authenticateRequest(request, route.verifies_session_in_transaction === true),
      // A caller from the cache is verified before it gets the problems of an invalid call.
      attachValidation: route.verifies_session_in_transaction === true,
      handler: async (request, reply) => {
        reply.header('cache-control', 'no-store')
        if (request.validationError) {
          await authenticateRequest(request, false)
          throw request.validationError
        }
        const { params, query, body } = request
        const result: unknown = await handler({ params, query, body, caller: request.caller, reply } as never)
        // A stream whose client has left before it began has no further reply.
        if (reply.sent || route.is_stream) return reply
        const status = { code: 200, message: 'OK' }
        if (result instanceof JsonText) {
          const envelope = `{"status":${JSON.stringify(status)},"data":${result.text}}`
          reply.header('content-type', 'application/json; charset=utf-8').serializer(() => envelope)
          return result
        }
        if (!route.top_level) return { status, data: result }
        const { data, top_level } = result as { data: unknown; top_level: object }
        return { status, data, ...top_level }
      },
    })
  }
}

async function findCaller(
  { access, is_keep_alive, is_open_in_maintenance }: Route,
  request: FastifyRequest,
  authenticate: Authenticate,
  mayUseCache: boolean,
): Promise<Caller | null> {
  if (access === 'anyone') return null
  const sessionId = bearerOf(request)
  if (sessionId === null) throw new Refusal('not_signed_in')
  const caller = await authenticate(sessionId, {
    reported_idle_ms: readIdleTime(request) ?? (is_keep_alive ? null : 0),
    isOpenInMaintenance: is_open_in_maintenance === true,
    mayUseCache,
  })
  if (access === 'member' && caller.level !== 'member') throw new Refusal('not_allowed')
  if (access === 'company' && caller.level !== 'company') throw new Refusal('not_allowed')
  if (access === 'office' && !caller.is_office) throw new Refusal('not_allowed')
  return caller
}

/** The idle time that the screen reports; undefined where the header is absent or unreadable. */
function readIdleTime(request: FastifyRequest): number | undefined {
  const text = request.headers[IDLE_HEADER]
  return typeof text === 'string' && /^\d{1,12}$/.test(text) ? Number(text) : undefined
}

function bearerOf(request: FastifyRequest): string | null {
  return /^Bearer ([A-Za-z0-9_-]{20,200})$/.exec(request.headers.authorization ?? '')?.[1] ?? null
}

/** Thai unless the client prefers English. */
export function languageOf(request: FastifyRequest): Language {
  return /^\s*en\b/i.test(request.headers['accept-language'] ?? '') ? 'en' : 'th'
}

function schemaOf(route: Route): FastifySchema {
  const reply: z.ZodMiniType = z.strictObject({
    status: z.strictObject({ code: z.literal(200), message: z.string() }),
    data: route.reply,
    ...(route.top_level as { shape?: Record<string, z.ZodMiniType> } | undefined)?.shape,
  })
  const schema: FastifySchema & Record<string, unknown> = {
    operationId: route.name,
    summary: route.summary,
    response: { 200: toJsonSchema(reply) },
    ...(route.access === 'anyone' ? {} : { security: [{ session: [] }] }),
  }
  if (route.params) schema.params = toJsonSchema(route.params)
  // A route without a query accepts none: unknown keys are refused everywhere.
  schema.querystring = toJsonSchema(route.query ?? z.strictObject({}))
  if (route.body) schema.body = toJsonSchema(route.body)
  return schema
}

function toJsonSchema(schema: z.ZodMiniType): unknown {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { target: 'draft-7' })
  return rest
}

/** Refusals of attempts to log in or to register, which are logged for later investigation. */
const loggedRefusals: ReadonlySet<RefusalCode> = new Set(['wrong_login', 'wrong_captcha', 'too_many_requests'])

/** Statuses of refusals that are logged at debug only, to explain why a call was refused. */
const debuggedStatuses: ReadonlySet<number> = new Set([401, 403, 404, 409, 429])

/**
 * Turns every failure into its reply: refusals by their code, invalid input as such, a lost database as 503, all else
 * as 500.
 */
export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { code, details } = classify(error)
  const { http } = refusals[code]
  refusalsTotal.inc({ code })
  // A refusal is no error of the server, whatever its status.
  if (http >= 500 && !(error instanceof Refusal)) request.log.error({ err: error }, 'request failed')
  else if (loggedRefusals.has(code)) request.log.info({ code, address: request.ip, details }, 'refused')
  else if (debuggedStatuses.has(http)) request.log.debug({ code, http, route: request.routeOptions.url }, 'refused')
  if (code === 'unavailable') reply.header('retry-after', '1')
  const message = sentenceOf(code, details, languageOf(request))
  const given = http === 500 ? { request_id: request.id } : details
  const envelope: RefusalEnvelope = { status: { code: http, message }, error: { code, details: given } }
  return reply.code(http).header('cache-control', 'no-store').send(envelope)
}

/** The message for a person: the table's, or the office's own where it has written one. */
function sentenceOf(code: RefusalCode, details: Record<string, unknown>, language: Language): string {
  const own = code === 'maintenance' ? details[`message_${language}`] : undefined
  return typeof own === 'string' ? own : refusals[code][language]
}

function classify(error: unknown): { code: RefusalCode; details: Record<string, unknown> } {
  if (error instanceof Refusal) return { code: error.code, details: { ...error.details } }
  if (isDatabaseAway(error)) return { code: 'unavailable', details: {} }
  const { statusCode, validation, validationContext } = error as {
    statusCode?: number
    validation?: readonly { instancePath: string; keyword: string }[]
    validationContext?: string
  }
  if (validation) {
    const problems = validation.map(({ instancePath, keyword }) => ({
      part: validationContext,
      path: instancePath,
      rule: keyword,
    }))
    return { code: 'bad_input', details: { problems } }
  }
  if (statusCode === 413) return { code: 'payload_too_large', details: {} }
  if (statusCode === 415) return { code: 'unsupported_media_type', details: {} }
  if (statusCode === 429) return { code: 'too_many_requests', details: {} }
  if (statusCode === 503) return { code: 'unavailable', details: {} }
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) return { code: 'bad_input', details: {} }
  return { code: 'server_error', details: {} }
}
