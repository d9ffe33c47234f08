import type {
  BodyOf,
  Call,
  Envelope,
  ParamsOf,
  QueryOf,
  RefusalCode,
  RefusalEnvelope,
  Route,
  RouteName,
  Rows,
} from '@megalot/contract'
import { IDLE_HEADER } from '@megalot/contract/browser'
import { currentLanguage } from '../i18n/language-store.ts'
import { noteMaintenance } from '../session/maintenance-store.ts'
import { readIdleMs } from '../session/person-activity.ts'
import { CallRefused } from '../errors/refusal.ts'
import { takeEarlyReply } from './early-replies.ts'
import { askForStepUp } from '../session/step-up-store.ts'
import { closeSession, useSession } from '../session/session-store.ts'

const DEFAULT_TIMEOUT_MS = 20_000

type CallPart<Name extends string, T> = [T] extends [undefined]
  ? { [K in Name]?: never }
  : Record<never, never> extends T
    ? { [K in Name]?: T }
    : { [K in Name]: T }

export type CallOf<R extends Route> = CallPart<'params', ParamsOf<R>> &
  CallPart<'query', QueryOf<R>> &
  CallPart<'body', BodyOf<R>> & {
    signal?: AbortSignal | undefined
    timeoutMs?: number
    /** The request outlives the page. Of small bodies. */
    keepalive?: boolean
  }

interface LooseCall {
  params?: Record<string, string>
  query?: Record<string, string | undefined>
  body?: unknown
  signal?: AbortSignal | undefined
  timeoutMs?: number
  keepalive?: boolean
}

/** The address of a row with its parameters and query filled in. */
export function addressOf(
  route: Pick<Call, 'path'>,
  params: Record<string, string> = {},
  query: Record<string, string | undefined> = {},
): string {
  const path = route.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) search.set(name, value)
  }
  return search.size === 0 ? path : `${path}?${search.toString()}`
}

/** Headers of every call: session and language. */
export function headersOf(session_token: string | null, hasBody: boolean): Headers {
  const headers = new Headers({ 'Accept-Language': currentLanguage() })
  if (session_token !== null) headers.set('Authorization', `Bearer ${session_token}`)
  if (hasBody) headers.set('Content-Type', 'application/json')
  return headers
}

export interface TimedReply<R extends Route> {
  reply: Envelope<R>
  sent_ms: number
  received_ms: number
}

/**
 * Calls a row of the contract. Answers the whole envelope, or throws `CallRefused` and nothing else. Where the server wants
 * a second factor of a short time ago, the console asks for it, and the call is repeated.
 */
export async function callRoute<N extends RouteName>(
  route: Call<N>,
  call: CallOf<Rows[N]>,
): Promise<Envelope<Rows[N]>> {
  return (await callRouteTimed(route, call)).reply
}

/** The same with the times of this device at which the request was sent and its reply arrived. */
export async function callRouteTimed<N extends RouteName>(
  route: Call<N>,
  call: CallOf<Rows[N]>,
): Promise<TimedReply<Rows[N]>> {
  const { params, query, body, signal, timeoutMs = DEFAULT_TIMEOUT_MS, keepalive = false } = call as LooseCall
  const { session_token } = useSession.getState()
  const address = addressOf(route, params, query)
  const early = route.method === 'GET' ? takeEarlyReply(address, session_token, currentLanguage()) : null
  const sent_ms = early?.sent_ms ?? Date.now()
  let response: Response
  let reply: unknown
  let received_ms: number
  try {
    response = await (early?.response ?? sendRequest(route, address, session_token, body, timeoutMs, signal, keepalive))
    received_ms = early?.received_ms ?? Date.now()
    reply = await response.json()
  } catch (error) {
    throw new CallRefused('no_reply', String(error), null)
  }
  if (isEnvelope(reply, response.status)) return { reply: reply as Envelope<Rows[N]>, sent_ms, received_ms }

  const refusal = readRefusal(reply, response.status)
  // A late 401 of a session that has been replaced on this very device must not end the new one.
  const session = useSession.getState()
  if (
    response.status === 401 &&
    session_token !== null &&
    session.session_token === session_token &&
    !session.is_renewing
  ) {
    closeSession(refusal.message)
  }
  // Maintenance of one market concerns its bets only. Maintenance of the whole house concerns every call.
  if (refusal.code === 'maintenance' && route.name !== 'placeOrder') noteMaintenance(refusal.details)
  // The person verifies a second factor, and the same call, under the same request_id, is made again.
  if (refusal.code === 'step_up_needed' && (await askForStepUp())) return callRouteTimed(route, call)
  throw refusal
}

function sendRequest(
  route: Call,
  address: string,
  session_token: string | null,
  body: unknown,
  timeoutMs: number,
  signal: AbortSignal | undefined,
  keepalive: boolean,
): Promise<Response> {
  const headers = headersOf(session_token, body !== undefined)
  if (session_token !== null) headers.set(IDLE_HEADER, String(readIdleMs()))
  const limit = AbortSignal.timeout(timeoutMs)
  return fetch(address, {
    method: route.method,
    headers,
    body: body === undefined ? null : JSON.stringify(body),
    signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
    cache: 'no-store',
    keepalive,
  })
}

/** Whether the server itself has answered a call with success: a proxy or a captive portal has no such envelope. */
function isEnvelope(reply: unknown, http: number): boolean {
  const { status, data } = (reply ?? {}) as Partial<Envelope<Route>>
  return http === 200 && status?.code === http && data !== undefined
}

/** A reply without our envelope, such as a proxy's, does not tell what the server did. */
function readRefusal(reply: unknown, http: number): CallRefused {
  const { status, error } = (reply ?? {}) as Partial<RefusalEnvelope>
  if (status?.code !== http || typeof error?.code !== 'string') return new CallRefused('no_reply', '', http)
  return new CallRefused(error.code as RefusalCode, status.message, http, error.details)
}
