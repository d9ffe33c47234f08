// Goal: no change of an agent, and no new user, is for nothing: the audit log is kept for ever. The office is kept from no change.

import { costOf, isChange, type Route, routes } from '@megalot/contract'
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import type { RouteName } from './access-matrix.ts'
import { readReply } from './reply.ts'
import { sampleCalls, urlOf } from './sample-calls.ts'
import { addAssistant, addPerson, codeOf } from './scenes.ts'
import { appOn, startTestApp, type TestApp, type TestCaller } from './test-app.ts'

/** Four small changes a minute. */
let app: TestApp
let subject: Parameters<(typeof sampleCalls)[RouteName]>[0]
const reason = 'for a test'

beforeAll(async () => {
  app = await startTestApp({ COSTLY_CALLS_PER_MINUTE: '1' })
  const user_id = await addPerson(app.owner, 'child01', 'member', 'agent01')
  const period_code = 'thai-government-20200101'
  subject = {
    ticket: { order_id: 1 } as never,
    ...{ user_id, announce_id: 1, approval_id: 1, rule_id: 1, period_code, other_period_code: period_code },
  }
})

const changes = routes.filter(isChange)

/** Changes that are charged nothing, and why. */
const freeRows = {
  logOff: 'whoever has spent everything still ends its session',
}

test('every row that changes something has a cost, is charged by its handler, or says why it is free', () => {
  const free = changes.filter(({ cost }) => cost === 'free').map(({ name }) => name)
  expect(free.toSorted()).toEqual(Object.keys(freeRows).toSorted())
  const without = changes.filter(
    (route) => costOf(route) === undefined && !['free', 'line', 'waiting', 'answer'].includes(route.cost!),
  )
  expect(without).toEqual([])
  // Nobody's budget pays for strangers.
  const unbounded = changes.filter(({ access, is_throttled }) => access === 'anyone' && !is_throttled)
  expect(unbounded).toEqual([])
})

async function send(caller: TestCaller, route: Route): Promise<string> {
  const call = sampleCalls[route.name as RouteName](subject)
  const body = call.body as { preview?: boolean } | undefined
  const response = await app.server.inject({
    method: route.method,
    url: urlOf(route, call),
    headers: { authorization: `Bearer ${caller.sessionToken}` },
    // A preview changes nothing.
    ...(body === undefined ? {} : { payload: 'preview' in body ? { ...body, preview: false } : body }),
  })
  return codeOf(readReply(response))
}

/** Changes until one is refused. @returns how many were not */
async function spendChanges(caller: TestCaller): Promise<number> {
  let count = 0
  const change = () => caller.post(`/mgluser/downline/${subject.user_id}/sessions/end`, { reason })
  while (count < 20 && codeOf(await change()) !== 'too_many_requests') count += 1
  return count
}

// Defect: most changes of an agent cost nothing, and each wrote a row of the audit log: 150 a second.
describe('whoever has spent its changes is refused', () => {
  const ofConsole = changes.filter(
    (route) => route.access === 'console' && (route.cost === 'line' || costOf(route) === 'change'),
  )
  test.each(ofConsole.map((route) => [route.name, route] as const))('%s', async (_name, route) => {
    const agent = await app.logIn('agent01')
    await spendChanges(agent)
    expect(await send(agent, route)).toBe('too_many_requests')
  })
})

test('assistants share a budget for changes, and leave their principal its own', async () => {
  const node = await appOn(app, { COSTLY_CALLS_PER_MINUTE: '1' })
  const [first, second] = [
    await addAssistant(app, 'agent01', ['people'], 'clerk1'),
    await addAssistant(app, 'agent01', ['people'], 'clerk2'),
  ]
  const [one, other] = [first, second].map(({ sessionToken, user_id }) => node.callerOf(sessionToken, user_id))
  expect(await spendChanges(one!)).toBe(4)
  expect(await spendChanges(other!)).toBe(0)
  const agent = await node.logIn('agent01')
  const end = await agent.post(`/mgluser/staff/${first.user_id}/sessions/end`, { reason })
  expect(codeOf(end)).toBe('ok')
})

// Defect: previews of a line, and calls that were sent again, cost nothing.
describe('what is read of a change is paid from a budget of its own', () => {
  /** Eight reads a minute of single users. */
  const startNode = () => appOn(app, { COSTLY_CALLS_PER_MINUTE: '1' })
  const rename = (display_name: string) => ({ rows: [{ user_id: subject.user_id, display_name }], reason })

  test('a preview', async () => {
    const agent = await (await startNode()).logIn('agent01')
    const send = (preview: boolean) =>
      agent
        .post('/mgluser/people/bulk/names', { ...rename('previewed'), request_id: randomUUID(), preview })
        .then(codeOf)
    const codes = []
    for (let each = 0; each < 12; each += 1) codes.push(await send(true))
    // What has come back meanwhile admits one more.
    expect([codes.slice(0, 8), codes.at(-1)]).toEqual([Array(8).fill('ok'), 'too_many_requests'])
    // Whoever has read many previews still changes.
    expect(await send(false)).toBe('ok')
  })

  test('a call that is sent again, which is answered whatever was previewed', async () => {
    const agent = await (await startNode()).logIn('agent01')
    const sent = { ...rename('sent again'), request_id: randomUUID() }
    const send = () => agent.post('/mgluser/people/bulk/names', sent).then(codeOf)
    expect(await send()).toBe('ok')
    const look = () =>
      agent.post('/mgluser/people/bulk/names', { ...rename('x'), request_id: randomUUID(), preview: true }).then(codeOf)
    await expect.poll(look).toBe('too_many_requests')
    const codes = []
    for (let each = 0; each < 12; each += 1) codes.push(await send())
    expect([codes.slice(0, 8), codes.at(-1)]).toEqual([Array(8).fill('ok'), 'too_many_requests'])
  })

  test('by an assistant without its principal', async () => {
    const node = await startNode()
    const clerk = await addAssistant(app, 'agent01', ['people'], 'clerk3')
    const [one, agent] = [node.callerOf(clerk.sessionToken, clerk.user_id), await node.logIn('agent01')]
    const look = (by: TestCaller) =>
      by.post('/mgluser/people/bulk/names', { ...rename('x'), request_id: randomUUID(), preview: true }).then(codeOf)
    await expect.poll(() => look(one)).toBe('too_many_requests')
    expect(await look(agent)).toBe('ok')
  })

  test('by the users that it reaches', async () => {
    const line_id = await addPerson(app.owner, 'broad01', 'agent', 'company')
    await sql`insert into users (username, display_name, level, parent_id, password_hash)
      select 'broad01n' || n, 'x', 'member', ${line_id}, 'x' from generate_series(1, 3000) n`.execute(app.owner)
    const company = await (await startNode()).logIn('company')
    const packages = [{ product_code: 'lao-vip', package_code: '70' }]
    const call = { user_ids: [line_id], change: 'take', packages, reason, preview: true } as const
    const codes = []
    for (let each = 0; each < 5; each += 1)
      codes.push(codeOf(await company.post('/mgluser/people/bulk/packages', { ...call, request_id: randomUUID() })))
    // Three thousand rows are three tenths of a unit, and the last one may owe.
    expect(codes).toEqual([...Array(4).fill('ok'), 'too_many_requests'])
  })
})

test('the office is kept from no change', async () => {
  const office = await app.logIn('office01')
  const replies = []
  for (let each = 0; each < 12; each += 1)
    replies.push(codeOf(await office.post(`/mgluser/downline/${subject.user_id}/sessions/end`, { reason })))
  expect(new Set(replies)).toEqual(new Set(['ok']))
})

describe('a package given to a line, or taken from it', () => {
  const size = 400
  let line_id: number
  let named: { product_code: string; package_code: string }

  beforeAll(async () => {
    line_id = await addPerson(app.owner, 'wide01', 'agent', 'company')
    await sql`insert into users (username, display_name, level, parent_id, password_hash)
      select 'wide01n' || n, 'x', 'member', ${line_id}, 'x' from generate_series(1, ${size}::int) n`.execute(app.owner)
    named = { product_code: 'lao-vip', package_code: '70' }
  })

  // Defect: one row of the audit log was paid, and one was written for each user of the line.
  test.each([
    ['given', () => ({ path: `/mgluser/downline/${line_id}/packages/give`, more: { includes_below: true } })],
    ['taken', () => ({ path: `/mgluser/downline/${line_id}/packages/take`, more: {} })],
    [
      'taken by a call for many',
      () => ({
        path: '/mgluser/people/bulk/packages',
        more: { request_id: randomUUID(), user_ids: [line_id], change: 'take' },
      }),
    ],
  ])('%s is paid by the rows of the audit log that it writes', async (_name, makeCall) => {
    const node = await appOn(app, { COSTLY_CALLS_PER_MINUTE: '10' })
    const company = await node.logIn('company')
    const send = () => {
      const { path, more } = makeCall()
      return company.post(path as '/mgluser/people/bulk/packages', { packages: [named], reason, ...more })
    }
    expect(codeOf(await send())).toBe('ok')
    // 400 rows at 20 a unit are a debt of ten units: a minute.
    const { json } = await send()
    expect(json.error).toMatchObject({ code: 'too_many_requests' })
    expect(json.error.details.wait_ms).toBeGreaterThan(60_000)
  })
})
