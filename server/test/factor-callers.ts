// Users with second factors in tests: enrolling, logging in, and the codes of an authenticator app.

import { createHmac, randomUUID } from 'node:crypto'
import type { SessionState } from '@megalot/contract'
import { readClock } from '../src/postgres/db.ts'
import { DEMO_PASSWORD } from '../src/demo/demo.ts'
import { Authenticator } from './authenticator.ts'
import type { ReplyTo } from './reply.ts'
import { CAPTCHA_ANSWER, type TestApp, type TestCaller } from './test-app.ts'

/** Where passkeys of tests are used: the default of `PUBLIC_URL`. */
export const ORIGIN = 'http://localhost:3000'

/** The code of a time step (RFC 4226, RFC 6238), computed without the server's library. */
export function totpOf(secret: Buffer, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const digest = createHmac('sha1', secret).update(counter).digest()
  const offset = digest.at(-1)! & 0x0f
  const number = digest.readUInt32BE(offset) & 0x7f_ff_ff_ff
  return String(number % 1_000_000).padStart(6, '0')
}

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

export function decodeBase32(text: string): Buffer {
  const bits = Array.from(text, (letter) => BASE32.indexOf(letter).toString(2).padStart(5, '0')).join('')
  const bytes = bits.match(/.{8}/g) ?? []
  return Buffer.from(bytes.map((byte) => Number.parseInt(byte, 2)))
}

/** An authenticator app: shows the code of the time step `n` steps after the current one. */
export class AuthenticatorApp {
  readonly secret: Buffer
  private readonly app: TestApp

  constructor(app: TestApp, secret: Buffer) {
    this.app = app
    this.secret = secret
  }

  async show(stepsAhead = 0): Promise<string> {
    const now = await readClock(this.app.db)
    return totpOf(this.secret, Math.floor(now.getTime() / 30_000) + stepsAhead)
  }

  /** A code of six digits that no nearby step has. */
  async showWrong(): Promise<string> {
    const shown = await Promise.all([-2, -1, 0, 1, 2].map((steps) => this.show(steps)))
    return ['000000', '111111', '222222', '333333', '444444', '555555'].find((code) => !shown.includes(code))!
  }
}

/** Enrols an authenticator app as a caller's first factor; its session gets a new id. */
export async function enrolApp(
  app: TestApp,
  caller: TestCaller,
): Promise<{ phone: AuthenticatorApp; recovery_codes: string[]; factor_id: number; code: string }> {
  const started = await caller.post('/mgluser/factors/totp/start', { password: DEMO_PASSWORD })
  const phone = new AuthenticatorApp(app, decodeBase32(started.json.data.secret))
  const code = await phone.show()
  const { http, json } = await caller.post('/mgluser/factors/totp', { name: 'phone', code })
  if (http !== 200) throw new Error(`the app was not enrolled: ${JSON.stringify(json)}`)
  caller.sessionToken = json.sessionId ?? caller.sessionToken
  return { phone, recovery_codes: json.data.recovery_codes!, factor_id: json.data.factor.factor_id, code }
}

/** Enrols a passkey. If it is the caller's first factor, its session gets a new id. */
export async function enrolKey(
  caller: TestCaller,
  password = DEMO_PASSWORD,
): Promise<{ key: Authenticator; recovery_codes: string[] | null; factor_id: number }> {
  const key = new Authenticator(ORIGIN)
  const started = await caller.post('/mgluser/factors/passkey/start', { password })
  if (started.http !== 200) throw new Error(`a passkey cannot be made: ${JSON.stringify(started.json)}`)
  const body = { name: 'key', passkey: key.create(started.json.data) }
  const { http, json } = await caller.post('/mgluser/factors/passkey', body)
  if (http !== 200) throw new Error(`the passkey was not enrolled: ${JSON.stringify(json)}`)
  caller.sessionToken = json.sessionId ?? caller.sessionToken
  return { key, recovery_codes: json.data.recovery_codes, factor_id: json.data.factor.factor_id }
}

/** Verifies a passkey in the session of a caller. @returns the caller with the session's new id, if it has one */
export async function verifyKey(app: TestApp, caller: TestCaller, key: Authenticator): Promise<TestCaller> {
  const { json } = await caller.post('/megalot/auth/factor/passkey/start')
  const verified = await caller.post('/megalot/auth/factor/passkey', { passkey: key.get(json.data) })
  if (verified.http !== 200) throw new Error(`the passkey was not verified: ${JSON.stringify(verified.json)}`)
  return app.callerOf(verified.json.sessionId ?? caller.sessionToken, caller.user_id)
}

/** Logs in with a password. @returns the session and its state, as the browser gets them */
export async function logInWith(
  app: TestApp,
  username: string,
  password = DEMO_PASSWORD,
): Promise<{ caller: TestCaller; session: SessionState }> {
  const { http, json } = await sendLogIn(app, username, password)
  if (http !== 200) throw new Error(`${username} could not log in: ${JSON.stringify(json)}`)
  return { caller: app.callerOf(json.sessionId, json.data.user_id), session: json.session }
}

/**
 * Logs in despite the pause after wrong attempts.
 * @returns the refusal code, or ok
 */
export async function tryLogIn(app: TestApp, username: string, password: string): Promise<string> {
  await app.asOwner`delete from failed_tries`
  return codeOfReply(await sendLogIn(app, username, password)) ?? 'ok'
}

async function sendLogIn(
  app: TestApp,
  username: string,
  password: string,
): Promise<ReplyTo<'POST', '/megalot/auth/login'>> {
  const request_id = randomUUID()
  await app.call('GET', `/megalot/auth/captcha?request_id=${request_id}`)
  const body = { username, password, request_id, captcha_txt: CAPTCHA_ANSWER }
  return app.call('POST', '/megalot/auth/login', body)
}

/** The code with which a call was refused; undefined if it succeeded. */
export function codeOfReply({ http, json }: { http: number; json: { error?: { code: string } } }): string | undefined {
  return http === 200 ? undefined : json.error?.code
}
