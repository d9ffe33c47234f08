// Goal: who registers with a code gets what the code gives out of what its agent has, the agent is notified at once, and the
// member bets two calls later.

import { randomUUID } from 'node:crypto'
import { refusals } from '@megalot/contract'
import argon2 from '@node-rs/argon2'
import { sql } from 'kysely'
import { describe, expect, test, vi } from 'vitest'
import { findViolatedInvariants } from '../../../test/invariants.ts'
import { hasTopic, listenTo } from '../../../test/live-listener.ts'
import { openNode } from '../../../test/nodes.ts'
import { readReply, type ReplyTo } from '../../../test/reply.ts'
import { addAssistant, addPerson, codeOf, makeTicket, openPeriod, waitForLock } from '../../../test/scenes.ts'
import { CAPTCHA_ANSWER, startNode, startTestApp, testConfig, type TestCaller } from '../../../test/test-app.ts'

let lastName = 0

const ofThai = { product_code: 'thai-government', package_code: '70' }
const reason = 'for the test'

const app = await startTestApp()
await addPerson(app.db, 'shop1', 'agent', 'company', 100_000)
await addPerson(app.db, 'other1', 'agent', 'company', 100_000)
const shop = await app.logIn('shop1')
const office = await app.logIn('office01')
const stranger = await app.logIn('other1')

async function register(agent_code: string, changes: { username?: string; email?: undefined } = {}, node = app.server) {
  const request_id = randomUUID()
  await app.call('GET', `/megalot/auth/captcha?request_id=${request_id}`)
  lastName += 1
  const { username = `joined${lastName}` } = changes
  const given = { agent_code, username, display_name: 'ผู้สมัคร', email: `${username}@example.com`, password: 'demo1234' }
  const payload = { ...given, ...changes, request_id, captcha_txt: CAPTCHA_ANSWER }
  const response = await node.inject({ method: 'POST', url: '/megalot/auth', payload })
  const reply: ReplyTo<'POST', '/megalot/auth'> = readReply(response)
  return { username, ...reply }
}

const makeCode = async (by: TestCaller, fields: object = {}) => {
  const { http, json } = await by.post('/mgluser/agent_codes', fields)
  expect([http, json.error]).toEqual([200, undefined])
  return json.data
}

describe('a code', () => {
  test('is made with a link, listed with who joined by it, and switched off and on', async () => {
    const code = await makeCode(shop)
    expect(code).toMatchObject({
      code: expect.stringMatching(/^[A-Z0-9]{8}$/),
      username: 'shop1',
      is_active: true,
      link: `/auth/register?code=${code.code}`,
      packages: null,
      opening_credit_satang: 0,
      member_count: 0,
    })
    const joined = await register(code.code.toLowerCase())
    expect(joined.http).toBe(200)
    const listed = (await shop.get('/mgluser/agent_codes')).json.data
    expect(listed.find((one) => one.code === code.code)?.member_count).toBe(1)
    const people = (await shop.get(`/mgluser/people?agent_code=${code.code}`)).json
    expect([people.total_count, people.data[0]!.username]).toEqual([1, joined.username])
    const url = `/mgluser/agent_codes/${code.code}/switch` as const
    expect((await shop.post(url, { is_active: false, reason })).json.data.is_active).toBe(false)
    expect(codeOf(await register(code.code))).toBe('wrong_agent_code')
    expect((await office.post(url, { is_active: true, reason })).json.data.is_active).toBe(true)
    expect((await register(code.code)).http).toBe(200)
  })

  test('gives nothing that its maker may not give', async () => {
    await addPerson(app.db, 'upline1', 'master', 'company', 100_000)
    const below = await addPerson(app.db, 'below1', 'agent', 'upline1', 100_000)
    const upline = await app.logIn('upline1')
    expect((await makeCode(upline, { user_id: below })).username).toBe('below1')
    const giving = { user_id: below, opening_credit_satang: 1 }
    expect(codeOf(await upline.post('/mgluser/agent_codes', giving))).toBe('permission_missing')
    const { code } = await makeCode(office, giving)
    const switchOn = async (by: TestCaller, code: string) =>
      (await by.post(`/mgluser/agent_codes/${code}/switch`, { is_active: true, reason })).json
    expect((await switchOn(upline, code)).error?.code).toBe('permission_missing')
    const clerk = await addAssistant(app, 'shop1', ['people'], 'clerk1')
    expect(await makeCode(clerk)).toMatchObject({ username: 'shop1', opening_credit_satang: null })
    const shown = (await clerk.get('/mgluser/agent_codes')).json.data
    expect(new Set(shown.map(({ opening_credit_satang }) => opening_credit_satang))).toEqual(new Set([null]))
    // Defect: packages are terms, and were shown to whoever views people.
    const limited = await makeCode(shop, { packages: [ofThai] })
    expect(limited.packages).toMatchObject([ofThai])
    const shownAgain = (await clerk.get('/mgluser/agent_codes')).json.data
    expect(shownAgain.map(({ code }) => code)).toContain(limited.code)
    expect(shownAgain.filter((one) => 'packages' in one)).toEqual([])
    expect((await switchOn(clerk, limited.code)).data).not.toHaveProperty('packages')
    expect(codeOf(await clerk.post('/mgluser/agent_codes', { opening_credit_satang: 1 }))).toBe('permission_missing')
    const unknown = { packages: [{ ...ofThai, package_code: '1' }] }
    expect(codeOf(await shop.post('/mgluser/agent_codes', unknown))).toBe('unknown_package')
    await app.asOwner`delete from user_packages where user_id = ${stranger.user_id} and package_id in (
      select package_id from packages where product_code = 'thai-government' and package_code = '70')`
    expect(codeOf(await stranger.post('/mgluser/agent_codes', { packages: [ofThai] }))).toBe('package_not_held')
  })
})

// Defect: an agent had a thousand codes with all packages, and a list of them kept everybody waiting.
describe('codes that are on', () => {
  const addCodes = (user_id: number, prefix: string, count: number, is_active: boolean) =>
    app.asOwner`insert into agent_codes (code, user_id, registrations_per_day, is_active)
      select ${prefix} || n, ${user_id}, 50, ${is_active} from generate_series(1, ${count}::int) n`

  test('are a hundred of an agent at most, also where two are made at once', async () => {
    const agent_id = await addPerson(app.db, 'many1', 'agent', 'company', 100_000)
    const agent = await app.logIn('many1')
    await addCodes(agent_id, 'MANY', 99, true)
    await addCodes(agent_id, 'OFF', 3, false)
    const make = (by: TestCaller) => by.post('/mgluser/agent_codes', { user_id: agent_id }).then(codeOf)
    const switchTo = (code: string, is_active: boolean) =>
      agent.post(`/mgluser/agent_codes/${code}/switch`, { is_active, reason }).then(codeOf)
    expect((await Promise.all([make(agent), make(office), make(agent)])).toSorted()).toEqual([
      'ok',
      'too_many_active',
      'too_many_active',
    ])
    expect(await switchTo('OFF1', true)).toBe('too_many_active')
    expect(await switchTo('MANY1', true)).toBe('ok')
    expect(await switchTo('MANY1', false)).toBe('ok')
    expect(await Promise.all([switchTo('OFF2', true), switchTo('OFF3', true)])).toContain('too_many_active')
    expect(await make(agent)).toBe('too_many_active')
  })

  test('are made no more by an agent that has made a thousand', async () => {
    const agent_id = await addPerson(app.db, 'many3', 'agent', 'company', 100_000)
    await addCodes(agent_id, 'OLD', 1_000, false)
    const agent = await app.logIn('many3')
    expect(codeOf(await agent.post('/mgluser/agent_codes', {}))).toBe('too_many_requests')
  })
})

// Defect: who had the code before it was switched off registered while the password was hashed.
test.each([
  ['is refused where the code is switched off meanwhile', 'update agent_codes set is_active = false where code = $1'],
  [
    'is refused where the agent is suspended meanwhile',
    `update users set own_status = 'SUSPENDED' where username = 'waits1'`,
  ],
])('a registration that waits %s', async (_name, change) => {
  if (!(await app.owner.selectFrom('users').select('user_id').where('username', '=', 'waits1').executeTakeFirst()))
    await addPerson(app.db, 'waits1', 'agent', 'company', 100_000)
  const agent = await app.logIn('waits1')
  const { code } = await makeCode(agent)
  const sent: ReturnType<typeof register>[] = []
  await app.owner.transaction().execute(async (tx) => {
    await sql`update agent_codes set registrations_of_day = 0 where code = ${code}`.execute(tx)
    await sql.raw(change.replace('$1', `'${code}'`)).execute(tx)
    sent.push(register(code))
    await waitForLock(app.owner)
  })
  expect(codeOf(await sent[0]!)).toBe('wrong_agent_code')
})

// Defect: whoever had the code registered until the agent's free credit was used up.
describe('a code registers so many in a day of Bangkok', () => {
  const stateOf = async (by: TestCaller, code: string) => {
    const { data } = (await by.get('/mgluser/agent_codes')).json
    const { registrations_per_day, registrations_today } = data.find((one) => one.code === code)!
    return [registrations_today, registrations_per_day]
  }

  test('and no more until the next day; those that fail do not count', async () => {
    await addPerson(app.db, 'daily1', 'agent', 'company', 100_000)
    const agent = await app.logIn('daily1')
    const { code } = await makeCode(agent, { registrations_per_day: 2, opening_credit_satang: 100 })
    const first = await register(code)
    expect(codeOf(await register(code, { username: first.username }))).toBe('username_taken')
    expect(await stateOf(agent, code)).toEqual([1, 2])
    expect(codeOf(await register(code))).toBe('ok')
    expect(await stateOf(agent, code)).toEqual([2, 2])
    // Nothing is revealed of user names either.
    for (const username of ['stranger99', first.username]) {
      const { http, json } = await register(code, { username })
      expect([http, json.error.code, json.status.message]).toEqual([
        409,
        'registration_limit_reached',
        refusals.registration_limit_reached.th,
      ])
    }
    expect((await agent.get(`/mgluser/people?agent_code=${code}`)).json.total_count).toBe(2)
    // Another code of the agent is not touched.
    expect(codeOf(await register((await makeCode(agent)).code))).toBe('ok')
    await app.asOwner`update agent_codes set registration_day = registration_day - 1 where code = ${code}`
    expect(await stateOf(agent, code)).toEqual([0, 2])
    expect(codeOf(await register(code))).toBe('ok')
    expect(await stateOf(agent, code)).toEqual([1, 2])
  })

  test('also where many come at once on two nodes', async () => {
    await addPerson(app.db, 'daily2', 'agent', 'company', 100_000)
    const agent = await app.logIn('daily2')
    const { code } = await makeCode(agent, { registrations_per_day: 3, opening_credit_satang: 100 })
    const nodes = [app.server, await startNode({ ...app, ...openNode(app.url) }, testConfig())]
    const joined = await Promise.all(Array.from({ length: 10 }, (_, index) => register(code, {}, nodes[index % 2])))
    const codes = joined.map((reply) => codeOf(reply))
    expect(codes.filter((one) => one === 'ok')).toHaveLength(3)
    expect(codes.filter((one) => one === 'registration_limit_reached')).toHaveLength(7)
    const { data } = (await agent.get(`/mgluser/people?agent_code=${code}`)).json
    expect(data.map(({ credit_limit_satang }) => credit_limit_satang)).toEqual([100, 100, 100])
    expect(await findViolatedInvariants(app.owner)).toEqual({})
  })

  // Defect: taken names were revealed without end, and each cost a hash.
  test('and reveals as many taken names a day, without a hash', async () => {
    await addPerson(app.db, 'daily3', 'agent', 'company', 100_000)
    const agent = await app.logIn('daily3')
    const { code } = await makeCode(agent, { registrations_per_day: 2 })
    const hashes = vi.spyOn(argon2, 'hash')
    const codes = [await register(code, { username: 'member01' }), await register(code, { username: 'member01' })]
    codes.push(await register(code, { username: 'member01' }), await register(code))
    expect(codes.map(codeOf)).toEqual([
      ...['username_taken', 'username_taken'],
      ...['registration_limit_reached', 'registration_limit_reached'],
    ])
    expect(hashes).not.toHaveBeenCalled()
    hashes.mockRestore()
    expect(codeOf(await register((await makeCode(agent)).code))).toBe('ok')
    await app.asOwner`update attempts_of_day set day = day - 1`
    expect(codeOf(await register(code))).toBe('ok')
  })

  test('and has no second day while the clock steps back over midnight', async () => {
    await addPerson(app.db, 'daily4', 'agent', 'company', 100_000)
    const agent = await app.logIn('daily4')
    const { code } = await makeCode(agent, { registrations_per_day: 2 })
    expect(codeOf(await register(code))).toBe('ok')
    await app.asOwner`update agent_codes set registration_day = registration_day + 1 where code = ${code}`
    expect(await stateOf(agent, code)).toEqual([1, 2])
    expect([codeOf(await register(code)), codeOf(await register(code))]).toEqual(['ok', 'registration_limit_reached'])
  })

  test('fifty, or as many as its maker says', async () => {
    expect((await makeCode(shop)).registrations_per_day).toBe(50)
    expect((await makeCode(shop, { registrations_per_day: 1_000 })).registrations_per_day).toBe(1_000)
    for (const registrations_per_day of [0, 1_001, 1.5, -1])
      expect(codeOf(await shop.post('/mgluser/agent_codes', { registrations_per_day }))).toBe('bad_input')
  })
})

describe('who registers with a code', () => {
  test('gets its packages and its opening credit, until the agent has no more to give', async () => {
    const { code } = await makeCode(shop, { packages: [ofThai], opening_credit_satang: 40_000 })
    const limits: number[] = []
    for (let each = 0; each < 3; each += 1) {
      const { json } = await register(code)
      const member = (await shop.get(`/mgluser/people/${json.data.user_id}`)).json.data
      limits.push(member.credit_limit_satang!)
      expect(member.packages!.map(({ product_code, package_code }) => ({ product_code, package_code }))).toEqual([
        ofThai,
      ])
      expect(member.agent_code).toBe(code)
    }
    expect(limits).toEqual([40_000, 40_000, 0])
    expect(await findViolatedInvariants(app.owner)).toEqual({})
  })

  test('together with others at once never gets more than the agent has', async () => {
    await addPerson(app.db, 'pot1', 'agent', 'company', 500)
    const pot = await app.logIn('pot1')
    const { code } = await makeCode(pot, { opening_credit_satang: 100 })
    const joined = await Promise.all(Array.from({ length: 8 }, () => register(code)))
    expect(joined.map(({ http }) => http)).toEqual(Array.from({ length: 8 }, () => 200))
    const { data } = (await pot.get(`/mgluser/people?agent_code=${code}`)).json
    expect(data.map(({ credit_limit_satang }) => credit_limit_satang!).toSorted((one, other) => one - other)).toEqual([
      0, 0, 0, 100, 100, 100, 100, 100,
    ])
  })

  test('does not get a package that the agent has lost since', async () => {
    const { code } = await makeCode(shop, { packages: [ofThai, { product_code: 'egypt', package_code: '70' }] })
    await app.asOwner`delete from user_packages using users, packages where users.user_id = user_packages.user_id
      and packages.package_id = user_packages.package_id and product_code = 'egypt' and package_code = '70'
      and (users.user_id = ${shop.user_id} or parent_id = ${shop.user_id})`
    const { json } = await register(code)
    const { packages } = (await shop.get(`/mgluser/people/${json.data.user_id}`)).json.data
    expect(packages!.map(({ product_code }) => product_code)).toEqual(['thai-government'])
  })

  test('appears to its agent and the agent’s assistants at once, on another node, and bets two calls later', async () => {
    const otherNode = await startNode(app, testConfig())
    await addPerson(app.db, 'live1', 'agent', 'company', 100_000)
    const agent = await app.logIn('live1')
    const clerk = await addAssistant(app, 'live1', ['people', 'credit'], 'liveclerk')
    const { code } = await makeCode(agent)
    const streams = [await listenTo(otherNode, agent.sessionToken), await listenTo(otherNode, clerk.sessionToken)]
    const strangers = await listenTo(otherNode, stranger.sessionToken)
    const { json, username } = await register(code)
    for (const stream of streams) await stream.waitFor(hasTopic('people'))
    // From the message to the credit.
    const [newest] = (await clerk.get('/mgluser/people?sort=created_at&order=desc&ipp=1')).json.data
    expect(newest).toMatchObject({ username, agent_code: code, credit_limit_satang: 0 })
    const limit = await clerk.post(`/mgluser/downline/${newest!.user_id}/credit_limit`, { credit_limit_satang: 1_000 })
    expect(limit.http).toBe(200)
    const headers = { authorization: `Bearer ${json.sessionId}` }
    const payload = makeTicket(await openPeriod(app.owner))
    const ticket = await app.server.inject({ method: 'POST', url: '/api/order/create', headers, payload })
    expect(ticket.statusCode).toBe(200)
    expect(strangers.events.filter(hasTopic('people'))).toEqual([])
    for (const stream of [...streams, strangers]) stream.leave()
  })
})
