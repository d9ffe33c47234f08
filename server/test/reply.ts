// The reply to a test's call, typed from the contract's row of its method and URL.

import type * as contract from '@megalot/contract'
import type { DataOf, Method, RefusalEnvelope, Route, TopLevelOf } from '@megalot/contract'
import type { LightMyRequestResponse } from 'fastify'

type Contract = typeof contract
type Row = Extract<Contract[keyof Contract], Route>

type PathOf<Url extends string> = Url extends `${infer Path}?${string}` ? Path : Url
type SegmentsOf<Path extends string> = Path extends `${infer Head}/${infer Tail}` ? [Head, ...SegmentsOf<Tail>] : [Path]

/** Whether each segment of a path equals the row's, or fills a parameter. */
type Fits<Path, RowPath> = [Path, RowPath] extends [[infer Own, ...infer Rest], [infer Rows, ...infer RowRest]]
  ? Own extends Rows
    ? Fits<Rest, RowRest>
    : Rows extends `:${string}`
      ? Fits<Rest, RowRest>
      : false
  : [Path, RowPath] extends [[], []]
    ? true
    : false

type ExactRow<M extends Method, Path extends string, R = Row> = R extends { method: M; path: infer P }
  ? Path extends P
    ? R
    : never
  : never

type FittingRow<M extends Method, Path extends string, R = Row> = R extends { method: M; path: infer P extends string }
  ? Fits<SegmentsOf<Path>, SegmentsOf<P>> extends true
    ? R
    : never
  : never

/** The row with exactly this path, otherwise the one whose parameters the path fills. */
type RowOf<M extends Method, Path extends string> = Path extends string
  ? [ExactRow<M, Path>] extends [never]
    ? FittingRow<M, Path>
    : ExactRow<M, Path>
  : never

/**
 * The reply to a call. A success has `data`, a refusal has `error`. Tests assert which they got without narrowing the
 * type.
 */
export interface Reply<R extends Route = Route> {
  http: number
  /** The reply as sent. */
  json: { status: RefusalEnvelope['status']; data: DataOf<R>; error: RefusalEnvelope['error'] } & TopLevelOf<R>
  /** The body as text: of a file, or of a page. */
  text: string
  headers: LightMyRequestResponse['headers']
}

/** The row that a call names, or any if its URL's type names none; then `data` is unknown. */
export type RowAt<M extends Method, Url extends string> = [RowOf<M, PathOf<Url>>] extends [never]
  ? Route
  : RowOf<M, PathOf<Url>>

export type ReplyTo<M extends Method, Url extends string> = Reply<RowAt<M, Url>>

/** The reply of a response; a body that is not JSON is only in `text`. */
export function readReply<R extends Route>({
  statusCode: http,
  headers,
  body: text,
}: LightMyRequestResponse): Reply<R> {
  const isJson = String(headers['content-type']).startsWith('application/json')
  return { http, json: (isJson ? JSON.parse(text) : {}) as Reply<R>['json'], text, headers }
}
