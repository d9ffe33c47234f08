// Contract row → Fastify route: schemas, access, envelope. Whatever a handler throws is for `send-error.ts`.

import {
  type Access,
  BODY_BYTES,
  type BodyOf,
  costOf,
  type DataOf,
  IDLE_HEADER,
  isChange,
  type Language,
  type ParamsOf,
  type QueryOf,
  type Route,
  type RouteAuthority,
  TICKET_CALLER_MS,
  type TopLevelOf,
} from '@megalot/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest, FastifySchema } from 'fastify'
import * as z from 'zod/mini'
import type { BodyReservations } from './body-reservations.ts'
import { type CallCosts, type LineChange, type LinePreview, type LineRepeat, ownKeyOf } from './call-costs.ts'
import { runFrom } from './call-origin.ts'
import type { Caller } from './caller.ts'
import type { Tx } from './db.ts'
import type { Lanes } from './lanes.ts'
import { Refusal } from './refusal.ts'
import { refusePendingSteps, refuseWithoutStepUp } from './session-guards.ts'
import { REMOVES_UNKNOWN_KEYS } from './unknown-keys.ts'
import { takeStrangerTurn } from './stranger-turns.ts'

export interface Call<R extends Route> {
  params: ParamsOf<R>
  query: QueryOf<R>
  body: BodyOf<R>
  caller: R['access'] extends 'anyone' ? null : Caller
  /** For the few calls whose reply is not the envelope. */
  reply: FastifyReply
  /** Charges a change of a line before it is made; the office is never kept from what it does about one. @throws Refusal too_many_requests */
  chargeLine: R['cost'] extends 'line' ? (change: LineChange | LinePreview | LineRepeat) => void : never
  /** What the lines of tickets cost, from the budget of the caller. */
  waitingCharge: R['cost'] extends 'waiting' | 'answer'
    ? {
        /** Charges all lines of a ticket that waits. */
        take: (ticket: { order_id: number; lines: number }) => void
        /** Charges the lines that received nothing of a ticket that does not wait. */
        takeClosed: (closed_lines: number) => void
        /** Refunds a waiting ticket, once its member confirms all of it, but for the lines that received nothing. */
        giveBack: (ticket: { order_id: number; closed_lines: number }) => void
      }
    : never
  /** Charges a ticket by its lines, once it is deleted; the office is kept from no deletion. */
  chargeDeletion: R['cost'] extends 'deletion' ? (lines: number) => void : never
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
  readonly isCharged: boolean
  readonly top_level: object

  /**
   * @param isCharged whether its length is charged: it was read, and not made by the call
   * @param top_level what stands beside the data
   */
  constructor(text: string, isCharged = false, top_level: object = {}) {
    this.text = text
    this.isCharged = isCharged
    this.top_level = top_level
  }
}

export type Handler<R extends Route> = (call: Call<R>) => Promise<HandlerResult<R> | JsonText>
export type Serve = <R extends Route>(route: R, handler: Handler<R>) => void

declare module 'fastify' {
  interface FastifyRequest {
    /** Null where the route needs no caller, and before authentication. */
    caller: Caller | null
    /** Whether the caller was found and its body is read. */
    isAdmitted: boolean
    /** When the caller was found last, by `performance.now()`. */
    verifiedAtMs: number
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
  /** The transaction in which the caller is found. */
  tx?: Tx | undefined
}

/** Finds the caller behind a bearer session token, or refuses (401; 503 in maintenance). */
export type Authenticate = (sessionToken: string, options: AuthOptions) => Promise<Caller>

/** How long after its caller was found a call is carried out without finding it again, in ms: a body may arrive much later. */
const LATE_BODY_MS = 200

/** What keeps calls of one principal from holding up those of others. */
export interface CallLimits {
  costs: CallCosts
  writeLanes: Lanes
  listLanes: Lanes
  lookUpLanes: Lanes
  readLanes: Lanes
  bodies: BodyReservations
}

/** Returns the function with which each module registers its contract rows on the server. */
export function createServe(app: FastifyInstance, authenticate: Authenticate, limits: CallLimits): Serve {
  const { costs, bodies } = limits
  if (!app.hasRequestDecorator('caller'))
    app.decorateRequest('caller', null).decorateRequest('isAdmitted', false).decorateRequest('verifiedAtMs', 0)
  return (route, handler) => {
    const bodyLimit = bodyLimitOf(route)
    const isAct = isAuditedAct(route)
    const cost = costOf(route)
    const isAnswer = route.cost === 'answer'
    const lanes = lanesOf(route, limits)
    const authenticateRequest = async (request: FastifyRequest, mayUseCache: boolean, tx?: Tx): Promise<void> => {
      const startedMs = performance.now()
      request.isAdmitted = false
      await findCaller(route, request, authenticate, { mayUseCache, tx })
      // The sender of a ticket may have had the answer that there is none.
      if (mayUseCache && performance.now() - startedMs > TICKET_CALLER_MS) throw new Refusal('unavailable')
      // Before the body is read. A small one is read from everybody, so that nobody is kept from small acts.
      const isCostly = mayUseCache || bytesOf(request, bodyLimit) > BODY_BYTES
      const payer = tx ? null : request.caller
      if (payer && isAnswer) costs.refuseSpentAnswers(payer)
      else if (payer && isCostly) costs.refuseSpent(payer)
      request.isAdmitted = request.caller !== null
      request.verifiedAtMs = performance.now()
    }
    const chargeRefused = (error: unknown, caller: Caller, bytes: number): void => {
      if (isAnswer) costs.chargeRefusedAnswer(caller, bytes)
      // A device sends a ticket again and again while the server is unavailable.
      else if (route.verifies_session_in_transaction && !isUnavailable(error)) costs.chargeRefusedTicket(caller, bytes)
      else costs.chargeRefused(caller, bytes)
    }
    app.route({
      method: route.method,
      url: route.path,
      // HEAD would have limits of its own, and open streams that nobody reads.
      exposeHeadRoute: false,
      schema: schemaOf(route),
      bodyLimit,
      config: { contractRoute: route, ...(route.is_throttled ? { rateLimit: {} } : {}) },
      // Replies to actions are small: compressing them costs more than it saves. A compressor would hold back parts of a
      // stream until it has enough data, and files are compressed already.
      ...(route.is_stream || route.is_file || route.method !== 'GET' ? { compress: false as const } : {}),
      // Authentication comes before validation: an unauthenticated caller learns nothing about the form of a call.
      onRequest: async (request, reply) => {
        const sessionToken = bearerOf(request)
        if (lanes && sessionToken !== null) lanes.refuseKnown(sessionToken)
        await authenticateRequest(request, route.verifies_session_in_transaction === true)
        const bytes = bytesOf(request, bodyLimit)
        if (!request.caller || bytes <= BODY_BYTES) return
        // A body that finds no room is not read.
        request.isAdmitted = false
        reserveBody(bodies, { request, reply, caller: request.caller, bytes })
        request.isAdmitted = true
      },
      // A body that was read for nothing is charged, also one that cannot be parsed or breaks the schema.
      errorHandler: (error, request) => {
        if (request.isAdmitted && isRefused(error)) chargeRefused(error, request.caller!, bytesOf(request, bodyLimit))
        throw error
      },
      preValidation: (request, _reply, done) => {
        trimNames(request.body)
        done()
      },
      // A caller from the cache is verified before it gets the problems of an invalid call.
      attachValidation: route.verifies_session_in_transaction === true,
      handler: async (request, reply) => {
        reply.header('cache-control', 'no-store')
        // After the body is read: one that breaks off while its call waits would get no reply.
        if (route.access === 'anyone' && route.is_throttled) {
          await takeStrangerTurn()
          if (reply.raw.destroyed) throw new Refusal('unavailable')
        }
        // A client that delays its body must not keep its session alive by it.
        if (request.caller && performance.now() - request.verifiedAtMs > LATE_BODY_MS)
          await authenticateRequest(request, route.verifies_session_in_transaction === true)
        if (request.validationError) {
          await authenticateRequest(request, false)
          throw request.validationError
        }
        const hasLeft = (): boolean => reply.raw.destroyed
        const admitCaller = (): Caller | null => {
          if (request.caller) refuseWithoutStepUp(route, request.caller, request.body)
          // A change may wait once more, inside of its handler.
          return request.caller && isAct ? { ...request.caller, verifyAgain } : request.caller
        }
        const verifyAgain = async (tx?: Tx): Promise<Caller> => {
          await authenticateRequest(request, false, tx)
          return admitCaller()!
        }
        const handle = () => {
          const { params, query, body } = request
          const call = { params, query, body, caller: admitCaller(), reply, ...chargesOf(costs, request) } as never
          return isAct ? runFrom(request.ip, () => handler(call), caller ? verifyAgain : undefined) : handler(call)
        }
        const handleAfter = async (hasWaited: boolean) => {
          if (hasWaited) await authenticateRequest(request, false)
          return handle()
        }
        const { caller } = request
        const work = (hasWaited = false) =>
          lanes && caller
            ? lanes.run(caller, (hasWaitedInLane) => handleAfter(hasWaited || hasWaitedInLane), {
                sessionToken: bearerOf(request),
                hasLeft,
              })
            : handleAfter(hasWaited)
        // The office is kept from no change: it may be an emergency.
        const isPaid = cost !== undefined && !(cost === 'change' && caller?.is_office)
        const result: unknown = await (isPaid && caller ? costs.run(caller, cost, work, hasLeft) : work())
        // A stream whose client has left before it began has no further reply.
        if (reply.sent || route.is_stream || route.is_file) return reply
        if (result instanceof JsonText && result.isCharged) costs.chargeReply(request.caller!, result.text.length, cost)
        return wrapResult(route, result, reply)
      },
    })
  }
}

/** Whether the calls of a row are audited changes. A ticket is none, and has a path of its own. */
function isAuditedAct(route: Route): boolean {
  return isChange(route) && !route.verifies_session_in_transaction
}

/**
 * In which lanes the calls of a row wait; undefined: in none. Tickets have connections of their own, and `costs` runs reports and exports. A
 * stream or a file lasts as long as its reader likes.
 */
function lanesOf(route: Route, { writeLanes, listLanes, lookUpLanes, readLanes }: CallLimits): Lanes | undefined {
  if (isAuditedAct(route)) return writeLanes
  if (route.is_list) return listLanes
  const cost = costOf(route)
  const hasOwnOrder = route.verifies_session_in_transaction || cost === 'report' || cost === 'export'
  if (hasOwnOrder || route.is_stream || route.is_file) return undefined
  return route.waits_for_writers ? lookUpLanes : readLanes
}

/** What a handler may charge to its caller. The office is never kept from what it does about a line or a ticket. */
function chargesOf(costs: CallCosts, request: FastifyRequest) {
  const waitingCharge: Call<Route & { cost: 'waiting' }>['waitingCharge'] = {
    take: (ticket) => costs.chargeWaiting(request.caller!, ticket),
    takeClosed: (closed_lines) => costs.chargeClosed(request.caller!, closed_lines),
    giveBack: (ticket) => costs.giveBackWaiting(ticket),
  }
  return {
    waitingCharge,
    chargeLine(change: LineChange | LinePreview | LineRepeat): void {
      if (request.caller && !request.caller.is_office) costs.chargeLine(request.caller, change)
    },
    chargeDeletion(lines: number): void {
      if (!request.caller!.is_office) costs.chargeDeletion(request.caller!, lines)
    },
  }
}

/** The envelope of a reply. Of JSON text it is written by hand, around the text. */
function wrapResult(route: Route, result: unknown, reply: FastifyReply): unknown {
  const status = { code: 200, message: 'OK' }
  if (result instanceof JsonText) {
    // Names and values of an object without its braces.
    const others = JSON.stringify({ status, ...result.top_level }).slice(1, -1)
    const envelope = `{${others},"data":${result.text}}`
    reply.header('content-type', 'application/json; charset=utf-8').serializer(() => envelope)
    return result
  }
  if (!route.top_level) return { status, data: result }
  const { data, top_level } = result as { data: unknown; top_level: object }
  return { status, data, ...top_level }
}

/** Before anything is known of the caller, little is read. */
function bodyLimitOf({ access, body_bytes = BODY_BYTES }: Route): number {
  return access === 'anyone' ? BODY_BYTES / 2 : body_bytes
}

/** The size of a body, as its client says; Node refuses a longer one. One in chunks, which `socket-guard.ts` refuses, would count as the largest. */
function bytesOf({ headers }: FastifyRequest, limit: number): number {
  if (headers['transfer-encoding'] !== undefined) return limit
  return Math.min(limit, Number(headers['content-length'] ?? 0))
}

/**
 * Reserves memory for a large body until it has arrived, does not arrive any more, or its call is answered without it: what arrives after the
 * reply is not kept, and of such a request Node reports neither its end nor its close.
 * @throws Refusal too_many_requests; unavailable: the client has left, and nothing would release the reservation
 */
function reserveBody(
  bodies: BodyReservations,
  { request, reply, caller, bytes }: { request: FastifyRequest; reply: FastifyReply; caller: Caller; bytes: number },
): void {
  if (request.raw.destroyed || reply.raw.destroyed) throw new Refusal('unavailable')
  const release = bodies.reserve(ownKeyOf(caller), bytes)
  for (const end of ['end', 'close']) request.raw.once(end, release)
  for (const end of ['finish', 'close']) reply.raw.once(end, release)
}

/** Whether a call was refused for what it asks, and not because the server failed. */
function isRefused(error: unknown): boolean {
  const { statusCode = 500 } = error as { statusCode?: number }
  return error instanceof Refusal || statusCode < 500
}

const isUnavailable = (error: unknown): boolean => error instanceof Refusal && error.code === 'unavailable'

/** Sets the caller of a request, also of one that is refused then: the log names who tried. */
async function findCaller(
  route: Route,
  request: FastifyRequest,
  authenticate: Authenticate,
  options: Pick<AuthOptions, 'mayUseCache' | 'tx'>,
): Promise<void> {
  const { access, is_keep_alive, is_open_in_maintenance } = route
  if (access === 'anyone') return
  const sessionToken = bearerOf(request)
  if (sessionToken === null) throw new Refusal('not_signed_in')
  const caller = await authenticate(sessionToken, {
    reported_idle_ms: readIdleTime(request) ?? (is_keep_alive ? null : 0),
    isOpenInMaintenance: is_open_in_maintenance === true,
    ...options,
  })
  request.caller = caller
  refusePendingSteps(route, caller)
  authorise(route, caller)
}

/**
 * Refuses a caller who may not call a row at all, or lacks the permission that it needs. Which records the caller reaches
 * is decided by the service.
 * @throws Refusal not_allowed
 */
export function authorise(
  { access, needs }: RouteAuthority,
  { level, is_office, permissions }: Pick<Caller, 'level' | 'is_office' | 'permissions'>,
): void {
  const isMember = level === 'member'
  const isCalledBy: Record<Access, boolean> = {
    anyone: true,
    signed_in: true,
    member: isMember,
    console: !isMember,
    company: level === 'company',
    office: is_office,
  }
  const isEnough = needs === undefined || [needs].flat().some((permission) => permissions.has(permission))
  const isPermitted = isEnough || (isMember && access === 'signed_in')
  if (!isCalledBy[access] || !isPermitted) throw new Refusal('not_allowed')
}

/** Admits a request of the office that is no call of the contract. @throws Refusal not_signed_in, not_allowed */
export function admitOffice(authenticate: Authenticate): (request: FastifyRequest) => Promise<void> {
  return async (request) => {
    const sessionToken = bearerOf(request)
    if (sessionToken === null) throw new Refusal('not_signed_in')
    const options = { reported_idle_ms: 0, isOpenInMaintenance: true, mayUseCache: false }
    const caller = await authenticate(sessionToken, options)
    if (!caller.is_office || caller.pending_steps.length > 0) throw new Refusal('not_allowed')
  }
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

/** Trims the names in a body, of its rows too: a space at the end of a name is a slip of the keyboard. */
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
