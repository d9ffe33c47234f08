// Turns a contract row into a Fastify route: schemas, access, envelope. `send-error.ts` handles whatever a handler
// throws.

import {
  BODY_BYTES,
  type BodyOf,
  type DataOf,
  IDLE_HEADER,
  type Language,
  type ParamsOf,
  priceOf,
  type QueryOf,
  type Route,
  TICKET_CALLER_MS,
  type TopLevelOf,
} from '@megalot/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest, FastifySchema } from 'fastify'
import * as z from 'zod/mini'
import type { Caller, SessionSettings } from './caller.ts'
import { limitCall, type LimitedRequest, type Limits } from './limits.ts'
import { Refusal } from '../lib/refusal.ts'
import { authorise, needsStepUp, refuseOldFactor, refusePendingSteps } from './session-guards.ts'
import { REMOVES_UNKNOWN_KEYS } from './unknown-keys.ts'

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

/** A reply that is already JSON text. It bypasses the schema's serialiser, which takes longer than placing a ticket. */
export class JsonText {
  readonly text: string
  readonly top_level: object

  /** @param top_level the fields beside the data */
  constructor(text: string, top_level: object = {}) {
    this.text = text
    this.top_level = top_level
  }
}

export type Handler<R extends Route> = (call: Call<R>) => Promise<HandlerResult<R> | JsonText>
export type Serve = <R extends Route>(route: R, handler: Handler<R>) => void

declare module 'fastify' {
  interface FastifyRequest {
    /** Null if the route needs no caller, and before authentication. */
    caller: Caller | null
    /** The call's entry in its principal's limits; null before its caller is found, and without one. */
    limitedCall: LimitedRequest | null
    /** When the caller was last verified, by `performance.now()`. */
    verifiedAtMs: number
  }
  interface FastifyContextConfig {
    /** The contract row of a route; absent for files, health checks and the API's description. */
    contractRoute?: Route
  }
}

/** What a route requires of the call's session. */
export interface AuthOptions {
  /** How long the user has been idle, in ms, as reported by the call; null if not reported. */
  reported_idle_ms: number | null
  /** Whether the call is allowed during maintenance. */
  isOpenInMaintenance: boolean
  /** Whether a recently verified caller may come from the cache. */
  mayUseCache: boolean
}

/** Finds the caller of a bearer session token, or refuses (401; 503 in maintenance). */
export type Authenticate = (sessionToken: string, options: AuthOptions) => Promise<Caller>

/** How long a verified caller stays valid within its call, in ms, because a body may arrive much later. */
const LATE_BODY_MS = 200

/** Returns the function with which each module registers its contract rows. */
export function createServe(
  app: FastifyInstance,
  authenticate: Authenticate,
  limits: Limits,
  settings: SessionSettings,
): Serve {
  if (!app.hasRequestDecorator('caller'))
    app.decorateRequest('caller', null).decorateRequest('limitedCall', null).decorateRequest('verifiedAtMs', 0)
  return (route, handler) => {
    const bodyLimit = bodyLimitOf(route)
    const price = priceOf(route)
    const authenticateRequest = async (request: FastifyRequest, mayUseCache: boolean): Promise<void> => {
      const startedMs = performance.now()
      await findCaller(route, request, authenticate, mayUseCache)
      // The sender may already have been told that the ticket does not exist.
      if (mayUseCache && performance.now() - startedMs > TICKET_CALLER_MS) throw new Refusal('unavailable')
      request.verifiedAtMs = performance.now()
    }
    app.route({
      method: route.method,
      url: route.path,
      // HEAD would have its own limits, and open streams that no one reads.
      exposeHeadRoute: false,
      schema: schemaOf(route),
      bodyLimit,
      config: { contractRoute: route },
      // Replies to actions are small, and compressing them costs more than it saves. A compressor would delay parts of
      // a stream, and files are already compressed.
      ...(route.is_stream || route.is_file || route.method !== 'GET' ? { compress: false as const } : {}),
      // Authentication comes before validation, so that an unauthenticated caller learns nothing about the form of a
      // call.
      onRequest: async (request, reply) => {
        const session_token = bearerOf(request) ?? ''
        const call = { price, session_token, body_bytes: bytesOf(request, bodyLimit) }
        limits.refuseEarly(call)
        await authenticateRequest(request, route.verifies_session_in_transaction === true)
        if (!request.caller) return
        request.limitedCall = limitCall(limits, request.caller, call, reply)
        // A stream lasts as long as its reader likes.
        if (route.is_stream) request.limitedCall.end()
      },
      preValidation: (request, _reply, done) => {
        trimNames(request.body)
        done()
      },
      // A cached caller is verified before it is told the problems of an invalid call.
      attachValidation: route.verifies_session_in_transaction === true,
      handler: async (request, reply) => {
        reply.header('cache-control', 'no-store')
        // A client must not keep its session alive by delaying a body.
        if (request.caller && performance.now() - request.verifiedAtMs > LATE_BODY_MS)
          await authenticateRequest(request, route.verifies_session_in_transaction === true)
        if (request.validationError) {
          await authenticateRequest(request, false)
          throw request.validationError
        }
        const handle = () => {
          const { params, query, body } = request
          const caller = withAdmission(route, request, settings)
          const call = { params, query, body, caller, reply } as never
          return handler(call)
        }
        const result: unknown = await (request.limitedCall ? request.limitedCall.run(handle) : handle())
        // A stream whose client left before it began has no further reply.
        if (reply.sent || route.is_stream || route.is_file) return reply
        return wrapResult(route, result, reply)
      },
    })
  }
}

/**
 * The caller of a complete call, with the data for `verifyCaller`.
 * @throws Refusal step_up_needed
 */
function withAdmission(route: Route, { ip, body, caller }: FastifyRequest, settings: SessionSettings): Caller | null {
  if (!caller) return null
  const needs_step_up = needsStepUp(route, body)
  if (needs_step_up) refuseOldFactor(caller)
  const identity = { session_id: caller.session_id, settings }
  return { ...caller, admission: { address: ip, identity, route, needs_step_up } }
}

/** The envelope of a reply. For JSON text it is concatenated around the text. */
function wrapResult(route: Route, result: unknown, reply: FastifyReply): unknown {
  const status = { code: 200, message: 'OK' }
  if (result instanceof JsonText) {
    // An object's names and values without braces.
    const others = JSON.stringify({ status, ...result.top_level }).slice(1, -1)
    const envelope = `{${others},"data":${result.text}}`
    reply.header('content-type', 'application/json; charset=utf-8').serializer(() => envelope)
    return result
  }
  if (!route.top_level) return { status, data: result }
  const { data, top_level } = result as { data: unknown; top_level: object }
  return { status, data, ...top_level }
}

/** Little is read before the caller is known. */
function bodyLimitOf({ access, body_bytes = BODY_BYTES }: Route): number {
  return access === 'anyone' ? Math.min(body_bytes, BODY_BYTES / 2) : body_bytes
}

/**
 * A body's size according to the client; Node refuses a longer one. Chunked bodies, which `socket-guard.ts` refuses,
 * would count as the largest.
 */
function bytesOf({ headers }: FastifyRequest, limit: number): number {
  if (headers['transfer-encoding'] !== undefined) return limit
  return Math.min(limit, Number(headers['content-length'] ?? 0))
}

/** Sets the caller of a request, even if it is then refused, because the log names it. */
async function findCaller(
  route: Route,
  request: FastifyRequest,
  authenticate: Authenticate,
  mayUseCache: boolean,
): Promise<void> {
  const { access, is_keep_alive, is_open_in_maintenance } = route
  if (access === 'anyone') return
  const sessionToken = bearerOf(request)
  if (sessionToken === null) throw new Refusal('not_signed_in')
  const caller = await authenticate(sessionToken, {
    reported_idle_ms: readIdleTime(request) ?? (is_keep_alive ? null : 0),
    isOpenInMaintenance: is_open_in_maintenance === true,
    mayUseCache,
  })
  request.caller = caller
  refusePendingSteps(route, caller)
  authorise(route, caller)
}

/**
 * Admits an office user's request that is no call of the contract.
 * @throws Refusal not_signed_in, not_allowed
 */
export function admitOffice(authenticate: Authenticate): (request: FastifyRequest) => Promise<void> {
  return async (request) => {
    const sessionToken = bearerOf(request)
    if (sessionToken === null) throw new Refusal('not_signed_in')
    const options = { reported_idle_ms: 0, isOpenInMaintenance: true, mayUseCache: false }
    const caller = await authenticate(sessionToken, options)
    if (!caller.is_office || caller.pending_steps.length > 0) throw new Refusal('not_allowed')
  }
}

/** The idle time reported by the screen; undefined if the header is absent or unreadable. */
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

/** Trims names in a body and its rows, because a trailing space is a typing mistake. */
function trimNames(body: unknown): void {
  if (typeof body !== 'object' || body === null) return
  const fields = body as Record<string, unknown>
  for (const name of ['username', 'display_name']) {
    const value = fields[name]
    if (typeof value === 'string') fields[name] = value.trim()
  }
  if (Array.isArray(fields['rows'])) fields['rows'].forEach(trimNames)
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
  const unknownKeys = route.is_specified ? 'removed' : 'refused'
  if (route.params) schema.params = toJsonSchema(route.params)
  // A route without a query accepts none.
  schema.querystring = toJsonSchema(route.query ?? z.strictObject({}), unknownKeys)
  if (route.body) schema.body = toJsonSchema(route.body, unknownKeys)
  return schema
}

function toJsonSchema(schema: z.ZodMiniType, unknownKeys: 'removed' | 'refused' = 'refused'): unknown {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    target: 'draft-7',
    override: ({ jsonSchema }) => {
      if (unknownKeys === 'refused' || jsonSchema.additionalProperties !== false) return
      delete jsonSchema.additionalProperties
      jsonSchema[REMOVES_UNKNOWN_KEYS] = true
    },
  })
  return rest
}
