// Goal: an agent's code registers a member of that agent and nothing more; a forgotten password is reset only by mail,
// once; and a new password ends all earlier sessions.

import { randomUUID } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { refusals } from '@megalot/contract'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { readReply } from '../../../test/reply.ts'
import { waitForLock } from '../../../test/scenes.ts'
import { CAPTCHA_ANSWER, type Reply, type ReplyTo, startTestApp, type TestApp } from '../../../test/test-app.ts'
import { createMailbox, tokensIn } from '../../../test/test-mail.ts'
import { openMail } from '../../platform/mail.ts'
import { DEMO_AGENT_CODE, DEMO_PASSWORD } from '../../seed/demo.ts'
import { renewAgentCode } from '../accounts/index.ts'
import { sendDueRecoveries } from './recovery.service.ts'

const PUBLIC_URL = 'https://play.example'

let app: TestApp
let last = 0

beforeAll(async () => {
  app = await startTestApp()
})

async function makeCaptcha(): Promise<{ request_id: string; captcha_txt: string }> {
  const request_id = randomUUID()
  await app.call('GET', `/megalot/auth/captcha?request_id=${request_id}`)
  return { request_id, captcha_txt: CAPTCHA_ANSWER }
}

async function register(changes: object = {}): Promise<ReplyTo<'POST', '/megalot/auth'> & { username: string }> {
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

async function logIn(username: string, password: string): Promise<ReplyTo<'POST', '/megalot/auth/login'>> {
  return app.call('POST', '/megalot/auth/login', { username, password, ...(await makeCaptcha()) }, 'en')
}

async function callAs(sessionToken: string): Promise<ReplyTo<'GET', '/mgluser/user_data/basic'>> {
  const headers = { authorization: `Bearer ${sessionToken}` }
  return readReply(await app.server.inject({ url: '/mgluser/user_data/basic', headers }))
}

async function auditOf(user_id: number): Promise<string[]> {
  const rows = await app.owner
    .selectFrom('audit_log')
    .select('action')
    .where('subject', '=', `user:${user_id}`)
    .orderBy('audit_id')
    .execute()
  return rows.map(({ action }) => action)
}

describe('registration', () => {
  test('creates a member under the agent, without credit, with its packages, logged in', async () => {
    const { http, json, username } = await register({
      agent_code: DEMO_AGENT_CODE.toLowerCase(),
      phone: '081-234-5678',
    })
    expect(http).toBe(200)
    expect(json.data).toMatchObject({ username, level: 'member', status: 'NORMAL', credit_remain_satang: 0 })
    expect((await callAs(json.sessionId)).json.data.username).toBe(username)
    const { rows } = await sql<{ parent: string; email: string; packages: number; theirs: number }>`
      select p.username as parent, u.email,
        (select count(*) from user_packages k where k.user_id = u.user_id) as packages,
        (select count(*) from user_packages k where k.user_id = p.user_id) as theirs
      from users u join users p on p.user_id = u.parent_id where u.username = ${username}`.execute(app.owner)
    expect(rows[0]).toMatchObject({ parent: 'agent01', email: `${username}@example.com` })
    expect(rows[0]!.packages).toBe(rows[0]!.theirs)
    expect(rows[0]!.packages).toBeGreaterThan(0)
    expect(await auditOf(json.data.user_id)).toEqual(['register', 'log_in'])
    expect((await logIn(username, 'first1234')).http).toBe(200)
  })

  test.each([
    ['an unknown agent code', { agent_code: 'NOBODY1' }, 'wrong_agent_code'],
    ['an existing name', { username: 'Member01' }, 'username_taken'],
    ['an unknown code and an existing name', { agent_code: 'NOBODY1', username: 'member01' }, 'wrong_agent_code'],
    ['a wrong captcha', { captcha_txt: 'zzzz' }, 'wrong_captcha'],
    ['a short password', { password: 'abc' }, 'bad_input'],
    ['Thai letters in the name', { username: 'สมชาย' }, 'bad_input'],
    ['no address', { email: undefined }, 'bad_input'],
    ['an address with a line in it', { email: 'a@b.co\nBcc: c@d.co' }, 'bad_input'],
    ['a credit of its own', { credit_limit_satang: 100 }, 'bad_input'],
    ['a level of its own', { level: 'agent' }, 'bad_input'],
  ] as const)('with %s is refused and creates no user', async (_name, changes, code) => {
    const before = await app.owner.selectFrom('users').select('user_id').execute()
    const { http, json } = await register(changes)
    expect([http, json.error.code, json.status.message]).toEqual([refusals[code].http, code, refusals[code].en])
    expect(await app.owner.selectFrom('users').select('user_id').execute()).toHaveLength(before.length)
  })

  test('of one name by ten callers at once creates one user', async () => {
    const replies = await Promise.all(Array.from({ length: 10 }, () => register({ username: 'wanted' })))
    expect(replies.filter(({ http }) => http === 200)).toHaveLength(1)
    expect(replies.filter(({ json }) => json.error?.code === 'username_taken')).toHaveLength(9)
  })

  test('needs an active code of an agent who is not suspended', async () => {
    const agent = await app.owner.selectFrom('users').select('user_id').where('username', '=', 'agent01').execute()
    const code = await renewAgentCode(app.db, null, agent[0]!.user_id)
    expect((await register()).json.error.code).toBe('wrong_agent_code')
    expect((await register({ agent_code: code })).http).toBe(200)
    await sql`update users set own_status = 'SUSPENDED' where username = 'agent01'`.execute(app.owner)
    expect((await register({ agent_code: code })).json.error.code).toBe('wrong_agent_code')
    await sql`update users set own_status = 'NORMAL' where username = 'agent01'`.execute(app.owner)
    await sql`update agent_codes set is_active = true where code = ${DEMO_AGENT_CODE}`.execute(app.owner)
  })
})

describe('a forgotten password', () => {
  /** @returns the tokens that were mailed to an address for all requests so far */
  async function requestLinks(email: string, mailbox = createMailbox()): Promise<string[]> {
    const { http, json } = await app.call('POST', '/megalot/auth/forgot-password', { email })
    expect([http, json]).toEqual([200, { status: { code: 200, message: 'OK' }, data: null }])
    await sendDueRecoveries(app.db, mailbox.sendMail, PUBLIC_URL)
    return mailbox.mails.filter(({ to }) => to === email).flatMap(tokensIn)
  }
  const reset = (token: string, changes: object = {}): Promise<Reply> =>
    app.call('POST', '/megalot/auth/reset-password', {
      token,
      new_password: 'second1234',
      confirm_password: 'second1234',
      ...changes,
    })

  test('is reset by a link that works once and ends all sessions', async () => {
    const { json, username } = await register()
    const [token] = await requestLinks(`${username}@example.com`)
    expect((await reset(token!)).http).toBe(200)
    expect((await callAs(json.sessionId)).json.error.code).toBe('session_password_changed')
    expect((await logIn(username, 'first1234')).json.error.code).toBe('wrong_login')
    expect((await logIn(username, 'second1234')).http).toBe(200)
    expect((await reset(token!, { new_password: 'third1234', confirm_password: 'third1234' })).json.error.code).toBe(
      'recovery_link_over',
    )
    expect(await auditOf(json.data.user_id)).toEqual([
      'register',
      'log_in',
      'send_recovery_link',
      'reset_password',
      'log_in_failed',
      'log_in',
    ])
  })

  test('is reset once by ten concurrent calls with the same link', async () => {
    const { username } = await register()
    const [token] = await requestLinks(`${username}@example.com`)
    const replies = await Promise.all(Array.from({ length: 10 }, () => reset(token!)))
    expect(replies.filter(({ http }) => http === 200)).toHaveLength(1)
  })

  test('a new link outlives the older ones only until one is used', async () => {
    const { username } = await register()
    const [older] = await requestLinks(`${username}@example.com`)
    const [newer] = await requestLinks(`${username.toUpperCase()}@example.com`.replace('EXAMPLE', 'example'))
    expect((await reset(newer!)).http).toBe(200)
    expect((await reset(older!)).json.error.code).toBe('recovery_link_over')
  })

  test('is valid for half an hour', async () => {
    const { username } = await register()
    const [token] = await requestLinks(`${username}@example.com`)
    await sql`update recovery_links set expires_at = clock_timestamp() where used_at is null`.execute(app.owner)
    expect((await reset(token!)).json.error.code).toBe('recovery_link_over')
  })

  test('two different passwords are refused, and the link stays valid', async () => {
    const { username } = await register()
    const [token] = await requestLinks(`${username}@example.com`)
    expect((await reset(token!, { confirm_password: 'other1234' })).json.error.code).toBe('password_mismatch')
    expect((await reset(token!)).http).toBe(200)
  })

  test('can be requested any number of times, and is mailed at most three times an hour', async () => {
    const { username } = await register()
    const mailbox = createMailbox()
    for (let each = 0; each < 6; each += 1) await requestLinks(`${username}@example.com`, mailbox)
    expect(mailbox.mails).toHaveLength(3)
  })

  test('cannot be blocked by somebody else’s repeated requests', async () => {
    const { username } = await register()
    const email = `${username}@example.com`
    const mailbox = createMailbox()
    for (let each = 0; each < 6; each += 1) await requestLinks(email, mailbox)
    // More than an hour later: those mails are old, but the requests continue.
    await sql`
      update recovery_links set mailed_at = mailed_at - interval '61 minutes'
      where user_id = (select user_id from users where email = ${email})`.execute(app.owner)
    await requestLinks(email, mailbox)
    expect(mailbox.mails).toHaveLength(4)
  })

  test('an unknown address gets no mail', async () => {
    const mailbox = createMailbox()
    expect(await requestLinks('nobody@example.com', mailbox)).toEqual([])
    expect(mailbox.mails).toEqual([])
  })

  test('an address with two accounts gets a link for each', async () => {
    const email = 'both@example.com'
    const names = [(await register({ email })).username, (await register({ email })).username]
    const mailbox = createMailbox()
    const tokens = await requestLinks(email, mailbox)
    expect(tokens).toHaveLength(2)
    for (const name of names)
      expect(mailbox.mails[0]!.text).toContain(`${name}\n${PUBLIC_URL}/auth/reset-password#token=`)
  })

  test('cannot be blocked by accounts that others register with the address', async () => {
    const email = 'victim@example.com'
    // Names that stand before the victim's in every order but that of age, and more than fit into one mail.
    for (let each = 0; each < 12; each += 1) await register({ email })
    const username = `zz${randomUUID().replaceAll('-', '')}`
    await register({ email, username })
    for (let each = 0; each < 12; each += 1) await register({ email })
    const mailbox = createMailbox()
    expect(await requestLinks(email, mailbox)).toHaveLength(25)
    expect(mailbox.mails).toHaveLength(2)
    expect(mailbox.mails.filter(({ text }) => text.includes(`${username}\n${PUBLIC_URL}`))).toHaveLength(1)
    for (let each = 0; each < 5; each += 1) await requestLinks(email, mailbox)
    // Three of each account.
    expect(mailbox.mails.flatMap(tokensIn)).toHaveLength(75)
    // An account that is new to the address has a count of its own.
    const late = await register({ email })
    await requestLinks(email, mailbox)
    expect(mailbox.mails.at(-1)!.text).toContain(`${late.username}\n${PUBLIC_URL}`)
    expect(mailbox.mails.flatMap(tokensIn)).toHaveLength(76)
  })

  test('is not recovered by mail by an office user: two people reset it', async () => {
    const email = 'office01@example.com'
    await sql`update users set email = ${email} where username = 'office01'`.execute(app.owner)
    const mailbox = createMailbox()
    expect(await requestLinks(email, mailbox)).toEqual([])
    expect(mailbox.mails).toEqual([])
  })

  test('a mail that could not be delivered is retried', async () => {
    const { username } = await register()
    await app.call('POST', '/megalot/auth/forgot-password', { email: `${username}@example.com` })
    const broken = () => Promise.reject(new Error('the mail server is away'))
    await expect(sendDueRecoveries(app.db, broken, PUBLIC_URL)).rejects.toThrow('away')
    const mailbox = createMailbox()
    await sendDueRecoveries(app.db, mailbox.sendMail, PUBLIC_URL)
    expect(mailbox.mails).toHaveLength(0)
    await sql`update recovery_requests set requested_at = requested_at - interval '2 minutes'`.execute(app.owner)
    await sendDueRecoveries(app.db, mailbox.sendMail, PUBLIC_URL)
    expect(mailbox.mails).toHaveLength(1)
  })

  test('without a mail server the mail lies in the outbox, for nobody else to read', async () => {
    const outbox = await mkdtemp(join(tmpdir(), 'megalot-outbox-'))
    try {
      const { username } = await register()
      const sendMail = openMail({ smtpUrl: undefined, mailFrom: 'megalot <no-reply@example.com>', outbox })
      await app.call('POST', '/megalot/auth/forgot-password', { email: `${username}@example.com` })
      expect(await sendDueRecoveries(app.db, sendMail, PUBLIC_URL)).toBe(1)
      const [file] = await readdir(outbox)
      expect(await readFile(join(outbox, file!), 'utf8')).toContain(`To: ${username}@example.com`)
    } finally {
      await rm(outbox, { recursive: true })
    }
  })
})

describe('a new password that is written concurrently', () => {
  /** Sends a call, and writes a new password once that call has verified the old one and waits for the user's row. */
  async function changeMeanwhile(username: string, send: () => Promise<Reply>): Promise<Reply> {
    const sent: Promise<Reply>[] = []
    await app.owner.transaction().execute(async (tx) => {
      await sql`
        update users set password_hash = (select password_hash from users where username = 'member01')
        where username = ${username}`.execute(tx)
      sent.push(send())
      await waitForLock(app.owner)
    })
    return sent[0]!
  }

  // Defect: a log-in that verified the old password before the change gets a session after it.
  test('refuses a log-in in progress with the old one', async () => {
    const { username } = await register()
    const reply = await changeMeanwhile(username, () => logIn(username, 'first1234'))
    expect(reply.json.error?.code).toBe('wrong_login')
    expect((await logIn(username, DEMO_PASSWORD)).http).toBe(200)
  })

  // Defect: a thief's change that verified the old password is written over the owner's new one.
  test('is not overwritten by a change in progress that verified the old one', async () => {
    const { username, json } = await register()
    const headers = { authorization: `Bearer ${json.sessionId}` }
    const payload = { old_password: 'first1234', new_password: 'thief1234', confirm_password: 'thief1234' }
    const reply = await changeMeanwhile(username, async () =>
      readReply(await app.server.inject({ method: 'POST', url: '/mgluser/change_password', headers, payload })),
    )
    expect(reply.json.error?.code).toBe('wrong_old_password')
    expect((await logIn(username, DEMO_PASSWORD)).http).toBe(200)
  })

  // Defect: a log-in that read the user before the suspension opens a session after it.
  test('a concurrent suspension refuses a log-in in progress too', async () => {
    const { username, json } = await register()
    const sent: Promise<Reply>[] = []
    await app.owner.transaction().execute(async (tx) => {
      await sql`update users set own_status = 'SUSPENDED' where username = ${username}`.execute(tx)
      sent.push(logIn(username, 'first1234'))
      await waitForLock(app.owner)
    })
    expect((await sent[0]!).json.error?.code).toBe('suspended')
    expect((await callAs(json.sessionId)).json.error.code).toBe('session_suspended')
  })
})

test('a member may have a password that is easy to guess, and every reply that sets one says so', async () => {
  const { json, username } = await register({ password: 'dragon77' })
  expect(json.is_easy_to_guess).toBe(true)
  expect((await register({ password: 'kx7q-maple' })).json.is_easy_to_guess).toBe(false)
  const change = async (sessionToken: string, old_password: string, password: string) => {
    const caller = app.callerOf(sessionToken, json.data.user_id)
    const body = { old_password, new_password: password, confirm_password: password }
    return (await caller.post('/mgluser/change_password', body)).json.is_easy_to_guess
  }
  expect(await change(json.sessionId, 'dragon77', username)).toBe(true)
  expect(await change((await logIn(username, username)).json.sessionId, username, 'kx7q-maple')).toBe(false)
  const { mails, sendMail } = createMailbox()
  await app.call('POST', '/megalot/auth/forgot-password', { email: `${username}@example.com` })
  await sendDueRecoveries(app.db, sendMail, PUBLIC_URL)
  const [token] = tokensIn(mails.find(({ to }) => to === `${username}@example.com`)!)
  const set = { token, new_password: 'lotto2026', confirm_password: 'lotto2026' }
  expect((await app.call('POST', '/megalot/auth/reset-password', set)).json.is_easy_to_guess).toBe(true)
})

describe('a change of password', () => {
  const bodyOf = (changes: object = {}): object => ({
    old_password: DEMO_PASSWORD,
    new_password: 'new12345',
    confirm_password: 'new12345',
    ...changes,
  })

  test('ends the session that made it and every other', async () => {
    const caller = await app.logIn('member15')
    expect((await caller.post('/mgluser/change_password', bodyOf())).http).toBe(200)
    const { http, json } = await caller.get('/mgluser/user_data/basic', 'en')
    expect([http, json.error.code, json.status.message]).toEqual([
      401,
      'session_password_changed',
      refusals.session_password_changed.en,
    ])
    expect((await logIn('member15', DEMO_PASSWORD)).json.error.code).toBe('wrong_login')
    expect((await logIn('member15', 'new12345')).http).toBe(200)
    expect(await auditOf(caller.user_id)).toEqual(['log_in', 'change_password', 'log_in_failed', 'log_in'])
  })

  test.each([
    ['a wrong old password', { old_password: 'wrong1234' }, 'wrong_old_password'],
    ['two new ones that differ', { confirm_password: 'other123' }, 'password_mismatch'],
    ['a new one of three characters', { new_password: 'abc', confirm_password: 'abc' }, 'bad_input'],
    ['a new one of 101 characters', { new_password: 'a'.repeat(101), confirm_password: 'a'.repeat(101) }, 'bad_input'],
    ['a field missing', { confirm_password: undefined }, 'bad_input'],
  ] as const)('with %s is refused, and the session stays', async (_name, changes, code) => {
    const caller = await app.logIn('member16')
    const { http, json } = await caller.post('/mgluser/change_password', bodyOf(changes), 'en')
    expect([http, json.error.code, json.status.message]).toEqual([refusals[code].http, code, refusals[code].en])
    expect((await caller.get('/mgluser/user_data/basic')).http).toBe(200)
  })

  test('is throttled after failed attempts: a stolen session must not reveal the password', async () => {
    const caller = await app.logIn('member17')
    const codes: string[] = []
    for (let each = 0; each < 7; each += 1)
      codes.push(
        (await caller.post('/mgluser/change_password', bodyOf({ old_password: `no${each}xx` }))).json.error.code,
      )
    expect(codes.slice(0, 5)).toEqual(Array(5).fill('wrong_old_password'))
    expect(codes.at(-1)).toBe('log_in_paused')
  })
})
