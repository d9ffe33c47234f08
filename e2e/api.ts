// A client of the application's API: it can call any row of the contract's table, and validates every reply against the
// row's own schema.

import {
  type BodyOf,
  changePassword,
  type DataOf,
  type Envelope,
  type Language,
  logIn,
  type ParamsOf,
  type QueryOf,
  type RefusalCode,
  type RefusalEnvelope,
  type Route,
} from '@megalot/contract'
import { randomUUID } from 'node:crypto'

export const captchaAnswer = 'abcd'
export const demoPassword = 'demo1234'

export interface CallInput<R extends Route> {
  params?: ParamsOf<R>
  query?: QueryOf<R>
  body?: BodyOf<R>
}

/** A refusal in the form of the contract. */
export class Refused extends Error {
  readonly http: number
  readonly code: RefusalCode
  readonly sentence: string

  constructor(route: Route, envelope: RefusalEnvelope) {
    super(`${route.name} was refused: ${envelope.error.code} ${JSON.stringify(envelope.error.details)}`)
    this.http = envelope.status.code
    this.code = envelope.error.code as RefusalCode
    this.sentence = envelope.status.message
  }
}

export class Api {
  language: Language
  sessionToken: string | null = null
  readonly url: string

  constructor(url: string, language: Language = 'en') {
    this.url = url
    this.language = language
  }

  /** A body of any form, for calls that must be refused. */
  async send(route: Route, input: { params?: object; query?: object; body?: unknown }): Promise<Response> {
    const path = Object.entries(input.params ?? {}).reduce(
      (text, [name, value]) => text.replace(`:${name}`, encodeURIComponent(String(value))),
      route.path,
    )
    const url = new URL(path, this.url)
    for (const [name, value] of Object.entries(input.query ?? {})) url.searchParams.set(name, String(value))
    const headers: Record<string, string> = { 'accept-language': this.language }
    if (this.sessionToken !== null) headers.authorization = `Bearer ${this.sessionToken}`
    if (input.body !== undefined) headers['content-type'] = 'application/json'
    const body = input.body === undefined ? null : JSON.stringify(input.body)
    return fetch(url, { method: route.method, headers, body })
  }

  async callWhole<R extends Route>(route: R, input: CallInput<R> = {}): Promise<Envelope<R>> {
    const response = await this.send(route, input)
    const envelope: unknown = await response.json()
    if (!response.ok) throw new Refused(route, envelope as RefusalEnvelope)
    const { data } = envelope as { data: unknown }
    route.reply.parse(data)
    return envelope as Envelope<R>
  }

  async call<R extends Route>(route: R, input: CallInput<R> = {}): Promise<DataOf<R>> {
    return (await this.callWhole(route, input)).data
  }

  /** Changes the caller's password, and goes on with the session that the reply names. */
  async changeOwnPassword(old_password: string, new_password: string): Promise<void> {
    const body = { old_password, new_password, confirm_password: new_password }
    this.sessionToken = (await this.callWhole(changePassword, { body })).sessionId
  }

  /** Makes a call that must be refused, and returns the refusal. */
  async refusal(route: Route, input: { params?: object; query?: object; body?: unknown } = {}): Promise<Refused> {
    const response = await this.send(route, input)
    const text = await response.text()
    if (response.ok) throw new Error(`${route.name} should have been refused but answered ${text.slice(0, 500)}`)
    return new Refused(route, JSON.parse(text) as RefusalEnvelope)
  }
}

/** Asks for a captcha and logs in, as a browser does. */
export async function logInThroughApi(
  url: string,
  username: string,
  language: Language = 'en',
  password = demoPassword,
): Promise<Api> {
  const api = new Api(url, language)
  const request_id = randomUUID()
  await requestCaptcha(url, request_id)
  const body = { username, password, request_id, captcha_txt: captchaAnswer }
  const { sessionId: sessionToken } = await api.callWhole(logIn, { body })
  api.sessionToken = sessionToken
  return api
}

/** A program cannot use the picture; the request creates the captcha. */
export async function requestCaptcha(url: string, request_id: string): Promise<Response> {
  const response = await fetch(`${url}/megalot/auth/captcha?request_id=${request_id}`)
  if (!response.ok) throw new Error(`no captcha: ${response.status} ${await response.text()}`)
  return response
}
