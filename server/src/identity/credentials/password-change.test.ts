// Goal: a new password ends all earlier sessions and what is in progress with the old one, and its owner comes in with it.

import { hash, randomUUID } from 'node:crypto'
import { refusals } from '@megalot/contract'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  app,
  auditOf,
  callAs,
  logIn,
  makeCaptcha,
  PUBLIC_URL,
  register,
  registerVerified,
  startForNewcomers,
  takeEmailTokens,
  verify,
} from '../../../test/newcomers.ts'
import { readReply } from '../../../test/reply.ts'
import { waitForLock } from '../../../test/scenes.ts'
import { type Reply } from '../../../test/test-app.ts'
import { createMailbox, tokensIn } from '../../../test/test-mail.ts'
import { DEMO_PASSWORD } from '../../demo/demo.ts'
import { sendDueRecoveries } from './recovery.service.ts'

beforeAll(startForNewcomers)

// A stranger can use up the wrong log-ins that a name has in a day, but not keep its owner out with that.
describe('whose name has had all wrong log-ins of a day comes in', () => {
  const spendDay = (username: string) =>
    app.asOwner`
      insert into attempts_of_day (subject_hash, day, attempts)
      values (${hash('sha256', `login:${username}`, 'buffer')}, (clock_timestamp() at time zone 'Asia/Bangkok')::date, 100)
      on conflict (subject_hash) do update set attempts = 100`
  async function logInFrom({ headers }: Reply, username: string, password: string): Promise<string> {
    const cookie = String(headers['set-cookie']).split(';')[0]!
    const payload = { username, password, ...(await makeCaptcha()) }
    const response = await app.server.inject({
      method: 'POST',
      url: '/megalot/auth/login',
      headers: { cookie },
      payload,
    })
    return readReply(response).json.error?.code ?? 'ok'
  }

  test('on the browser on which it has registered', async () => {
    const registered = await register()
    await spendDay(registered.username)
    expect((await logIn(registered.username, 'first1234')).json.error.code).toBe('log_in_limit_reached')
    expect(await logInFrom(registered, registered.username, 'first1234')).toBe('ok')
  })

  test('on the browser on which it set a new password by mail', async () => {
    const { username } = await registerVerified()
    const { mails, sendMail } = createMailbox()
    await app.call('POST', '/megalot/auth/forgot-password', { email: `${username}@example.com` })
    await sendDueRecoveries(app.db, sendMail, PUBLIC_URL)
    const [token] = tokensIn(mails.find(({ to }) => to === `${username}@example.com`)!)
    const set = { token, new_password: 'second1234', confirm_password: 'second1234' }
    const reply = await app.call('POST', '/megalot/auth/reset-password', set)
    await spendDay(username)
    expect((await logIn(username, 'second1234')).json.error.code).toBe('log_in_limit_reached')
    expect(await logInFrom(reply, username, 'second1234')).toBe('ok')
  })

  test('on the browser on which it changed its password, and on no other that was known', async () => {
    const registered = await register()
    const { username, json } = registered
    const caller = app.callerOf(json.sessionId, json.data.user_id)
    const body = { old_password: 'first1234', new_password: 'second1234', confirm_password: 'second1234' }
    const reply = await caller.post('/mgluser/change_password', body)
    await spendDay(username)
    expect(await logInFrom(registered, username, 'second1234')).toBe('log_in_limit_reached')
    expect(await logInFrom(reply, username, 'second1234')).toBe('ok')
  })

  test('with a password from above', async () => {
    const { username, json } = await register()
    await spendDay(username)
    const agent = await app.logIn('agent01')
    const rows = [{ user_id: json.data.user_id, password: 'given1234' }]
    const given = { request_id: randomUUID(), reason: 'asked', rows }
    expect((await agent.post('/mgluser/people/bulk/passwords', given)).json.data.outcomes[0]!.code).toBe('ok')
    expect((await logIn(username, 'given1234')).http).toBe(200)
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
  await takeEmailTokens('')
  const { json, username } = await register({ password: 'dragon77' })
  expect(json.is_easy_to_guess).toBe(true)
  const [emailToken] = await takeEmailTokens(`${username}@example.com`)
  expect((await verify(emailToken!, 'dragon77')).http).toBe(200)
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

  test('goes on with the session that made it under a new token, and ends every other', async () => {
    const { username, json } = await register()
    const { user_id } = json.data
    const other = '\\x' + 'ab'.repeat(32)
    await app.asOwner`
      insert into sessions (user_id, token_hash, awaits_factor) values (${user_id}, ${other}::bytea, true)`
    const caller = app.callerOf(json.sessionId, user_id)
    const body = bodyOf({ old_password: 'first1234' })
    const changed = await caller.post('/mgluser/change_password', body)
    expect(changed.http).toBe(200)
    expect((await callAs(json.sessionId)).json.error.code).toBe('session_password_changed')
    expect((await callAs(changed.json.sessionId)).json.data.username).toBe(username)
    const { rows } = await app.asOwner`
      select end_reason, count(*)::int from sessions where user_id = ${user_id} group by 1 order by 1`
    expect(rows).toEqual([
      { end_reason: 'password_changed', count: 2 },
      { end_reason: null, count: 1 },
    ])
    expect(await auditOf(user_id)).toEqual(['register', 'log_in', 'change_password'])
  })

  test('by a user with a second factor leaves it verified', async () => {
    const { json } = await register()
    await app.asOwner`
      update sessions set factor_verified_at = clock_timestamp() where user_id = ${json.data.user_id}`
    const caller = app.callerOf(json.sessionId, json.data.user_id)
    await caller.post('/mgluser/change_password', bodyOf({ old_password: 'first1234' }))
    const { rows } = await app.asOwner`
      select distinct factor_verified_at from sessions where user_id = ${json.data.user_id}`
    expect(rows).toEqual([{ factor_verified_at: expect.any(Date) }])
  })

  // The same characters as two keyboards send them: composed, decomposed, in full width.
  test('accepts the other forms of the same characters, here and at the log-in', async () => {
    const { username, json } = await register({ password: 'Café２４ที่' })
    const caller = app.callerOf(json.sessionId, json.data.user_id)
    const other = 'Cafe\u030124ที่'
    const passwords = { old_password: other, new_password: 'néw１２３４', confirm_password: 'ne\u0301w1234' }
    expect((await caller.post('/mgluser/change_password', passwords)).http).toBe(200)
    expect((await logIn(username, 'ne\u0301w1234')).http).toBe(200)
    expect((await logIn(username, 'new1234')).json.error.code).toBe('wrong_login')
  })

  test('ends the earlier session and the earlier password', async () => {
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
    ['a field missing', { confirm_password: undefined }, 'bad_input'],
  ] as const)('with %s is refused, and the session stays', async (_name, changes, code) => {
    const caller = await app.logIn('member16')
    const { http, json } = await caller.post('/mgluser/change_password', bodyOf(changes), 'en')
    expect([http, json.error.code]).toEqual([refusals[code].http, code])
    expect(json.status.message).toContain(refusals[code].en)
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
