// One row per HTTP route. The server serves rows, the web calls rows, the OpenAPI page and the authorisation matrix are
// generated from rows: there is no route without a row.

import type * as z from 'zod/mini'
import type { Permission } from './permissions.ts'

/**
 * Who may call a route at all. Which records a caller may access (its own, its downline's) is decided by the service.
 * - `anyone`: no session needed
 * - `signed_in`: any live session
 * - `member`: a live session of a user who bets
 * - `console`: a live session of anybody else: agents of every level, the company, its office users, and assistants
 * - `company`: a live session of the company itself, of one of its office users, or of an assistant of these
 * - `office`: a live session of an office user of the company, or of its assistant
 */
export type Access = 'anyone' | 'signed_in' | 'member' | 'console' | 'company' | 'office'

/**
 * What a session can still lack, in the order in which it has to be done.
 * - `second_factor`: the user has a second factor, and none was verified in this session
 * - `new_password`: somebody else has set the password, and the user has to set an own one
 * - `enrolment`: the installation requires a second factor, and the user has none
 */
export const sessionSteps = ['second_factor', 'new_password', 'enrolment'] as const
export type SessionStep = (typeof sessionSteps)[number]

/** How long a verified second factor is recent enough for routes with `step_up`, in ms. */
export const STEP_UP_MS = 5 * 60_000

/**
 * The permission that a caller needs besides. Rows for the console name one, except those about the caller's own account,
 * such as its second factors. A row for everybody who is signed in
 * names one where it shows more than the caller's own matters: it applies to all callers but members, who have no
 * permissions and reach only their own records.
 */
export type RouteAuthority =
  | { access: 'anyone' | 'member'; needs?: never }
  | { access: 'signed_in'; needs?: Needs }
  | { access: 'console'; needs?: Needs }
  | { access: 'company' | 'office'; needs: Needs }

/** A permission; of several, one is enough to call the row, and the service decides by which of them. */
export type Needs = Permission | readonly Permission[]

export type Method = 'GET' | 'POST' | 'DELETE'

/**
 * A header of any call: for how many milliseconds the user has been idle. Screens also call without the user (polling,
 * live events), so a call alone is no proof of activity. A call without this header counts as activity of the user,
 * unless its row is a keep-alive.
 */
export const IDLE_HEADER = 'x-idle-ms'

type Schema = z.ZodMiniType

/**
 * What a call takes from the token bucket of its principal, and which calls it runs beside (`platform/limits.ts`).
 * - `free`: nothing. Tickets and their confirmation must go on when the bucket is empty
 * - `read`: by default, what changes nothing
 * - `change`: by default, what changes something
 * - `report`: sums over many tickets, and changes of many users
 * - `export`: a report as a file
 */
export type Price = 'free' | 'read' | 'change' | 'report' | 'export'

interface RouteForm {
  /** Verb and noun, unique over all routes; also the OpenAPI operation id. */
  name: string
  method: Method
  /** Fastify's form: parameters as `:order_id`. */
  path: string
  summary: string
  /**
   * A call of the specification. Unknown keys of its query and body are removed before the handler sees them; all other
   * calls refuse them.
   */
  is_specified?: true
  /** Rate-limited per address: routes that an attacker could use to guess secrets or to exhaust the server. */
  is_throttled?: true
  /** Absent: a `change` or a `read` (`priceOf`). */
  price?: Price
  /** Changes nothing, although its method is not GET: its question is too long for an address. */
  only_reads?: true
  /** Called by the screen on its own: without `IDLE_HEADER` it does not count as activity of the user. */
  is_keep_alive?: true
  /** Also open to everybody while the application is in maintenance. */
  is_open_in_maintenance?: true
  /**
   * The transaction behind the route verifies the caller's session itself: a caller who was verified recently may come
   * from the cache.
   */
  verifies_session_in_transaction?: true
  /** Sessions that lack one of these steps may call this too; others only when nothing is lacking before. */
  open_before?: readonly SessionStep[]
  /**
   * From a user with a second factor: only when one was verified within `STEP_UP_MS`. With `above`, only for calls in
   * which a field of the body, or its sum over the `rows`, is above its number.
   */
  step_up?: true | { above: Readonly<Record<string, number>> }
  /** The reply is a stream that does not end by itself. */
  is_stream?: true
  /** The reply is a file as it is saved, not the envelope; a refusal is the envelope as ever. */
  is_file?: true
  /** The limit of the body in bytes, where it is higher than `BODY_BYTES`. */
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

/** The limit of the body of a row that names none, in bytes: half of it where `anyone` may call. */
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

/** The price of a call. A change whose row names none is a `change`, so no new row is free by omission. */
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
