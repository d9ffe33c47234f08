// Goal: sessions of the console end in time; users see their own sessions and those of the users under them, no other ones, and can
// end each of them.

import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { addPerson } from '../../../test/scenes.ts'
import { codeOfReply } from '../../../test/factor-callers.ts'
import { startTestApp, type TestApp, type TestCaller } from '../../../test/test-app.ts'

const BASIC = '/mgluser/user_data/basic'
const LIST = '/mgluser/sessions?ipp=100'

let app: TestApp

beforeAll(async () => {
  app = await startTestApp({ SESSION_IDLE_MINUTES: '60' })
  await addPerson(app.owner, 'agent02', 'agent', 'company', 100_000_000)
  await addPerson(app.owner, 'stranger01', 'member', 'agent02', 5_000_000)
})

const date = (caller: TestCaller, column: 'created_at' | 'last_active_at', minutes: number) =>
  sql`update sessions set ${sql.ref(column)} = clock_timestamp() - ${minutes} * interval '1 minute'
    where user_id = ${caller.user_id} and ended_at is null`.execute(app.owner)

describe('a session of the console', () => {
  test.each(['office01', 'agent01', 'company'])(
    'of %s ends after twelve hours, however much it is used',
    async (name) => {
      const caller = await app.logIn(name)
      await date(caller, 'created_at', 12 * 60 - 1)
      expect((await caller.get(BASIC)).http).toBe(200)
      await date(caller, 'created_at', 12 * 60 + 1)
      expect(codeOfReply(await caller.get(BASIC))).toBe('session_expired')
    },
  )

  test.each(['office01', 'agent01'])('of %s ends after half an hour without activity', async (name) => {
    const caller = await app.logIn(name)
    await date(caller, 'last_active_at', 29)
    expect((await caller.get(BASIC)).http).toBe(200)
    await date(caller, 'last_active_at', 31)
    expect(codeOfReply(await caller.get(BASIC))).toBe('session_expired')
  })

  test('is not that of a member, which has its own idle time and no end', async () => {
    const caller = await app.logIn('member01')
    await date(caller, 'created_at', 7 * 24 * 60)
    await date(caller, 'last_active_at', 59)
    expect((await caller.get(BASIC)).http).toBe(200)
    await date(caller, 'last_active_at', 61)
    expect(codeOfReply(await caller.get(BASIC))).toBe('session_expired')
  })
})

describe('the list of sessions', () => {
  const namesIn = async (caller: TestCaller): Promise<string[]> =>
    (await caller.get(LIST)).json.data.map(({ username }) => username)

  test('has the live sessions of the caller, first, and of everybody under it', async () => {
    await sql`update sessions set ended_at = clock_timestamp(), end_reason = 'logged_off' where ended_at is null`.execute(
      app.owner,
    )
    const [office, agent, member] = [
      await app.logIn('office01'),
      await app.logIn('agent01'),
      await app.logIn('member01'),
    ]
    await app.logIn('stranger01')
    const gone = await app.logIn('member02')
    await gone.post('/megalot/auth/logoff')
    const idle = await app.logIn('member03')
    await date(idle, 'last_active_at', 61)
    expect(await namesIn(member)).toEqual(['member01'])
    expect(await namesIn(agent)).toEqual(['agent01', 'member01'])
    expect((await namesIn(office)).toSorted()).toEqual(['agent01', 'member01', 'office01', 'stranger01'])
    const [own] = (await agent.get(LIST)).json.data
    expect(own).toMatchObject({
      username: 'agent01',
      is_current: true,
      address: '127.0.0.1',
      factor_verified_at: null,
      ended_at: null,
    })
    expect(Date.parse(own!.started_at)).toBeLessThanOrEqual(Date.parse(own!.last_active_at))
  })

  test('of one user has the ended sessions too', async () => {
    const agent = await app.logIn('agent01')
    const first = await app.logIn('member04')
    await app.logIn('member04')
    const { json } = await agent.get(`/mgluser/sessions?user_id=${first.user_id}`)
    expect(json.data.slice(0, 2).map(({ ended_at }) => ended_at === null)).toEqual([true, false])
    expect(json.data.every(({ username }) => username === 'member04')).toBe(true)
  })

  test('of a user who is not under the caller is not found', async () => {
    const stranger = await app.logIn('stranger01')
    for (const name of ['agent01', 'member01'])
      expect(codeOfReply(await (await app.logIn(name)).get(`/mgluser/sessions?user_id=${stranger.user_id}`))).toBe(
        'not_found',
      )
  })

  test('shows what the browser calls itself, without what a screen cannot show', async () => {
    const agent = await app.logIn('agent01')
    const request_id = crypto.randomUUID()
    await app.call('GET', `/megalot/auth/captcha?request_id=${request_id}`)
    await app.server.inject({
      method: 'POST',
      url: '/megalot/auth/login',
      headers: { 'user-agent': `Mozilla/5.0 (Phone)\u0085${'x'.repeat(400)}` },
      payload: { username: 'member05', password: 'demo1234', request_id, captcha_txt: 'abcd' },
    })
    const found = (await agent.get(LIST)).json.data.find(({ username }) => username === 'member05')!
    expect(found.user_agent).toMatch(/^Mozilla\/5\.0 \(Phone\)x+$/)
    expect(found.user_agent).toHaveLength(300)
  })
})

describe('ending a session', () => {
  const sessionOf = async ({ user_id }: TestCaller): Promise<number> =>
    (
      await sql<{ session_id: number }>`
        select session_id from sessions where user_id = ${user_id} order by session_id desc limit 1`.execute(app.owner)
    ).rows[0]!.session_id

  test('logs out its user at the next call, which says so', async () => {
    const agent = await app.logIn('agent01')
    const member = await app.logIn('member06')
    const session_id = await sessionOf(member)
    expect((await agent.post(`/mgluser/sessions/${session_id}/end`)).http).toBe(200)
    expect((await agent.post(`/mgluser/sessions/${session_id}/end`)).http).toBe(200)
    const { http, json } = await member.get(BASIC, 'en')
    expect([http, json.error.code, json.status.message]).toEqual([
      401,
      'session_ended',
      'This session was ended. Please log in again',
    ])
    const { rows } = await sql`
      select actor_id, after from audit_log where action = 'end_session' and subject = ${`user:${member.user_id}`}`.execute(
      app.owner,
    )
    expect(rows).toEqual([{ actor_id: agent.user_id, after: { session_id } }])
  })

  test('of one’s own is a log-off', async () => {
    const member = await app.logIn('member07')
    expect((await member.post(`/mgluser/sessions/${await sessionOf(member)}/end`)).http).toBe(200)
    expect(codeOfReply(await member.get(BASIC))).toBe('session_ended')
  })

  test('of somebody who is not under the caller is refused as if there were none', async () => {
    const stranger = await app.logIn('stranger01')
    const agent = await app.logIn('agent01')
    const member = await app.logIn('member08')
    for (const [caller, other] of [
      [agent, stranger],
      [member, agent],
      [member, stranger],
    ] as const)
      expect(codeOfReply(await caller.post(`/mgluser/sessions/${await sessionOf(other)}/end`))).toBe('not_found')
    expect(codeOfReply(await agent.post('/mgluser/sessions/999999999/end'))).toBe('not_found')
    expect((await stranger.get(BASIC)).http).toBe(200)
  })
})
