// Goal: a ticket that is accepted in part waits for its member; confirming, returning, cancelling, deleting, voiding
// and the deadline each change status, money and quota together, once, and stay visible.

import { type LimitNumber, type Product, refusals, type VoidRequest } from '@megalot/contract'
import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { findBrokenInvariants } from '../../../test/invariants.ts'
import { dayOf, holdDraw, makeTicket, openPeriod, rates70 } from '../../../test/scenes.ts'
import { type Reply, startTestApp, type TestApp, type TestCaller } from '../../../test/test-app.ts'
import { enterAward, settleDuePeriods } from '../awards/index.ts'
import { lockCashAccounts } from '../ledger/index.ts'
import { closePeriod } from '../markets/index.ts'
import { setQuota } from '../quotas/index.ts'
import { confirmOverdueOrders } from './life/confirm-overdue.ts'

let app: TestApp
let member: TestCaller
let agent: TestCaller
let office01: TestCaller
let office02: TestCaller
let period_code: string

beforeAll(async () => {
  app = await startTestApp()
  member = await app.logIn('member01')
  agent = await app.logIn('agent01')
  office01 = await app.logIn('office01')
  office02 = await app.logIn('office02')
  // 100 Baht at the full rate and 50 more at half on each three-digit number.
  const quota = { product_code: 'thai-government', full_satang: 10_000, half_satang: 5_000 }
  for (const bet_type of ['3top', '3roll'] as const) await setQuota(app.db, office01.user_id, { ...quota, bet_type })
})
beforeEach(async () => {
  period_code = await openPeriod(app.db)
})

const line = (number: string, baht: number, bet_type: '3top' | '3roll' = '3top', rate = rates70[bet_type]) => ({
  bet_type,
  number,
  bet_satang: baht * 100,
  rate,
})

function place(items: readonly ReturnType<typeof line>[], changes: object = {}, caller = member): Promise<Reply> {
  return caller.post('/api/order/create', { ...makeTicket(period_code), items: [...items], ...changes })
}

// oxlint-disable-next-line typescript/no-explicit-any
async function placeWaiting(): Promise<any> {
  // 100 of 120 Baht are accepted on the first line, all on the second.
  const { json } = await place([line('123', 120), line('456', 50)])
  expect(json.data.status).toBe('WAIT_CONFIRM')
  return json.data
}

async function credit(): Promise<{ held: number; remain: number }> {
  const { data } = (await member.get('/mgluser/user_data/credit_info')).json
  return { held: data.held_satang, remain: data.credit_remain_satang }
}

async function accepted(number: string, bet_type = '3top'): Promise<number> {
  const { rows } = await sql<{ accepted: number }>`
    select accepted_satang as accepted from number_quotas join periods using (period_id)
    where period_code = ${period_code} and bet_type = ${bet_type} and quota_key = ${number}`.execute(app.owner)
  return rows[0]?.accepted ?? 0
}

describe('accepting a line', () => {
  test('uses the full quota, then the half quota at half the rate, then nothing: one line has one rate', async () => {
    expect((await place([line('123', 60)])).json.data.status).toBe('CONFIRMED')
    const cut = (await place([line('123', 60)])).json.data
    expect([cut.status, cut.items[0].received_satang, cut.items[0].rate, cut.items[0].is_half_pay]).toEqual([
      'WAIT_CONFIRM',
      4_000,
      55_000,
      false,
    ])
    const half = (await place([line('123', 30)])).json.data
    expect([half.status, half.items[0].received_satang, half.items[0].rate, half.items[0].is_half_pay]).toEqual([
      'WAIT_CONFIRM',
      3_000,
      27_500,
      true,
    ])
    const last = (await place([line('123', 30), line('789', 10)])).json.data
    expect(last.items.map((item: { received_satang: number }) => item.received_satang)).toEqual([2_000, 1_000])
    expect((await place([line('123', 5)])).json.error.code).toBe('all_numbers_closed')
    const rest = (await place([line('123', 5), line('788', 10)])).json.data
    expect(rest.items.map((item: { is_closed: boolean; status: string }) => [item.is_closed, item.status])).toEqual([
      [true, 'closed'],
      [false, 'wait_confirm'],
    ])
    expect(await accepted('123')).toBe(15_000)
  })

  test('counts all orders of a roll as one number', async () => {
    await place([line('123', 60, '3roll')])
    const { data } = (await place([line('321', 60, '3roll')])).json
    expect(data.items[0].received_satang).toBe(4_000)
    expect(await accepted('123', '3roll')).toBe(10_000)
  })

  test('follows the office’s manual settings, and the board shows them', async () => {
    const set = (number: string, set_to: string) =>
      office01.post(`/api/admin/game_config/limit_number/${period_code}`, { bet_type: '3top', number, set_to })
    await set('111', 'closed')
    await set('222', 'half')
    await place([line('333', 85)])
    await place([line('444', 100)])
    const board = (await member.get(`/api/game_config/limit_number/${period_code}`)).json.data
    expect(board).toEqual([
      { bet_type: '3top', number: '111', state: 'grey', pays_half: false },
      { bet_type: '3top', number: '222', state: 'yellow', pays_half: true },
      { bet_type: '3top', number: '333', state: 'yellow', pays_half: false },
      // Its full quota is used up, so it is accepted at half the rate.
      { bet_type: '3top', number: '444', state: 'yellow', pays_half: true },
    ])
    expect((await place([line('111', 10)])).json.error.code).toBe('all_numbers_closed')
    expect((await place([line('222', 10)])).json.data.items[0]).toMatchObject({ rate: 27_500, is_half_pay: true })
    await set('111', 'open')
    expect((await place([line('111', 10)])).json.data.status).toBe('CONFIRMED')
  })

  test('of a bet type with a full quota of 0 marks every number, also those without bets', async () => {
    const quota = { product_code: 'thai-government', full_satang: 0 }
    const board = async (bet_type: string) =>
      (await member.get(`/api/game_config/limit_number/${period_code}`)).json.data
        .filter((row: { bet_type: string }) => row.bet_type === bet_type)
        .map((row: LimitNumber) => `${row.number} ${row.state}${row.pays_half ? ' half' : ''}`)
    await setQuota(app.db, office01.user_id, { ...quota, bet_type: '1bottom', half_satang: 5_000 })
    await setQuota(app.db, office01.user_id, { ...quota, bet_type: '2roll', half_satang: 0 })
    expect(await board('1bottom')).toEqual([...'0123456789'].map((digit) => `${digit} yellow half`))
    expect(await board('2roll')).toHaveLength(55)
    expect(await board('2roll')).toContain('07 grey')
    await sql`delete from quota_settings where bet_type in ('1bottom', '2roll')`.execute(app.owner)
    expect(await board('1bottom')).toEqual([])
  })

  test('cannot be set by members, and needs a number that the market has', async () => {
    const url = `/api/admin/game_config/limit_number/${period_code}`
    expect((await member.post(url, { bet_type: '3top', number: '111', set_to: 'closed' })).json.error.code).toBe(
      'not_allowed',
    )
    expect((await office01.post(url, { bet_type: '3top', number: '11', set_to: 'closed' })).json.error.code).toBe(
      'bad_number',
    )
    expect((await office01.post(url, { bet_type: '3top', number: '111', set_to: 'shut' })).json.error.code).toBe(
      'bad_input',
    )
  })
})

describe('a waiting ticket', () => {
  test('holds credit and quota until its deadline, which it shows', async () => {
    const before = await credit()
    const order = await placeWaiting()
    const net = 15_000 * 0.67
    expect(await credit()).toEqual({ held: before.held + net, remain: before.remain - net })
    expect(await accepted('123')).toBe(10_000)
    expect(order.tag).toBe('manually_confirm')
    expect(Date.parse(order.confirm_deadline_at) - Date.parse(order.steps[2].at)).toBeGreaterThan(29 * 60_000)
    const [latest] = (await member.get('/mgluser/profit/transaction_list?ipp=1')).json.data
    // The balance does not change while money is held: it is the sum of cash and held.
    expect(latest).toMatchObject({ kind: 'bet_hold', order_id: order.order_id, amount_satang: 0 })
  })

  test('is confirmed as a whole', async () => {
    const order = await placeWaiting()
    const before = await credit()
    const { data } = (await member.post(`/api/order/${order.order_id}/confirm`, { items: [] })).json
    expect([data.status, data.tag, data.received_satang]).toEqual(['CONFIRMED', null, 15_000])
    expect(data.events).toMatchObject([
      { event: 'confirm', actor: 'member01', from_status: 'WAIT_CONFIRM', to_status: 'CONFIRMED' },
    ])
    expect((await credit()).held).toBe(before.held - 10_050)
    expect((await credit()).remain).toBe(before.remain)
  })

  test('is confirmed item by item: a returned item gets bet 0 and is refunded', async () => {
    const before = await credit()
    const order = await placeWaiting()
    const items = [
      { line_no: 1, bet_satang: 0 },
      { line_no: 2, bet_satang: 5_000 },
    ]
    const { data } = (await member.post(`/api/order/${order.order_id}/confirm`, { items })).json
    expect(data).toMatchObject({ status: 'CONFIRMED', bet_satang: 5_000, received_satang: 5_000, net_satang: 3_350 })
    expect(data.items[0]).toMatchObject({ status: 'returned', asked_satang: 12_000, bet_satang: 0, received_satang: 0 })
    expect(await credit()).toEqual({ held: before.held, remain: before.remain - 3_350 })
    expect([await accepted('123'), await accepted('456')]).toEqual([0, 5_000])
  })

  test('of which every item is returned is cancelled', async () => {
    const before = await credit()
    const order = await placeWaiting()
    const items = [1, 2].map((line_no) => ({ line_no, bet_satang: 0 }))
    const { data } = (await member.post(`/api/order/${order.order_id}/confirm`, { items })).json
    expect([data.status, data.cancelled_by]).toEqual(['CANCELLED', 'member01'])
    expect(data).toMatchObject({ bet_satang: 0, received_satang: 0, net_satang: 0 })
    expect(data.items).toMatchObject([1, 2].map(() => ({ bet_satang: 0, received_satang: 0, status: 'returned' })))
    expect(await credit()).toEqual(before)
    expect(await accepted('123')).toBe(0)
  })

  test.each([
    ['another amount', [{ line_no: 1, bet_satang: 12_000 }]],
    ['an unknown line', [{ line_no: 3, bet_satang: 0 }]],
    [
      'a line twice',
      [
        { line_no: 1, bet_satang: 0 },
        { line_no: 1, bet_satang: 0 },
      ],
    ],
    ['a negative amount', [{ line_no: 1, bet_satang: -1 }]],
  ])('is not confirmed with %s', async (_name, items) => {
    const order = await placeWaiting()
    const before = await credit()
    expect((await member.post(`/api/order/${order.order_id}/confirm`, { items })).json.error.code).toBe('bad_input')
    expect(await credit()).toEqual(before)
  })

  test('is confirmed after 30 minutes; then nobody can confirm or cancel it by hand', async () => {
    const order = await placeWaiting()
    await sql`update orders set placed_at = placed_at - interval '31 min', confirm_deadline_at = confirm_deadline_at - interval '31 min'
      where order_id = ${order.order_id}`.execute(app.owner)
    const late = await member.post(`/api/order/${order.order_id}/confirm`, { items: [] }, 'en')
    expect([late.http, late.json.error.code, late.json.status.message]).toEqual([
      409,
      'confirm_over',
      refusals.confirm_over.en,
    ])
    expect((await member.post(`/api/order/${order.order_id}/cancel`, order)).json.error.code).toBe('confirm_over')
    expect(await confirmOverdueOrders(app.db)).toBe(1)
    expect(await confirmOverdueOrders(app.db)).toBe(0)
    const status = (await member.get(`/api/order/status/${order.order_id}`)).json.data
    expect(status).toMatchObject({
      status: 'CONFIRMED',
      tag: 'exceed_30_minutes',
      events: [{ event: 'expire', actor: null }],
    })
  })

  test('is confirmed at the close, early or not, and settled like any other', async () => {
    const order = await placeWaiting()
    await closePeriod(app.db, null, period_code, 'early')
    await holdDraw(app.owner, period_code)
    const result = { first_prize: '000123', top3: '123', bottom2: '00', front3: ['111', '222'], back3: ['333', '444'] }
    for (const caller of [office01, office02])
      await enterAward(app.db, caller.user_id, { period_code, date: dayOf(period_code), result })
    await settleDuePeriods(app.db)
    const { data } = (await member.get(`/api/order/${order.order_id}`)).json
    expect(data).toMatchObject({ status: 'CONFIRMED', tag: 'period_closed', win_satang: 100 * 55_000 })
  })
})

/** Both office users enter it: the period is ready to be settled. */
async function enterResult(): Promise<void> {
  await holdDraw(app.owner, period_code)
  const result = { first_prize: '000123', top3: '123', bottom2: '52', front3: ['431', '176'], back3: ['014', '449'] }
  for (const { user_id } of [office01, office02])
    await enterAward(app.db, user_id, { period_code, date: dayOf(period_code), result })
}

describe('cancelling', () => {
  test('a waiting ticket refunds everything', async () => {
    const before = await credit()
    const order = await placeWaiting()
    const { data } = (await member.post(`/api/order/${order.order_id}/cancel`, order)).json
    expect([data.status, data.items[0].status]).toEqual(['CANCELLED', 'refunded'])
    expect(await credit()).toEqual(before)
    expect((await member.post(`/api/order/${order.order_id}/cancel`, data)).json.error.code).toBe('invalid_status')
    expect((await member.post(`/api/order/${order.order_id}/confirm`, { items: [] })).json.error.code).toBe(
      'invalid_status',
    )
  })

  test('a confirmed ticket refunds it inside the window, and frees the quota', async () => {
    const before = await credit()
    const order = (await place([line('123', 100)])).json.data
    const { data } = (await member.post(`/api/order/${order.order_id}/cancel`, order)).json
    expect(data).toMatchObject({
      status: 'CANCELLED',
      received_satang: 10_000,
      events: [{ event: 'cancel', actor: 'member01' }],
    })
    expect(await credit()).toEqual(before)
    expect(await accepted('123')).toBe(0)
    const kinds = (await member.get('/mgluser/profit/transaction_list?ipp=2')).json.data.map(
      (row: { kind: string }) => row.kind,
    )
    expect(kinds).toEqual(['refund', 'bet'])
  })

  test('is refused after 30 minutes, in the last five before the close, and after ten in a period', async () => {
    const old = (await place([line('001', 10)])).json.data
    await sql`update orders set placed_at = placed_at - interval '30 min' where order_id = ${old.order_id}`.execute(
      app.owner,
    )
    expect((await member.post(`/api/order/${old.order_id}/cancel`, old)).json.error.code).toBe('cancel_window_over')
    for (let each = 0; each < 10; each += 1) {
      const order = (await place([line('002', 10)])).json.data
      expect((await member.post(`/api/order/${order.order_id}/cancel`, order)).http).toBe(200)
    }
    const eleventh = (await place([line('003', 10)])).json.data
    expect((await member.post(`/api/order/${eleventh.order_id}/cancel`, eleventh)).json.error.code).toBe(
      'too_many_cancelled',
    )
    period_code = await openPeriod(app.db, 'thai-government', 4 * 60_000)
    const late = (await place([line('004', 10)])).json.data
    expect((await member.post(`/api/order/${late.order_id}/cancel`, late)).json.error.code).toBe('too_close_to_close')
  })

  test('is allowed to the member alone, and refused where the screen shows an outdated status', async () => {
    const order = await placeWaiting()
    const url = `/api/order/${order.order_id}/cancel`
    expect((await agent.post(url, order)).json.error.code).toBe('not_allowed')
    expect((await (await app.logIn('member02')).post(url, order)).json.error.code).toBe('not_found')
    expect((await member.post(url, { ...order, status: 'CONFIRMED' })).json.error).toMatchObject({
      code: 'invalid_status',
      details: { status: 'WAIT_CONFIRM' },
    })
    expect((await member.post(url, { ...order, order_id: 5 })).json.error.code).toBe('bad_input')
  })
})

describe('deleting', () => {
  test('by an upline or the office refunds, and stays visible to the member with its reason', async () => {
    const before = await credit()
    for (const caller of [agent, office01]) {
      const order = (await place([line('123', 100)])).json.data
      const url = `/api/order/${order.order_id}/delete`
      expect((await caller.post(url, { reason: 'x' })).json.error.code).toBe('bad_input')
      expect((await caller.post(url, { reason: 'wrong member' })).json.data.status).toBe('DELETED')
      expect((await caller.post(url, { reason: 'wrong member' })).json.error.code).toBe('invalid_status')
      const shown = (await member.get(`/api/order/${order.order_id}`)).json.data
      expect(shown).toMatchObject({
        status: 'DELETED',
        received_satang: 10_000,
        events: [{ event: 'delete', reason: 'wrong member' }],
      })
      for (const viewer of [member, agent]) {
        const [latest] = (await viewer.get('/api/bill/listDeletedBills')).json.data
        expect(latest.order_id).toBe(order.order_id)
      }
    }
    expect(await credit()).toEqual(before)
    const stranger = await app.logIn('member02')
    expect((await stranger.get('/api/bill/listDeletedBills')).json.data).toEqual([])
  })

  test('is refused to the member, and after the close', async () => {
    const order = (await place([line('123', 100)])).json.data
    expect((await member.post(`/api/order/${order.order_id}/delete`, { reason: 'mine' })).json.error.code).toBe(
      'not_allowed',
    )
    await closePeriod(app.db, null, period_code, 'early')
    for (const caller of [agent, office01])
      expect((await caller.post(`/api/order/${order.order_id}/delete`, { reason: 'late' })).json.error.code).toBe(
        'use_void',
      )
  })
})

describe('the cancel rules of a market', () => {
  const url = '/api/admin/product/thai-government/cancel_rules'
  const cancel = async () => {
    const order = (await place([line('357', 5)])).json.data
    return (await member.post(`/api/order/${order.order_id}/cancel`, order)).json.error?.code
  }

  test('are set by the office, market by market, and apply at once', async () => {
    expect(await cancel()).toBeUndefined()
    expect((await member.post(url, { reason: 'mine', max_tickets: 99 })).json.error.code).toBe('not_allowed')
    expect((await office01.post(url, { reason: 'nothing' })).json.error.code).toBe('bad_input')
    const changed = (await office01.post(url, { reason: 'fewer', max_tickets: 1 })).json.data
    expect(changed.cancel_rules).toEqual({ window_minutes: 30, max_tickets: 1, before_close_minutes: 5 })
    const { data: products } = (await member.get('/api/products')).json
    expect(products.find((each: Product) => each.product_code === 'thai-government')).toEqual(changed)
    expect(await cancel()).toBe('too_many_cancelled')
    await office01.post(url, { reason: 'none', max_tickets: 10, before_close_minutes: 1_440 })
    expect(await cancel()).toBe('too_close_to_close')
    await office01.post(url, { reason: 'as before', window_minutes: 0, before_close_minutes: 5 })
    expect(await cancel()).toBe('cancel_window_over')
    await office01.post(url, { reason: 'as before', window_minutes: 30 })
    expect(await cancel()).toBeUndefined()
    const { rows } = await sql<{ before: object; after: object; reason: string }>`
      select before, after, reason from audit_log where action = 'change_cancel_rules' order by audit_id limit 1`.execute(
      app.owner,
    )
    expect(rows[0]).toMatchObject({ before: { max_tickets: 10 }, after: { max_tickets: 1 }, reason: 'fewer' })
  })
})

test('a ticket that waits in a period that is closed early waits until the close, and shows it', async () => {
  const order = await placeWaiting()
  const period = (await office01.post(`/api/admin/period/${period_code}/close`, { reason: 'early' })).json.data
  const now = (await member.get(`/api/order/status/${order.order_id}`)).json.data
  expect(now).toMatchObject({ tag: 'period_closed', confirm_deadline_at: period.close_at })
  expect(app.deadlines.at(-1)?.toISOString()).toBe(period.close_at)
})

test.each(['     ', ' a ', 'ab ', '\u00a0\u00a0ab'])('a reason of %j is refused', async (reason) => {
  const { order_id } = await placeWaiting()
  for (const action of ['delete', 'void'])
    expect((await office01.post(`/api/order/${order_id}/${action}`, { reason })).json.error.code).toBe('bad_input')
})

describe('voiding', () => {
  test('after the close takes two different office users', async () => {
    const before = await credit()
    const order = (await place([line('123', 100)])).json.data
    const url = `/api/order/${order.order_id}/void`
    expect((await office01.post(url, { reason: 'too early' })).json.error.code).toBe('period_still_open')
    await closePeriod(app.db, null, period_code, 'early')
    expect((await agent.post(url, { reason: 'mine' })).json.error.code).toBe('not_allowed')
    expect((await office01.post(url, { reason: 'broken line' })).json.data.state).toBe('requested')
    expect((await office01.post(url, { reason: 'broken line' })).json.error.code).toBe('void_same_person')
    // Until then its member does not see the void.
    expect((await member.get(`/api/order/${order.order_id}`)).json.data).toMatchObject({
      status: 'CONFIRMED',
      events: [],
    })
    expect((await office02.post(url, { reason: 'seen too' })).json.data.state).toBe('voided')
    expect((await office02.post(url, { reason: 'again' })).json.error.code).toBe('invalid_status')
    const shown = (await member.get(`/api/order/${order.order_id}`)).json.data
    expect(shown).toMatchObject({
      status: 'DELETED',
      events: [
        { event: 'void_request', actor: 'office01', reason: 'broken line', to_status: 'CONFIRMED' },
        { event: 'void', actor: 'office02', reason: 'seen too', to_status: 'DELETED' },
      ],
    })
    expect(await credit()).toEqual(before)
  })

  test('waits in the list of the office until a second user approves, or it is no longer possible', async () => {
    const order = (await place([line('123', 100)])).json.data
    const settled = (await place([line('124', 100)])).json.data
    await closePeriod(app.db, null, period_code, 'early')
    const list = async (caller: TestCaller) => (await caller.get('/api/order/void_requests')).json.data
    const of = (rows: VoidRequest[]) => rows.filter((row) => row.order.period.period_code === period_code)
    expect(of(await list(office01))).toEqual([])
    for (const { order_id } of [order, settled])
      await office01.post(`/api/order/${order_id}/void`, { reason: 'broken line' })
    for (const office of [office01, office02]) {
      const rows = of(await list(office))
      expect(rows.map((row) => row.order.order_id)).toEqual([order.order_id, settled.order_id])
      expect(rows[0]).toMatchObject({ requested_by: 'office01', reason: 'broken line', order: { status: 'CONFIRMED' } })
    }
    await office02.post(`/api/order/${order.order_id}/void`, { reason: 'seen too' })
    expect(of(await list(office02)).map((row) => row.order.order_id)).toEqual([settled.order_id])
    await enterResult()
    await settleDuePeriods(app.db)
    expect(of(await list(office02))).toEqual([])
    for (const caller of [member, agent])
      expect((await caller.get('/api/order/void_requests')).json.error.code).toBe('not_allowed')
  })

  test('cannot be approved by the same person even by SQL', async () => {
    const order = (await place([line('123', 100)])).json.data
    await closePeriod(app.db, null, period_code, 'early')
    await office01.post(`/api/order/${order.order_id}/void`, { reason: 'broken line' })
    const forged =
      sql`update void_requests set approved_by = requested_by, approved_at = clock_timestamp() where order_id = ${order.order_id}`.execute(
        app.owner,
      )
    await expect(forged).rejects.toMatchObject({ constraint: 'voids_need_two_people' })
  })
})

test('the database itself refuses to oversell a quota, and the app’s role to rewrite history', async () => {
  await place([line('123', 100)])
  const oversell = sql`select add_to_quotas(${period_code}, '{3top}', '{1}', array['{24}'], array['{15001}'], false)`
  await expect(oversell.execute(app.db)).rejects.toMatchObject({ constraint: 'quota_never_oversold' })
  for (const statement of ['delete from order_events', 'update order_events set reason = null'])
    await expect(sql.raw(statement).execute(app.db)).rejects.toMatchObject({ code: '42501' })
})

test('afterwards every invariant of money holds', async () => {
  expect(await findBrokenInvariants(app.owner)).toEqual({})
})

test('settling a period does not deadlock with a batch that has two of its members', async () => {
  // The member whose ticket waits has the account with the higher id; the winner has the lower one.
  const later = await app.logIn('member02')
  expect((await place([line('123', 10)])).json.data.status).toBe('CONFIRMED')
  expect((await place([line('456', 120)], {}, later)).json.data.status).toBe('WAIT_CONFIRM')
  await closePeriod(app.db, null, period_code, 'test')
  await enterResult()
  const settling: Promise<number>[] = []
  await app.db.transaction().execute(async (tx) => {
    await lockCashAccounts(tx, [member.user_id])
    settling.push(settleDuePeriods(app.db))
    await vi.waitUntil(async () => {
      const { rows } = await sql`
        select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
        app.owner,
      )
      return rows.length > 0
    })
    await lockCashAccounts(tx, [later.user_id])
  })
  expect(await settling[0]).toBe(1)
  expect(await findBrokenInvariants(app.owner)).toEqual({})
})

test('of fifteen tickets cancelled at the same time exactly ten are cancelled', async () => {
  const tickets = []
  for (let each = 0; each < 15; each += 1) tickets.push((await place([line('789', 5)])).json.data)
  const replies = await Promise.all(
    tickets.map((ticket) => member.post(`/api/order/${ticket.order_id}/cancel`, ticket)),
  )
  const codes = replies.map(({ json }): string => json.error?.code ?? json.data.status).toSorted()
  expect(codes).toEqual([...Array(10).fill('CANCELLED'), ...Array(5).fill('too_many_cancelled')])
})
