// Goal: what costs much is paid from the budget of whoever sends it, and of nobody else; a new ticket costs nothing, unless it waits for its
// member.

import { randomUUID } from 'node:crypto'
import {
  BODY_BYTES,
  changeDisplayNames,
  listOutstanding,
  type Order,
  previewAward,
  toOrderSummary,
} from '@megalot/contract'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { closePeriod } from '../src/modules/markets/index.ts'
import { enrolApp, logInWith } from './factor-callers.ts'
import {
  addAssistant,
  addPerson,
  codeOf,
  holdDraw,
  makeLine,
  makeResult,
  makeTicket,
  openPeriod,
  placeTicket,
} from './scenes.ts'
import { appOn, startTestApp, type TestApp, type TestCaller } from './test-app.ts'

let app: TestApp

beforeAll(async () => {
  app = await startTestApp()
})

test('a member’s acts that are kept for ever are paid from its budget', async () => {
  const node = await appOn(app, { COSTLY_CALLS_PER_MINUTE: '5' })
  const [member, other] = [await node.logIn('member03'), await node.logIn('member04')]
  const setLimit = (caller: TestCaller) => (each: number) =>
    caller
      .post('/mgluser/play_limits', { kind: 'stake', span: 'month', amount_satang: 900_000_000 - each * 100 })
      .then(codeOf)
  const answered: string[] = []
  for (let each = 0; each < 8; each += 1) answered.push(await setLimit(member)(each))
  expect(answered).toEqual([...Array(5).fill('ok'), ...Array(3).fill('too_many_requests')])
  expect(await setLimit(other)(0)).toBe('ok')
})

// Defect: an agent changed the statuses of a large line again and again, and others waited seconds for the lock of the hierarchy.
test('changes of a large line are paid by what they write; the office pays nothing for them', async () => {
  const node = await appOn(app, { COSTLY_CALLS_PER_MINUTE: '12' })
  await addPerson(app.owner, 'senior05', 'senior', 'company')
  const line_id = await addPerson(app.owner, 'agent05', 'agent', 'senior05')
  const single_id = await addPerson(app.owner, 'member77', 'member', 'agent05')
  await sql`
    insert into users (username, display_name, level, parent_id, password_hash)
    select 'below' || n, 'x', 'member', ${line_id}, 'x' from generate_series(1, 8000) n`.execute(app.owner)
  const [senior, office] = [await node.logIn('senior05'), await node.logIn('office01')]
  const url = `/mgluser/downline/${line_id}`
  const reason = 'because'
  const setStatus = (by: TestCaller, own_status: string) =>
    by.post(`${url}/status`, { own_status, reason }).then(codeOf)
  const packages = [{ product_code: 'thai-government', package_code: '70' }]
  const sendBulk = (what: string, body: object) =>
    senior
      .post(`/mgluser/people/bulk/${what}` as '/mgluser/people/bulk/status', {
        request_id: randomUUID(),
        reason,
        ...body,
      })
      .then(codeOf)
  const { rows: below } = await sql<{ user_id: number }>`
    select user_id from users where parent_id = ${line_id} order by user_id limit 900`.execute(app.owner)
  const members = below.map(({ user_id }) => user_id)
  const onLine = {
    'a status': () => setStatus(senior, 'NORMAL'),
    'packages taken': () => senior.post(`${url}/packages/take`, { packages, reason }).then(codeOf),
    // Paid by what it would write, although nobody below is without them.
    'packages given': () =>
      senior.post(`${url}/packages/give`, { packages, reason, includes_below: true }).then(codeOf),
    statuses: () => sendBulk('status', { user_ids: [line_id], own_status: 'NORMAL' }),
    'packages of many': () => sendBulk('packages', { user_ids: [line_id], change: 'take', packages }),
    names: () => sendBulk('names', { rows: members.map((user_id) => ({ user_id, display_name: 'y' })) }),
    'ends of sessions': () => sendBulk('sessions/end', { user_ids: members }),
  }
  expect(await setStatus(senior, 'DISABLED_BET')).toBe('ok')
  for (const [what, send] of Object.entries(onLine)) expect([what, await send()]).toEqual([what, 'too_many_requests'])
  // What was made before is answered again, and what is given to the line itself is small.
  const sent = { request_id: randomUUID(), user_ids: [single_id], own_status: 'DISABLED_BET', reason } as const
  for (let each = 0; each < 2; each += 1)
    expect(await senior.post('/mgluser/people/bulk/status', sent).then(codeOf)).toBe('ok')
  expect(await sendBulk('packages', { user_ids: [line_id], change: 'give', packages })).toBe('ok')
  // One member is suspended all the same.
  expect(
    await senior.post(`/mgluser/downline/${single_id}/status`, { own_status: 'SUSPENDED', reason }).then(codeOf),
  ).toBe('ok')
  for (const own_status of ['NORMAL', 'SUSPENDED', 'NORMAL']) expect(await setStatus(office, own_status)).toBe('ok')
  // The bound of one call holds for the office too: users times packages.
  const { rows: many } = await sql<{ product_code: string; package_code: string }>`
    select product_code, package_code from packages order by package_id limit 20`.execute(app.owner)
  const given = office.post(`${url}/packages/give`, { packages: many, reason, includes_below: true })
  expect(codeOf(await given)).toBe('payload_too_large')
})

// Defect: a thousand users of another line cost a quarter of a unit, under the lock of the hierarchy.
test('packages taken from users whom the caller does not reach are paid by the users named', async () => {
  const node = await appOn(app, { COSTLY_CALLS_PER_MINUTE: '12' })
  await addPerson(app.owner, 'agent15', 'agent', 'company')
  const stranger = await node.logIn('agent15')
  const user_ids = Array.from({ length: 900 }, (_, index) => 1_000_000 + index)
  const packages = [{ product_code: 'thai-government', package_code: '70' }]
  const take = () => {
    const body = { request_id: randomUUID(), reason: 'because', user_ids, change: 'take', packages }
    return stranger.post('/mgluser/people/bulk/packages', body).then(codeOf)
  }
  expect([await take(), await take()]).toEqual(['ok', 'too_many_requests'])
})

/** Sends a body as it is. */
const sendText = (node: TestApp, { sessionToken }: TestCaller, path: string, payload: string) =>
  node.server
    .inject({
      method: 'POST',
      url: path,
      headers: { authorization: `Bearer ${sessionToken}`, 'content-type': 'application/json' },
      payload,
    })
    .then((reply) => reply.json().error?.code ?? 'ok')
const large = `{"note":"${'x'.repeat(500_000)}"}`

test('bodies that are refused are paid from the budget, and a spent one admits small bodies alone', async () => {
  const node = await appOn(app, { COSTLY_CALLS_PER_MINUTE: '40' })
  const agent = await node.logIn('agent01')
  const send = (payload: string, path: string = changeDisplayNames.path) => sendText(node, agent, path, payload)
  expect(await send('{}')).toBe('bad_input')
  expect(await send(large)).toBe('bad_input')
  expect(await send(`${large}x`)).toBe('bad_input')
  expect(await send(large)).toBe('too_many_requests')
  expect(await send('{}')).toBe('bad_input')
  // A row that names no limit has a small one.
  expect(await send(`{"x":"${'x'.repeat(20_000)}"}`, '/mgluser/factors/1/name')).toBe('payload_too_large')
})

// Defect: a confirmation that was refused cost 0.0007 of a unit, and was never refused for that: 300 a second.
describe('confirmations and cancels that are refused', () => {
  /** Calls until one is refused for the budget. @returns how many were not */
  async function countUntilSpent(call: () => Promise<string>): Promise<number> {
    for (let count = 0; count < 100; count += 1) if ((await call()) === 'too_many_requests') return count
    return Infinity
  }
  const confirm = (by: TestCaller, { order_id }: Order) =>
    by.post(`/api/order/${order_id}/confirm`, { items: [] }).then(codeOf)
  const cancel = (by: TestCaller, order: Order) => by.post(`/api/order/${order.order_id}/cancel`, order).then(codeOf)
  const reports = (by: TestCaller) => by.get('/api/rewardcalc/award/get_by_product/yeekee').then(codeOf)

  test('have a budget of their own, a quarter of a unit each', async () => {
    const node = await appOn(app, { COSTLY_CALLS_PER_MINUTE: '5' })
    const [member, other] = [await node.logIn('member01'), await node.logIn('member02')]
    const period_code = await openPeriod(app.owner)
    const [ticket, ofOther] = [
      await placeTicket(member, makeTicket(period_code)),
      await placeTicket(other, makeTicket(period_code)),
    ]
    const count = await countUntilSpent(() => confirm(member, ticket))
    // A few come back meanwhile.
    expect(count).toBeGreaterThanOrEqual(20)
    expect(count).toBeLessThan(40)
    // Neither is carried out then, and all else is.
    expect(await cancel(member, ticket)).toBe('too_many_requests')
    expect(await reports(member)).toBe('ok')
    expect(codeOf(await member.post('/api/order/create', makeTicket(period_code)))).toBe('ok')
    expect(await cancel(other, ofOther)).toBe('ok')
  })

  test('are paid by their bodies where these are large, which are not read once the budget is spent', async () => {
    const node = await appOn(app, { COSTLY_CALLS_PER_MINUTE: '40' })
    const member = await node.logIn('member01')
    expect(await countUntilSpent(() => sendText(node, member, '/api/order/1/cancel', large))).toBe(2)
  })

  test('and no others: whoever has spent all else still cancels and confirms', async () => {
    const node = await appOn(app, { COSTLY_CALLS_PER_MINUTE: '5' })
    const member = await node.logIn('member02')
    const period_code = await openPeriod(app.owner)
    const tickets: Order[] = []
    for (let each = 0; each < 9; each += 1) tickets.push(await placeTicket(member, makeTicket(period_code)))
    await countUntilSpent(() => reports(member))
    for (const ticket of tickets) expect(await cancel(member, ticket)).toBe('ok')
  })
})

// Defect: a ticket of one line that was refused cost a thirtieth of a unit or less, by its bytes.
test('a ticket that is refused costs an eighth of a unit at least', async () => {
  const node = await appOn(app, { COSTLY_CALLS_PER_MINUTE: '5' })
  const member = await node.logIn('member01')
  const period_code = await openPeriod(app.owner)
  const wrong = () => makeTicket(period_code, { items: [makeLine('3top', '123', 0)] })
  const codes: string[] = []
  for (let each = 0; each < 80; each += 1) codes.push(codeOf(await member.post('/api/order/create', wrong())))
  expect(codes.slice(0, 40)).not.toContain('too_many_requests')
  expect(codes).toContain('too_many_requests')
})

test('the calendar is a report, which is paid from the budget', async () => {
  const node = await appOn(app, { COSTLY_CALLS_PER_MINUTE: '2' })
  const agent = await node.logIn('agent01')
  const read = () => agent.get('/api/draw_day/calendar?date_from=2026-12-01&date_to=2026-12-31').then(codeOf)
  expect([await read(), await read(), await read()]).toEqual(['ok', 'ok', 'too_many_requests'])
})

test('what an assistant sends in vain keeps its principal from no report', async () => {
  const assistant = await addAssistant(app, 'agent01', ['reports'], 'clerk9')
  const node = await appOn(app, { COSTLY_CALLS_PER_MINUTE: '60' })
  const [agent, clerk] = [await node.logIn('agent01'), node.callerOf(assistant.sessionToken, assistant.user_id)]
  const name = { name: 'x'.repeat(16_000) }
  for (let each = 0; each < 150; each += 1) await clerk.post('/mgluser/factors/1/name', name)
  expect(codeOf(await clerk.get(listOutstanding.path))).toBe('too_many_requests')
  expect(codeOf(await agent.get(listOutstanding.path))).toBe('ok')
})

test('who knows the password of a user alone spends none of its budget', async () => {
  const node = await appOn(app, { COSTLY_CALLS_PER_MINUTE: '60' })
  const agent = await node.logIn('agent01')
  await enrolApp(node, agent)
  const { caller: thief } = await logInWith(node, 'agent01')
  const body = { code: '1'.repeat(16_000) }
  for (let each = 0; each < 150; each += 1) await thief.post('/megalot/auth/factor/totp', body)
  expect(codeOf(await agent.get(listOutstanding.path))).toBe('ok')
})

test('a ticket that is sent again is paid from the budget, and a new one is not', async () => {
  const node = await appOn(app, { COSTLY_CALLS_PER_MINUTE: '5' })
  const [member, other] = [await node.logIn('member06'), await node.logIn('member07')]
  const period_code = await openPeriod(app.owner)
  const body = makeTicket(period_code)
  const send = (caller: TestCaller, ticket = body) => caller.post('/api/order/create', ticket).then(codeOf)
  for (let each = 0; each < 60; each += 1) expect(await send(member, makeTicket(period_code))).toBe('ok')
  const answered: string[] = []
  for (let each = 0; each < 80; each += 1) answered.push(await send(member))
  expect(answered.slice(0, 40)).toEqual(Array(40).fill('ok'))
  expect(answered).toContain('too_many_requests')
  expect(await send(other, makeTicket(period_code))).toBe('ok')
})

test('a look-up of a ticket by its request_id is paid from the budget, whether there is one or not', async () => {
  const node = await appOn(app, { COSTLY_CALLS_PER_MINUTE: '5' })
  const period_code = await openPeriod(app.owner)
  for (const [username, answer] of [
    ['member08', 'ok'],
    ['member09', 'not_found'],
  ] as const) {
    const member = await node.logIn(username)
    const body = makeTicket(period_code)
    if (answer === 'ok') await placeTicket(member, body)
    const answered: string[] = []
    for (let each = 0; each < 80; each += 1)
      answered.push(codeOf(await member.get(`/api/order/request_id/${body.request_id}`)))
    expect(answered.slice(0, 40)).toEqual(Array(40).fill(answer))
    expect(answered).toContain('too_many_requests')
  }
})

test('a preview of a result is a report, which is paid from the budget', async () => {
  const node = await appOn(app, { COSTLY_CALLS_PER_MINUTE: '5' })
  const period_code = await openPeriod(app.owner)
  await closePeriod(app.db, null, period_code, 'early')
  await holdDraw(app.owner, period_code)
  const office = await node.logIn('office01')
  const codes: string[] = []
  for (let count = 0; count < 6; count += 1)
    codes.push(codeOf(await office.post(previewAward.path, { period_code, result: makeResult('123') })))
  expect(codes).toEqual([...Array.from({ length: 5 }, () => 'ok'), 'too_many_requests'])
})

test('the limited numbers of a period are paid from a budget of their own, and their reader still bets', async () => {
  const node = await appOn(app, { COSTLY_CALLS_PER_MINUTE: '5' })
  const period_code = await openPeriod(app.owner)
  const [member, other] = [await node.logIn('member10'), await node.logIn('member11')]
  const read = async (by: TestCaller) => codeOf(await by.get(`/api/game_config/limit_number/${period_code}`))
  const answered: string[] = []
  for (let each = 0; each < 80; each += 1) answered.push(await read(member))
  expect(answered.slice(0, 40)).toEqual(Array(40).fill('ok'))
  expect(answered).toContain('too_many_requests')
  expect(await read(other)).toBe('ok')
  const { order_id } = await placeTicket(member, makeTicket(period_code))
  expect(codeOf(await member.get(`/api/order/${order_id}`))).toBe('ok')
})

test('a large ticket that is read again and again is paid by its length', async () => {
  const node = await appOn(app, { COSTLY_CALLS_PER_MINUTE: '5' })
  const [member, other] = [await node.logIn('member14'), await node.logIn('member15')]
  const period_code = await openPeriod(app.owner)
  const items = Array.from({ length: 300 }, (_, at) => makeLine('3top', String(at).padStart(3, '0'), 5))
  const body = makeTicket(period_code, { items })
  const { order_id } = await placeTicket(member, body)
  for (const read of [
    () => member.get(`/api/order/${order_id}`),
    () => member.get(`/api/order/request_id/${body.request_id}`),
  ]) {
    const answered: string[] = []
    for (let each = 0; each < 9; each += 1) answered.push(codeOf(await read()))
    expect(answered).toContain('too_many_requests')
  }
  // Whoever has read much still bets, and cancels with the whole ticket as body.
  expect(codeOf(await member.post('/api/order/create', makeTicket(period_code)))).toBe('ok')
  const whole = { ...makeTicket(period_code), items: [...items, ...items].slice(0, 500) }
  expect(codeOf(await member.post('/api/order/create', whole))).toBe('ok')
  const small = await placeTicket(other, makeTicket(period_code))
  for (let each = 0; each < 40; each += 1) expect(codeOf(await other.get(`/api/order/${small.order_id}`))).toBe('ok')
})

test.each([
  ['/api/rewardcalc/award/get_by_product/yeekee', 'member11'],
  ['/api/rewardcalc/award/list_award/2000-01-01', 'member12'],
  ['/api/rewardcalc/award/statistics/yeekee', 'member13'],
] as const)('long lists of results are paid as reports: %s', async (path, username) => {
  const node = await appOn(app, { COSTLY_CALLS_PER_MINUTE: '5' })
  const member = await node.logIn(username)
  const answered: string[] = []
  for (let each = 0; each < 7; each += 1) answered.push(codeOf(await member.get(path)))
  expect(answered.slice(0, 5)).toEqual(Array(5).fill('ok'))
  expect(answered.at(-1)).toBe('too_many_requests')
})

describe('a waiting ticket that its member takes back', () => {
  const cancel = (by: TestCaller, ticket: Order) =>
    by.post(`/api/order/${ticket.order_id}/cancel`, toOrderSummary(ticket)).then(codeOf)
  const answer = (by: TestCaller, { order_id }: Order, returned: readonly number[]) =>
    by
      .post(`/api/order/${order_id}/confirm`, { items: returned.map((line_no) => ({ line_no, bet_satang: 0 })) })
      .then(codeOf)
  const lineNos = ({ items }: Order) => items.map(({ line_no }) => line_no)
  let period_code: string

  beforeAll(async () => {
    period_code = await openPeriod(app.owner)
    const office = await app.logIn('office01')
    const setNumber = (number: string, set_to: 'half' | 'closed') =>
      office.post(`/api/admin/game_config/limit_number/${period_code}`, { bet_type: '3top', number, set_to })
    await setNumber('000', 'half')
    for (let at = 300; at < 600; at += 1) await setNumber(String(at), 'closed')
  })

  /** A further period, because tickets of one wait, and are taken back, ten times. */
  async function openAnother(): Promise<void> {
    const earlier = period_code
    period_code = await openPeriod(app.owner)
    await sql`
      insert into number_settings (period_id, bet_type, quota_key, set_to)
      select another.period_id, bet_type, quota_key, set_to
      from number_settings join periods using (period_id), periods another
      where periods.period_code = ${earlier} and another.period_code = ${period_code}
      on conflict do nothing`.execute(app.owner)
  }

  /** Number 000 pays half, and those from 300 to 599 are closed. */
  const ticketOf = (lines: number, first = 0) => {
    const numbers = [0, ...Array.from({ length: lines - 1 }, (_, at) => first + at + 1)]
    return makeTicket(period_code, {
      items: numbers.map((each) => makeLine('3top', String(each).padStart(3, '0'), 5)),
    })
  }

  // Defect: a member placed large tickets that waited and took them back, again and again, for nothing.
  test.each([
    ['cancelled', 'member16', 0, (by: TestCaller, ticket: Order) => cancel(by, ticket)],
    ['returned', 'member17', 0, (by: TestCaller, ticket: Order) => answer(by, ticket, lineNos(ticket))],
    [
      'returned but for a line',
      'member18',
      0,
      (by: TestCaller, ticket: Order) => answer(by, ticket, lineNos(ticket).slice(1)),
    ],
    // The others received nothing, and nobody names them.
    [
      'returned, of one line that was received',
      'member19',
      299,
      (by: TestCaller, ticket: Order) => answer(by, ticket, [1]),
    ],
  ])('%s is paid by its lines, as one that was refused', async (_name, username, first, takeBack) => {
    const node = await appOn(app, { COSTLY_CALLS_PER_MINUTE: '4' })
    const [member, other] = [await node.logIn(username), await node.logIn('member20')]
    const small = await placeTicket(member, ticketOf(2))
    // 300 lines are a unit and a half.
    for (let each = 0; each < 3; each += 1)
      expect(await takeBack(member, await placeTicket(member, ticketOf(300, first)))).toBe('ok')
    expect(codeOf(await member.post('/api/order/create', ticketOf(2)))).toBe('too_many_requests')
    expect(codeOf(await other.post('/api/order/create', ticketOf(2)))).toBe('ok')
    // A ticket that waits can be taken back all the same.
    expect(await cancel(member, small)).toBe('ok')
  })

  // Defect: all were placed before the first one was taken back, and paid.
  test('is paid once it waits, and confirmed as a whole it costs nothing', async () => {
    const node = await appOn(app, { COSTLY_CALLS_PER_MINUTE: '4' })
    const member = await node.logIn('member24')
    const [first] = [
      await placeTicket(member, ticketOf(300)),
      await placeTicket(member, ticketOf(300)),
      await placeTicket(member, ticketOf(300)),
    ]
    expect(codeOf(await member.post('/api/order/create', ticketOf(2)))).toBe('too_many_requests')
    expect(await answer(member, first, [])).toBe('ok')
    expect(codeOf(await member.post('/api/order/create', ticketOf(2)))).toBe('ok')
  })

  // Defect: the page sends a cancel with the whole ticket, and whoever owed for tickets that wait could not answer them.
  test('is answered by large bodies, however much its member owes', async () => {
    const node = await appOn(app, { COSTLY_CALLS_PER_MINUTE: '4' })
    const member = await node.logIn('member03')
    const [first, second] = [await placeTicket(member, ticketOf(500)), await placeTicket(member, ticketOf(500))]
    expect(codeOf(await member.post('/api/order/create', ticketOf(2)))).toBe('too_many_requests')
    const items = first.items.map(({ line_no, received_satang: bet_satang }) => ({ line_no, bet_satang }))
    // With a space here and there.
    const confirmation = JSON.stringify({ items }, null, 1)
    expect(confirmation.length).toBeGreaterThan(BODY_BYTES)
    expect(await sendText(node, member, `/api/order/${first.order_id}/confirm`, confirmation)).toBe('ok')
    expect(codeOf(await member.post(`/api/order/${second.order_id}/cancel`, second))).toBe('ok')
  })

  // Defect: a ticket with one open line and 299 closed ones got all of its lines back.
  test('gets its lines that received something back once it is confirmed, and the others where these are few', async () => {
    const node = await appOn(app, { COSTLY_CALLS_PER_MINUTE: '4' })
    const [member, other] = [await node.logIn('member04'), await node.logIn('member05')]
    const confirm = async (by: TestCaller, lines: number, first: number) =>
      answer(by, await placeTicket(by, ticketOf(lines, first)), [])
    for (let each = 0; each < 3; each += 1) expect(await confirm(member, 300, 299)).toBe('ok')
    expect(codeOf(await member.post('/api/order/create', ticketOf(2)))).toBe('too_many_requests')
    // 49 closed lines, less than a quarter of a unit.
    for (let each = 0; each < 9; each += 1) expect(await confirm(other, 349, 0)).toBe('ok')
    for (let each = 0; each < 9; each += 1) expect(await confirm(other, 2, 299)).toBe('ok')
    for (let each = 0; each < 16; each += 1) {
      if (each === 8) await openAnother()
      expect(codeOf(await other.post('/api/order/create', ticketOf(2)))).toBe('ok')
    }
  })

  // Defect: closed lines of a ticket that does not wait were stored for nothing.
  test('is paid by its closed lines where it does not wait', async () => {
    const node = await appOn(app, { COSTLY_CALLS_PER_MINUTE: '4' })
    const [member, other] = [await node.logIn('member06'), await node.logIn('member07')]
    const place = async (by: TestCaller, lines: number, first: number) => {
      const placed = await by.post('/api/order/create', { ...ticketOf(lines, first), on_change: 'accept' })
      return placed.json.data?.status ?? codeOf(placed)
    }
    for (let each = 0; each < 3; each += 1) expect(await place(member, 300, 299)).toBe('CONFIRMED')
    expect(await place(member, 300, 299)).toBe('too_many_requests')
    for (let each = 0; each < 20; each += 1) expect(await place(other, 50, 299)).toBe('CONFIRMED')
    for (let each = 0; each < 5; each += 1) expect(await place(other, 300, 0)).toBe('CONFIRMED')
  })

  test('costs as a change where it is small', async () => {
    const node = await appOn(app, { COSTLY_CALLS_PER_MINUTE: '4' })
    const member = await node.logIn('member21')
    for (let each = 0; each < 10; each += 1)
      expect(await answer(member, await placeTicket(member, ticketOf(300)), [])).toBe('ok')
    for (let each = 0; each < 15; each += 1) {
      if (each === 8) await openAnother()
      expect(await cancel(member, await placeTicket(member, ticketOf(2)))).toBe('ok')
    }
    await openAnother()
    const codes = []
    for (let each = 0; each < 8; each += 1) {
      const placed = await member.post('/api/order/create', ticketOf(2))
      codes.push(codeOf(placed))
      if (placed.http === 200) await cancel(member, placed.json.data)
    }
    expect(codes).toContain('too_many_requests')
  })

  test('is refused to everybody else for nothing', async () => {
    const node = await appOn(app, { COSTLY_CALLS_PER_MINUTE: '4' })
    const [member, other] = [await node.logIn('member22'), await node.logIn('member23')]
    const ticket = await placeTicket(member, ticketOf(300))
    for (let each = 0; each < 5; each += 1) expect(await cancel(other, ticket)).toBe('not_found')
    for (const by of [member, other]) expect(codeOf(await by.post('/api/order/create', ticketOf(2)))).toBe('ok')
  })
})

describe('a ticket that somebody above deletes', () => {
  let period_code: string
  let member: TestCaller

  beforeAll(async () => {
    period_code = await openPeriod(app.owner)
    await addPerson(app.owner, 'agent25', 'agent', 'company', 100_000_000)
    await addPerson(app.owner, 'member25x', 'member', 'agent25', 100_000_000)
    member = await app.logIn('member25x')
  })

  const ticketOf = (lines: number) =>
    makeTicket(period_code, {
      items: Array.from({ length: lines }, (_, at) => makeLine('3top', String(at).padStart(3, '0'), 5)),
    })
  /** Places a ticket of a member, and deletes it. */
  const remove = async (by: TestCaller, lines: number) => {
    const { order_id } = await placeTicket(member, ticketOf(lines))
    return codeOf(await by.post(`/api/order/${order_id}/delete`, { reason: 'for a test' }))
  }
  const removeEach = async (by: TestCaller, count: number, lines: number) => {
    const codes: string[] = []
    for (let each = 0; each < count; each += 1) codes.push(await remove(by, lines))
    return codes
  }

  // Defect: whatever its lines, it cost a quarter of a unit, and nobody had paid then for what it leaves for ever.
  test('is paid by its lines, from the budget of changes alone; the office pays nothing', async () => {
    const node = await appOn(app, { COSTLY_CALLS_PER_MINUTE: '4' })
    const [agent, office] = [await node.logIn('agent25'), await node.logIn('office01')]
    // 300 lines are a unit and a half.
    expect(await removeEach(agent, 4, 300)).toEqual(['ok', 'ok', 'ok', 'too_many_requests'])
    expect(await remove(agent, 1)).toBe('too_many_requests')
    expect(codeOf(await agent.get(listOutstanding.path))).toBe('ok')
    expect(await removeEach(office, 4, 300)).toEqual(Array(4).fill('ok'))
  })

  test('costs as a change where it is small', async () => {
    const node = await appOn(app, { COSTLY_CALLS_PER_MINUTE: '4' })
    const codes = await removeEach(await node.logIn('agent25'), 20, 50)
    expect(codes.slice(0, 16)).toEqual(Array(16).fill('ok'))
    expect(codes).toContain('too_many_requests')
  })

  test('is paid by an assistant as its other changes are: with the other assistants, and without its principal', async () => {
    const clerks = [
      await addAssistant(app, 'agent25', ['tickets'], 'clerk7'),
      await addAssistant(app, 'agent25', ['tickets'], 'clerk8'),
    ]
    const node = await appOn(app, { COSTLY_CALLS_PER_MINUTE: '4' })
    const [one, other] = clerks.map(({ sessionToken, user_id }) => node.callerOf(sessionToken, user_id))
    expect(await removeEach(one!, 3, 300)).toEqual(Array(3).fill('ok'))
    for (const by of [one!, other!]) expect(await remove(by, 1)).toBe('too_many_requests')
    expect(await remove(await node.logIn('agent25'), 300)).toBe('ok')
  })

  test('that cannot be deleted is paid as a change alone', async () => {
    const node = await appOn(app, { COSTLY_CALLS_PER_MINUTE: '4' })
    const agent = await node.logIn('agent25')
    const { order_id } = await placeTicket(member, ticketOf(300))
    const codes: string[] = []
    for (let each = 0; each < 9; each += 1)
      codes.push(codeOf(await agent.post(`/api/order/${order_id}/delete`, { reason: 'for a test' })))
    expect(codes).toEqual(['ok', ...Array(8).fill('invalid_status')])
  })
})
