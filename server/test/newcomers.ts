// New users of an application: they register, log in, and open mailed links.

import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { sendDueEmails } from '../src/identity/credentials/index.ts'
import { DEMO_AGENT_CODE } from '../src/demo/demo.ts'
import { readReply } from './reply.ts'
import { CAPTCHA_ANSWER, type Reply, type ReplyTo, startTestApp, type TestApp } from './test-app.ts'
import { createMailbox, tokensIn } from './test-mail.ts'

export const PUBLIC_URL = 'https://play.example'

/** The test file's application. */
export let app: TestApp
let last = 0

/** Starts the application; called before a file's tests. */
export async function startForNewcomers(): Promise<void> {
  app = await startTestApp()
  // More users register here than one agent code allows per day.
  await app.asOwner`update agent_codes set registrations_per_day = 1000`
}

export async function makeCaptcha(): Promise<{ request_id: string; captcha_txt: string }> {
  const request_id = randomUUID()
  await app.call('GET', `/megalot/auth/captcha?request_id=${request_id}`)
  return { request_id, captcha_txt: CAPTCHA_ANSWER }
}

export async function register(changes: object = {}): Promise<ReplyTo<'POST', '/megalot/auth'> & { username: string }> {
  last += 1
  const username = `newcomer${last}`
  const body = {
    agent_code: DEMO_AGENT_CODE,
    username,
    display_name: 'ผู้มา ใหม่',
    email: `${username}@example.com`,
    password: 'first1234',
    ...(await makeCaptcha()),
    ...changes,
  }
  return { ...(await app.call('POST', '/megalot/auth', body, 'en')), username }
}

export async function logIn(username: string, password: string): Promise<ReplyTo<'POST', '/megalot/auth/login'>> {
  return app.call('POST', '/megalot/auth/login', { username, password, ...(await makeCaptcha()) }, 'en')
}

export async function callAs<Path extends '/mgluser/user_data/basic' | '/mgluser/email' = '/mgluser/user_data/basic'>(
  sessionToken: string,
  url: Path = '/mgluser/user_data/basic' as Path,
): Promise<ReplyTo<'GET', Path>> {
  const headers = { authorization: `Bearer ${sessionToken}` }
  return readReply(await app.server.inject({ url, headers }))
}

export async function auditOf(user_id: number): Promise<string[]> {
  const rows = await app.owner
    .selectFrom('audit_log')
    .select('action')
    .where('subject', '=', `user:${user_id}`)
    .orderBy('audit_id')
    .execute()
  return rows.map(({ action }) => action)
}

/** The tokens of links mailed to new members, by address. */
export async function takeEmailTokens(email: string, mailbox = createMailbox()): Promise<string[]> {
  await sendDueEmails(app.db, mailbox.sendMail, PUBLIC_URL)
  return mailbox.mails.filter(({ to }) => to === email).flatMap(tokensIn)
}

export const verify = (token: string, password: string): Promise<Reply> =>
  app.call('POST', '/megalot/auth/verify-email', { token, password })

/** Registers, and verifies the address. */
export async function registerVerified(changes: { email?: string; username?: string } = {}) {
  await takeEmailTokens('')
  const registered = await register(changes)
  const [token] = await takeEmailTokens(changes.email ?? `${registered.username}@example.com`)
  expect((await verify(token!, 'first1234')).http).toBe(200)
  return registered
}
