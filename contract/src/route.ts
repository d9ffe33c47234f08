// One row per HTTP route. The server serves rows, the web calls rows, the OpenAPI page and the authorisation
// matrix are generated from rows: a route that is not a row does not exist.

import type * as z from 'zod/mini'

/**
 * Who may call a route at all. Which records a caller then sees (its own, its downline's) is decided by the service.
 * - `anyone`: no session needed
 * - `signed_in`: any live session
 * - `member`: a live session of a user who bets
 * - `company`: a live session of the company itself or of one of its office users
 * - `office`: a live session of an office user of the company
 */
export type Access = 'anyone' | 'signed_in' | 'member' | 'company' | 'office'

export type Method = 'GET' | 'POST' | 'DELETE'

/**
 * A header of any call: for how many milliseconds the person at the screen has done nothing. A screen calls by itself too
 * (polling, live news), so that a call alone proves nobody's presence. A call without it counts as done by the person,
 * unless its row is a keep-alive.
 */
export const IDLE_HEADER = 'x-idle-ms'

type Schema = z.ZodMiniType

export interface Route {
  /** Verb and noun, unique over all routes; also the OpenAPI operation id. */
  name: string
  method: Method
  /** Fastify's form: parameters as `:order_id`. */
  path: string
  access: Access
  summary: string
  /** Counted per address: what a stranger could use to guess or to wear us out. */
  is_throttled?: true
  /** Called by the screen on its own: without `IDLE_HEADER` it does not count as something the user did. */
  is_keep_alive?: true
  /** Answered while the product is being mended too, for whomever. */
  is_open_in_maintenance?: true
  /**
   * The transaction behind the route verifies the caller's session itself: a caller who was verified a moment ago is taken from
   * the cache.
   */
  verifies_session_in_transaction?: true
  /** Answered with a stream that does not end by itself. */
  is_stream?: true
  /** What its body may weigh, where that is more than elsewhere. */
  body_bytes?: number
  params?: Schema
  query?: Schema
  body?: Schema
  /** Shape of `data` in the reply's envelope. */
  reply: Schema
  /** Fields that stand beside `status` and `data` at the top level of the reply. */
  top_level?: Schema
}

/** Declares a route and keeps its exact type. */
export function defineRoute<const R extends Route>(route: R): R {
  return route
}

type Output<S> = S extends Schema ? z.output<S> : undefined

export type ParamsOf<R extends Route> = R extends { params: infer S } ? Output<S> : Record<never, never>
export type QueryOf<R extends Route> = R extends { query: infer S } ? Output<S> : Record<never, never>
export type BodyOf<R extends Route> = R extends { body: infer S } ? Output<S> : undefined
export type DataOf<R extends Route> = z.output<R['reply']>
export type TopLevelOf<R extends Route> = R extends { top_level: infer S } ? Output<S> : Record<never, never>

/** A successful reply as it travels. */
export type Envelope<R extends Route> = { status: { code: 200; message: string }; data: DataOf<R> } & TopLevelOf<R>

/** A refusal as it travels. */
export interface RefusalEnvelope {
  status: { code: number; message: string }
  error: { code: string; details: Record<string, unknown> }
}
