// Goal: sessions of the console end in time; users see their own sessions and those of the users under them, no other ones, and can
// end each of them.

import { randomUUID } from 'node:crypto'
import { refusals } from '@megalot/contract'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { codeOfReply } from '../../../test/factor-callers.ts'
import { hireAssistant } from '../../../test/staff.ts'
import { findCaller } from '../../../test/nodes.ts'
import { addPerson, finishFirstLogIn, FIRST_PASSWORD } from '../../../test/scenes.ts'
import { CAPTCHA_ANSWER, startTestApp, type TestApp, type TestCaller } from '../../../test/test-app.ts'
import { DEMO_PASSWORD } from '../../demo/demo.ts'

const BASIC = '/mgluser/user_data/basic'

let app: TestApp

beforeAll(async () => {
  app = await startTestApp({ SESSION_IDLE_MINUTES: '60' })
  await addPerson(app.owner, 'agent02', 'agent', 'company', 100_000_000)
  await addPerson(app.owner, 'stranger01', 'member', 'agent02', 5_000_000)
  const helper = { username: 'helper01', display_name: 'Helper', password: FIRST_PASSWORD, areas: ['people'] as const }
  await hireAssistant(app.db, await findCaller(app.db, 'agent01'), helper)
  await finishFirstLogIn(app.owner, 'helper01')
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

  test('is not that of a member, which has its own idle time and ends after a day', async () => {
    const caller = await app.logIn('member01')
    await date(caller, 'created_at', 24 * 60 - 1)
    await date(caller, 'last_active_at', 59)
    expect((await caller.get(BASIC)).http).toBe(200)
    await date(caller, 'last_active_at', 61)
    expect(codeOfReply(await caller.get(BASIC))).toBe('session_expired')
    const again = await app.logIn('member01')
    await date(again, 'created_at', 24 * 60 + 1)
    expect(codeOfReply(await again.get(BASIC))).toBe('session_expired')
  })
})

describe('the lists of sessions', () => {
  const namesIn = async (caller: TestCaller, list: 'downline' | 'staff'): Promise<string[]> =>
    (await caller.get(`/mgluser/${list}/sessions?ipp=100`)).json.data.map(({ username }) => username).toSorted()

  test('have the live sessions of everybody under the caller, and of its staff', async () => {
    await sql`update sessions set ended_at = clock_timestamp(), end_reason = 'logged_off' where ended_at is null`.execute(
      app.owner,
    )
    const [office, agent] = [await app.logIn('office01'), await app.logIn('agent01')]
    for (const name of ['office02', 'helper01', 'member01', 'stranger01']) await app.logIn(name)
    await (await app.logIn('member02')).post('/megalot/auth/logoff')
    await date(await app.logIn('member03'), 'last_active_at', 61)
    await date(await app.logIn('member07'), 'created_at', 24 * 60 + 1)
    expect(await namesIn(agent, 'downline')).toEqual(['member01'])
    expect(await namesIn(agent, 'staff')).toEqual(['helper01'])
    expect(await namesIn(office, 'downline')).toEqual(['agent01', 'member01', 'stranger01'])
    expect(await namesIn(office, 'staff')).toEqual(['office01', 'office02'])
  })

  test('show where each was opened, and which is that of the call', async () => {
    const agent = await app.logIn('agent01')
    const own = (await agent.get('/mgluser/sessions')).json.data
    expect(own[0]).toMatchObject({ username: 'agent01', is_current: true, address: '127.0.0.1', ended_at: null })
    expect(own.slice(1).every(({ is_current, ended_at }) => !is_current && ended_at !== null)).toBe(true)
    expect(Date.parse(own[0]!.started_at)).toBeLessThanOrEqual(Date.parse(own[0]!.last_active_at))
  })

  test('have the ended sessions of one user too', async () => {
    const agent = await app.logIn('agent01')
    const first = await app.logIn('member04')
    await app.logIn('member04')
    const { json } = await agent.get(`/mgluser/downline/sessions?user_id=${first.user_id}`)
    expect(json.data.slice(0, 2).map(({ ended_at }) => ended_at === null)).toEqual([true, false])
    expect(json.data.every(({ username }) => username === 'member04')).toBe(true)
  })

  test('refuse a parameter that is given twice', async () => {
    const agent = await app.logIn('agent01')
    for (const query of ['page=0&page=1', 'page[]=0', 'page=0&Page=1'])
      expect(codeOfReply(await agent.get(`/mgluser/sessions?${query}`))).toBe('bad_input')
  })

  test('have nobody who is not under the caller', async () => {
    const stranger = await app.logIn('stranger01')
    const office = await app.logIn('office02')
    const agent = await app.logIn('agent01')
    const list = async (caller: TestCaller, { user_id }: TestCaller) =>
      codeOfReply(await caller.get(`/mgluser/downline/sessions?user_id=${user_id}`))
    expect(await list(agent, stranger)).toBe('not_found')
    expect(await list(agent, office)).toBe('not_found')
    expect(await list(await app.logIn('office01'), office)).toBe('not_allowed')
  })

  test('show what the browser calls itself, without what a screen cannot show', async () => {
    const agent = await app.logIn('agent01')
    const request_id = randomUUID()
    await app.call('GET', `/megalot/auth/captcha?request_id=${request_id}`)
    await app.server.inject({
      method: 'POST',
      url: '/megalot/auth/login',
      headers: { 'user-agent': `Mozilla/5.0 (Phone)\u0085${'x'.repeat(400)}` },
      payload: { username: 'member05', password: DEMO_PASSWORD, request_id, captcha_txt: CAPTCHA_ANSWER },
    })
    const { json } = await agent.get('/mgluser/downline/sessions?ipp=100')
    const { user_agent } = json.data.find(({ username }) => username === 'member05')!
    expect(user_agent).toMatch(/^Mozilla\/5\.0 \(Phone\)x+$/)
    expect(user_agent).toHaveLength(300)
  })
})

describe('ending the sessions of a user', () => {
  const end = (caller: TestCaller, { user_id }: TestCaller) =>
    caller.post(`/mgluser/downline/${user_id}/sessions/end`, { reason: 'a lost phone' })

  test('logs it out at the next call, which says so', async () => {
    const agent = await app.logIn('agent01')
    const member = await app.logIn('member06')
    expect((await end(agent, member)).http).toBe(200)
    expect((await end(agent, member)).http).toBe(200)
    const { http, json } = await member.get(BASIC, 'en')
    expect([http, json.error.code, json.status.message]).toEqual([401, 'session_ended', refusals.session_ended.en])
    const { rows } = await sql`
      select actor_id, reason from audit_log where action = 'end_sessions' and subject = ${`user:${member.user_id}`}`.execute(
      app.owner,
    )
    expect(rows[0]).toEqual({ actor_id: agent.user_id, reason: 'a lost phone' })
  })

  test('is refused for others, as if there were none, and for oneself and the office', async () => {
    const stranger = await app.logIn('stranger01')
    const [agent, office, colleague] = [
      await app.logIn('agent01'),
      await app.logIn('office01'),
      await app.logIn('office02'),
    ]
    expect(codeOfReply(await end(agent, stranger))).toBe('not_found')
    expect(codeOfReply(await end(agent, agent))).toBe('not_allowed')
    expect(codeOfReply(await end(office, colleague))).toBe('not_allowed')
    for (const caller of [stranger, agent, colleague]) expect((await caller.get(BASIC)).http).toBe(200)
  })
})
