// No password, token, captcha answer, address or mailed link appears in a log, including the database's, or in the
// metrics, whatever happens to a call.

import { randomUUID } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, expect, inject, test } from 'vitest'
import { DEMO_AGENT_CODE, DEMO_PASSWORD } from '../src/demo/demo.ts'
import { totpOf, decodeBase32 } from './factor-callers.ts'
import { findFreePort, type RunningApp, startApp } from './start-app.ts'
import { CAPTCHA_ANSWER } from './test-app.ts'
import { cloneDatabase } from './test-database.ts'

const dataDir = await mkdtemp(join(tmpdir(), 'megalot-secrets-'))
afterAll(() => rm(dataDir, { recursive: true, force: true }))

const planted = {
  password: 'planted-password-1',
  wrong: 'planted-wrong-2',
  next: 'planted-next-3',
  email: 'planted-person@example.com',
  phone: '+66899999777',
}

/**
 * Enrols an authenticator app, and logs in with a wrong code and with a recovery code.
 * @returns all secrets involved
 */
async function enrolWithSecrets(app: RunningApp, makeCaptcha: () => Promise<object>): Promise<string[]> {
  const logIn = async () =>
    (
      await app.post('/megalot/auth/login', '', {
        username: 'office01',
        password: DEMO_PASSWORD,
        ...(await makeCaptcha()),
      })
    ).json.sessionId
  const sessionToken = await logIn()
  const started = await app.post('/mgluser/factors/totp/start', sessionToken, { password: DEMO_PASSWORD })
  const { secret, otpauth_url } = started.json.data
  const code = totpOf(decodeBase32(secret), Math.floor(Date.now() / 30_000))
  const enrolled = await app.post('/mgluser/factors/totp', sessionToken, { name: 'phone', code })
  expect(enrolled.http).toBe(200)
  const recovery_codes = enrolled.json.data.recovery_codes!
  const incomplete = await logIn()
  const wrong = await app.post('/megalot/auth/factor/totp', incomplete, { code: '918273' })
  expect(wrong.json.error.code).toBe('wrong_factor')
  const verified = await app.post('/megalot/auth/factor/recovery_code', incomplete, { code: recovery_codes[0]! })
  expect(verified.http).toBe(200)
  return [
    sessionToken,
    enrolled.json.sessionId!,
    incomplete,
    verified.json.sessionId!,
    secret,
    otpauth_url,
    ...recovery_codes,
  ]
}

async function readServerLog(): Promise<string> {
  const folder = inject('postgresLogFolder')
  const files = (await readdir(folder)).map((name) => readFile(join(folder, name), 'utf8'))
  return (await Promise.all(files)).join('\n')
}

test('secrets in calls of every kind appear neither in logs nor in metrics', async () => {
  const { url, owner } = await cloneDatabase()
  const metricsPort = await findFreePort()
  const settings = { LOG_LEVEL: 'trace', DATA_DIR: dataDir, METRICS_PORT: String(metricsPort) }
  const app = await startApp(url, 0, settings)
  const secrets = new Set<string>(Object.values(planted))
  const makeCaptcha = async (): Promise<object> => {
    const request_id = randomUUID()
    await fetch(`${app.url}/megalot/auth/captcha?request_id=${request_id}`)
    return { request_id, captcha_txt: CAPTCHA_ANSWER }
  }
  const post = <Url extends string>(path: Url, body: object, sessionToken = '') => app.post(path, sessionToken, body)
  const person = {
    agent_code: DEMO_AGENT_CODE,
    username: 'planted01',
    display_name: 'Planted',
    email: planted.email,
    phone: planted.phone,
    password: planted.password,
  }

  const registered = await post('/megalot/auth', { ...person, ...(await makeCaptcha()) })
  expect(registered.http).toBe(200)
  const { sessionId: sessionToken } = registered.json
  secrets.add(sessionToken)
  // Valid, malformed, too large, not JSON.
  await post('/megalot/auth', { ...person, ...(await makeCaptcha()) })
  await post('/megalot/auth', { ...person, email: `${planted.email} `, ...(await makeCaptcha()) })
  await post('/megalot/auth', { ...person, display_name: planted.password.repeat(40_000) })
  await fetch(`${app.url}/megalot/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie: `megalot_device=${'D'.repeat(43)}` },
    body: `{"password":"${planted.wrong}"`,
  })
  for (const password of [planted.wrong, planted.password]) {
    const { json } = await post('/megalot/auth/login', { username: 'planted01', password, ...(await makeCaptcha()) })
    if (json.sessionId) secrets.add(json.sessionId)
  }
  const session = [...secrets].at(-1)!
  const change = { old_password: planted.wrong, new_password: planted.next, confirm_password: planted.next }
  expect((await post('/mgluser/change_password', change, session)).json.error.code).toBe('wrong_old_password')

  expect((await app.get('/api/admin/audit', session)).json.error.code).toBe('not_allowed')
  const enrolled = await enrolWithSecrets(app, makeCaptcha)
  for (const secret of enrolled) secrets.add(secret)

  const outbox = join(dataDir, 'outbox')
  /** The token of the latest mail, once this many have been sent. */
  const readToken = async (mails: number): Promise<string> => {
    await expect.poll(() => readdir(outbox).catch(() => [])).toHaveLength(mails)
    const mail = (await readdir(outbox)).toSorted().at(-1)!
    const token = /#token=([A-Za-z0-9_-]{43})/.exec(await readFile(join(outbox, mail), 'utf8'))![1]!
    secrets.add(token)
    return token
  }
  const verification = { token: await readToken(1), password: planted.password }
  expect((await post('/megalot/auth/verify-email', verification)).http).toBe(200)
  await post('/megalot/auth/forgot-password', { email: planted.email })
  const token = await readToken(2)

  // The database fails during the calls; such errors are logged with as much detail as secrets allow.
  await sql`alter table users rename column password_hash to hidden_hash`.execute(owner)
  const reset = { token, new_password: planted.next, confirm_password: planted.next }
  expect((await post('/megalot/auth/reset-password', reset)).http).toBe(500)
  const broken = await post('/megalot/auth/login', {
    username: 'planted01',
    password: planted.password,
    ...(await makeCaptcha()),
  })
  expect([broken.http, Object.keys(broken.json.error.details)]).toEqual([500, ['request_id']])
  await sql`alter table users rename column hidden_hash to password_hash`.execute(owner)
  await sql`alter table email_links add constraint no_such_mail check (email <> 'planted-other@example.com')`.execute(
    owner,
  )
  secrets.add('planted-other@example.com')
  const refused = await post('/megalot/auth', {
    ...person,
    username: 'planted02',
    email: 'planted-other@example.com',
    ...(await makeCaptcha()),
  })
  expect(refused.http).toBe(500)
  expect((await post('/megalot/auth/reset-password', reset)).http).toBe(200)

  const metrics = await (await fetch(`http://localhost:${metricsPort}/metrics`)).text()
  await app.kill()
  const log = app.log.join('\n')
  // The logs are not empty.
  expect(log).toContain('no_such_mail')
  await expect.poll(readServerLog).toContain('no_such_mail')
  expect(log).toContain('wrong_login')
  // A refused caller is named by its id.
  expect(log).toMatch(
    /"code":"not_allowed","address":"[^"]+","actor_id":\d+,"method":"GET","route":"\/api\/admin\/audit"/,
  )
  expect(metrics).toContain('megalot_refusals_total{code="wrong_login"}')
  secrets.add('planted01')
  expect([...secrets].filter((secret) => metrics.includes(secret))).toEqual([])
  const serverLog = await readServerLog()
  expect([...secrets].filter((secret) => serverLog.includes(secret))).toEqual([])
  secrets.delete('planted01')
  expect([...secrets].filter((secret) => log.includes(secret))).toEqual([])
})
