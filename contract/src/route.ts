// One row per HTTP route. The server serves the rows, the web calls them, and the OpenAPI page and the authorisation
// matrix are generated from them. No route exists without a row.

import type * as z from 'zod/mini'
import type { Permission } from './permissions.ts'

/**
 * Who may call a route. The service decides which records a caller may access (its own, its downline's).
 * - `anyone`: no session needed
 * - `signed_in`: any live session
 * - `member`: a live session of a member
 * - `console`: a live session of any other user: agents of every level, the company, its office users, and assistants
 * - `company`: a live session of the company, of one of its office users, or of an assistant of these
 * - `office`: a live session of an office user of the company, or of its assistant
 */
export type Access = 'anyone' | 'signed_in' | 'member' | 'console' | 'company' | 'office'

/**
 * Steps that a session may still need, in the order in which they have to be done.
 * - `second_factor`: the user has a second factor, which was not verified in this session
 * - `new_password`: someone else has set the password, and the user must set a new one
 * - `enrolment`: the installation requires a second factor, and the user has none
 */
export const sessionSteps = ['second_factor', 'new_password', 'enrolment'] as const
export type SessionStep = (typeof sessionSteps)[number]

/** Maximum age of a verified second factor on routes with `step_up`, in ms. */
export const STEP_UP_MS = 5 * 60_000

/**
 * The permission that a caller also needs. Rows for the console name one, except rows about the caller's own account,
 * such as its second factors. A `signed_in` row names one if it shows more than the caller's own records. Members are
 * exempt: they have no permissions and reach only their own records.
 */
export type RouteAuthority =
  | { access: 'anyone' | 'member'; needs?: never }
  | { access: 'signed_in'; needs?: Needs }
  | { access: 'console'; needs?: Needs }
  | { access: 'company' | 'office'; needs: Needs }

/** A permission, or several of which one is enough to call the row. The service decides what each of them allows. */
export type Needs = Permission | readonly Permission[]

export type Method = 'GET' | 'POST' | 'DELETE'

/**
 * Request header: how long the user has been idle, in ms. Screens also call without user activity (polling, live
 * events), so a call alone does not prove activity. A call without this header counts as activity, unless its row is a
 * keep-alive.
 */
export const IDLE_HEADER = 'x-idle-ms'

type Schema = z.ZodMiniType

/**
 * What a call takes from its principal's token bucket, and which concurrency limit it counts against
 * (`http/limits.ts`).
 * - `free`: nothing. Placing and confirming tickets works even when the bucket is empty
 * - `read`: default for rows that change nothing
 * - `change`: default for rows that change something
 * - `report`: sums over many tickets, and changes to many users
 * - `export`: a report as a file
 */
export type Price = 'free' | 'read' | 'change' | 'report' | 'export'

interface RouteForm {
  /** Verb and noun, unique among all routes; also the OpenAPI operation id. */
  name: string
  method: Method
  /** Fastify's form: parameters as `:order_id`. */
  path: string
  summary: string
  /**
   * A call of the specification. Unknown keys of its query and body are removed before the handler sees them. All other
   * calls refuse unknown keys.
   */
  is_specified?: true
  /** Defaults to `change` or `read` (`priceOf`). */
  price?: Price
  /** Changes no record although its method is not GET. Most such queries are too long for a URL. */
  only_reads?: true
  /** Called by the screen on its own. Without `IDLE_HEADER` it does not count as user activity. */
  is_keep_alive?: true
  /** Also open during maintenance of the whole application. */
  is_open_in_maintenance?: true
  /**
   * The route's transaction verifies the session itself, so the call may use a recently verified caller from the cache.
   */
  verifies_session_in_transaction?: true
  /** Sessions that still need one of these steps may call this too. Sessions that need an earlier step may not. */
  open_before?: readonly SessionStep[]
  /**
   * Requires a factor verified within `STEP_UP_MS`, if the user has one. With `above`, only if a body field, or its sum
   * over `rows`, is above the given number. Previews never require it.
   */
  step_up?: true | { above: Readonly<Record<string, number>> }
  /** The reply is an endless stream. */
  is_stream?: true
  /** The reply is the file itself, without the envelope. A refusal still has the envelope. */
  is_file?: true
  /** Body limit in bytes, if not `BODY_BYTES`. */
  body_bytes?: number
  params?: Schema
  query?: Schema
  body?: Schema
  /** Shape of `data` in the reply's envelope. */
  reply: Schema
  /** Fields beside `status` and `data` at the top level of the reply. */
  top_level?: Schema
}

export type Route = RouteForm & RouteAuthority

/** Default body limit, in bytes. Routes open to `anyone` get half of it at most. */
export const BODY_BYTES = 16 * 1_024

/** Declares a route and keeps its exact type. */
export function defineRoute<const R extends Route>(route: R): R {
  return route
}

type Output<S> = S extends Schema ? z.output<S> : undefined

/** Whether the calls of a row change something. */
export function isChange({ method, only_reads }: Pick<Route, 'method' | 'only_reads'>): boolean {
  return method !== 'GET' && !only_reads
}

/** The price of a call. Changes default to `change`, so no new row is free by omission. */
export function priceOf(route: Pick<Route, 'method' | 'only_reads' | 'price'>): Price {
  return route.price ?? (isChange(route) ? 'change' : 'read')
}

export type ParamsOf<R extends Route> = R extends { params: infer S } ? Output<S> : Record<never, never>
export type QueryOf<R extends Route> = R extends { query: infer S } ? Output<S> : Record<never, never>
export type BodyOf<R extends Route> = R extends { body: infer S } ? Output<S> : undefined
export type DataOf<R extends Route> = z.output<R['reply']>
export type TopLevelOf<R extends Route> = R extends { top_level: infer S } ? Output<S> : Record<never, never>

/** A successful reply on the wire. */
export type Envelope<R extends Route> = { status: { code: 200; message: string }; data: DataOf<R> } & TopLevelOf<R>

/** A refusal on the wire. */
export interface RefusalEnvelope {
  status: { code: number; message: string }
  error: { code: string; details: Record<string, unknown> }
}
