// A ticket is accepted exactly as sent, or refused with a reason in both languages and nothing written.

import { randomUUID } from 'node:crypto'
import { refusals, type RefusalCode } from '@megalot/contract'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { changeAs } from '../../test/changes.ts'
import { createPeriod } from '../markets/index.ts'
import { bangkokDayOf } from '../lib/bangkok.ts'
import { findViolatedInvariants } from '../../test/invariants.ts'
import {
  codeOf,
  countWrites,
  dayOf,
  makeLine,
  makeTicket,
  openPeriod,
  placeTicket,
  readCredit,
  readOrder,
} from '../../test/scenes.ts'
import { startTestApp } from '../../test/test-app.ts'

let period_code: string

const app = await startTestApp()
const member = await app.logIn('member01')
const poor = await app.logIn('member03')
beforeEach(async () => {
  period_code = await openPeriod(app.owner)
})

describe('placing a ticket', () => {
  test('debits the net, writes the terms on the items, and shows it everywhere', async () => {
    const before = await readCredit(member)
    const items = [makeLine('3top', '895', 10), makeLine('2roll', '55', 7), makeLine('1bottom', '0', 15)]
    const body = makeTicket(period_code, { items, note: 'แม่บ้าน' })
    const { http, json } = await member.post('/api/order/create', body)
    expect(http).toBe(200)
    // 33 % of 10.00, 28 % of 7.00, 12 % of 15.00
    expect(json.data).toMatchObject({
      status: 'CONFIRMED',
      note: 'แม่บ้าน',
      bet_satang: 3_200,
      received_satang: 3_200,
      discount_satang: 330 + 196 + 180,
      net_satang: 3_200 - 706,
      win_satang: 0,
    })
    expect(json.data.items.map((item) => [item.rate, item.status])).toEqual([
      [55_000, 'awaiting_result'],
      [1_200, 'awaiting_result'],
      [400, 'awaiting_result'],
    ])
    expect(json.data.steps.map((step) => step.step)).toEqual(['check_ticket', 'check_quota', 'create_ticket'])

    const after = await readCredit(member)
    expect(before.credit_remain_satang - after.credit_remain_satang).toBe(2_494)
    const { order_id } = json.data
    expect(json.data).toMatchObject({ id: order_id, request_id: body.request_id, period_code, confirmList: [] })
    expect(await readOrder(member, { order_id })).toEqual(json.data)
    expect((await member.get(`/api/order/request_id/${body.request_id}`)).json.data.order_id).toBe(order_id)
    for (const url of [
      `/api/order/period?period_code=${period_code}&page=0&ipp=15&v=2`,
      `/api/order?period_code=${period_code}`,
    ] as const)
      expect((await member.get(url)).json.data.map((each) => each.order_id)).toEqual([order_id])
    const [latest] = (await member.get('/mgluser/profit/transaction_list?ipp=1')).json.data
    expect(latest).toMatchObject({ kind: 'bet', order_id, amount_satang: -2_494, balance_satang: after.balance_satang })
  })

  test.each(['a1b2c3d4', 'LINE-2569_01', '-'.repeat(64), randomUUID().toUpperCase()])(
    'the request_id %s names a ticket, and in another case another ticket',
    async (request_id) => {
      const body = makeTicket(period_code, { request_id })
      const { order_id } = await placeTicket(member, body)
      expect((await placeTicket(member, body)).order_id).toBe(order_id)
      const found = (await member.get(`/api/order/request_id/${request_id}`)).json.data
      expect(found).toMatchObject({ order_id, request_id })
      const other = request_id.toLowerCase() === request_id ? request_id.toUpperCase() : request_id.toLowerCase()
      if (other === request_id) return
      expect((await placeTicket(member, { ...body, request_id: other })).order_id).not.toBe(order_id)
    },
  )

  test('a request_id is unique per member: another member may use the same one', async () => {
    const body = makeTicket(period_code)
    const { json } = await member.post('/api/order/create', body)
    const stranger = await app.logIn('member02')
    expect((await stranger.get(`/api/order/request_id/${body.request_id}`)).json.error.code).toBe('not_found')
    expect((await stranger.post('/api/order/create', body)).json.data.order_id).not.toBe(json.data.order_id)
  })

  test('limits per number apply to the whole period and all orders of a roll', async () => {
    const own = await openPeriod(app.owner, 'gsb')
    await app.asOwner`update package_terms set max_per_number_satang = 300_000 from packages
      where packages.package_id = package_terms.package_id and product_code = 'gsb' and bet_type = '3roll'`
    const roll = async (number: string, baht: number) =>
      codeOf(await member.post('/api/order/create', makeTicket(own, { items: [makeLine('3roll', number, baht)] })))
    expect(await roll('123', 2_000)).toBe('ok')
    expect(await roll('321', 1_001)).toBe('over_max_per_number')
    expect(await roll('321', 1_000)).toBe('ok')
    expect(await roll('213', 5)).toBe('over_max_per_number')
  })
})

describe('refusals', () => {
  const line = { bet_type: '3top', number: '123', bet_satang: 1_000, rate: 55_000 } as const
  const withLine = (changes: object) => ({ items: [{ ...line, ...changes }] })

  /** The problem, the changes that cause it, and the code of the refusal. */
  const cases: [string, object, RefusalCode][] = [
    ['unknown period', { period_code: 'thai-government-19990101' }, 'unknown_period'],
    ['unknown market', { period_code: 'no-such-market-20300101' }, 'unknown_period'],
    ['unknown package', { package_code: '99' }, 'no_package'],
    ['no items', { items: [] }, 'no_number'],
    ['Thai digits in a number', withLine({ number: '๑๒๓' }), 'bad_number'],
    ['too few digits', withLine({ number: '12' }), 'too_few_digits'],
    ['too many digits', withLine({ number: '1234' }), 'bad_number'],
    ['negative amount', withLine({ bet_satang: -1_000 }), 'bad_amount'],
    ['fraction of a satang', withLine({ bet_satang: 1_000.5 }), 'bad_amount'],
    ['fraction of a Baht', withLine({ bet_satang: 1_050 }), 'bad_amount'],
    ['nothing staked', withLine({ bet_satang: 0 }), 'zero_total'],
    ['under the minimum', withLine({ bet_satang: 400 }), 'under_min'],
    ['over the maximum', withLine({ bet_satang: 300_100 }), 'over_max'],
    [
      'over the credit',
      { items: Array.from({ length: 26 }, (_, i) => ({ ...line, number: String(100 + i), bet_satang: 300_000 })) },
      'not_enough_credit',
    ],
    [
      'too many items',
      { items: Array.from({ length: 501 }, (_, i) => ({ ...line, number: String(i).padStart(3, '0') })) },
      'too_many_items',
    ],
    ['unknown bet type', withLine({ bet_type: '4top' }), 'bad_input'],
  ]

  test.each(cases)('%s', async (_name, changes, code) => {
    const before = await countWrites(app.owner)
    for (const language of ['th', 'en'] as const) {
      const { http, json } = await poor.post('/api/order/create', { ...makeTicket(period_code), ...changes }, language)
      expect(json.error?.code).toBe(code)
      expect(http).toBe(refusals[code].http)
      expect(json.status).toEqual({ code: http, message: expect.stringContaining(refusals[code][language]) })
    }
    expect(await countWrites(app.owner)).toEqual(before)
  })

  test('a bet type the market does not offer', async () => {
    const lao = await openPeriod(app.owner, 'lao-vip')
    const { json } = await member.post('/api/order/create', { ...makeTicket(lao), ...withLine({ bet_type: '3front' }) })
    expect(json.error.code).toBe('bet_type_not_offered')
  })

  test('before the opening, and after an early close', async () => {
    const office = await app.logIn('office01')
    const later = new Date(Date.now() + 48 * 3_600_000).toISOString()
    // A market of rounds: elsewhere a period must fit the day of the timetable, and the test would depend on today's.
    const upcoming = await changeAs(
      app.owner,
      office.user_id,
      createPeriod,
      {
        product_code: 'yeekee',
        period_date: bangkokDayOf(new Date(later)),
        round: 99,
        open_at: new Date(Date.now() + 24 * 3_600_000).toISOString(),
        close_at: later,
        draw_at: later,
      },
      'approved',
    )
    const tooEarly = await member.post('/api/order/create', makeTicket(upcoming!))
    expect(tooEarly.json.error.code).toBe('period_not_open')
    expect((await member.post('/api/order/create', makeTicket(period_code))).http).toBe(200)
    expect((await office.post(`/api/admin/period/${period_code}/close`, { reason: 'irregular draw' })).http).toBe(200)
    expect((await member.post('/api/order/create', makeTicket(period_code))).json.error.code).toBe('period_closed')
  })

  test('for a market that is switched off', async () => {
    const enable = (is_enabled: boolean) =>
      app.asOwner`update products set is_enabled = ${is_enabled} where product_code = 'thai-government'`
    onTestFinished(async () => void (await enable(true)))
    await enable(false)
    expect((await member.post('/api/order/create', makeTicket(period_code))).json.error).toEqual({
      code: 'product_disabled',
      details: { status: 'INVALID' },
    })
  })

  test('after settlement', async () => {
    const settled = 'thai-government-20251216'
    expect((await member.post('/api/order/create', makeTicket(settled))).json.error.code).toBe('period_closed')
    expect(dayOf(settled)).toBe('2025-12-16')
  })

  test('a member who may not bet, and one whose agent may not', async () => {
    const quiet = await app.logIn('member04')
    const setStatus = (username: string, own_status: string) =>
      app.asOwner`update users set own_status = ${own_status} where username = ${username}`
    onTestFinished(async () => {
      for (const username of ['member04', 'agent01']) await setStatus(username, 'NORMAL')
    })
    await setStatus('member04', 'DISABLED_BET')
    expect((await quiet.post('/api/order/create', makeTicket(period_code))).json.error).toEqual({
      code: 'bet_disabled',
      details: { status: 'INVALID' },
    })
    await setStatus('member04', 'NORMAL')
    await setStatus('agent01', 'DISABLED_BET')
    expect((await quiet.post('/api/order/create', makeTicket(period_code))).json.error.code).toBe('bet_disabled')
    await setStatus('agent01', 'NORMAL')
    expect((await quiet.post('/api/order/create', makeTicket(period_code))).http).toBe(200)
  })

  test('a member without a package of the market', async () => {
    const other = await app.logIn('member05')
    await app.asOwner`delete from user_packages where user_id = ${other.user_id}
      and package_id in (select package_id from packages where product_code = 'thai-government')`
    expect((await other.post('/api/order/create', makeTicket(period_code))).json.error.code).toBe('no_package')
    const list = (await other.get('/api/lotto/listProductPeriod')).json.data.products
    expect(list.find((each) => each.product_code === 'thai-government')?.has_package).toBe(false)
  })
})

test('afterwards every invariant of money holds', async () => {
  expect(await findViolatedInvariants(app.owner)).toEqual({})
})
