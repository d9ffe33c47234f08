// Goal: a result takes two people who agree, and a settled period pays every winner exactly once.

import { closeEarly } from '../../test/changes.ts'
import { randomUUID } from 'node:crypto'
import { type BetTypeCode, betTypeCodes, betTypeByCode } from '@megalot/rules'
import { sql } from 'kysely'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { countRead } from '../../test/count-read.ts'
import { findViolatedInvariants } from '../../test/invariants.ts'
import {
  agreeOnResult,
  dayOf,
  holdDraw,
  limitNumbers,
  makeLine,
  makeTicket,
  openPeriod,
  placeTicket,
  placeWaitingTicket,
  rates70,
} from '../../test/scenes.ts'
import { startTestApp, type TestCaller } from '../../test/test-app.ts'
import type { Db } from '../postgres/db.ts'
import { getPeriodRecord } from '../markets/index.ts'
import { listProductAwards, resetAward } from './awards.service.ts'
import { settleDuePeriods, settlementJob, settlePeriod } from './settlement.service.ts'
import { runTicketJob, runTicketStep } from './ticket-steps.ts'

const result = { first_prize: '763895', top3: '895', bottom2: '52', front3: ['431', '176'], back3: ['014', '449'] }

let period_code: string

const app = await startTestApp()
const office01 = await app.logIn('office01')
const office02 = await app.logIn('office02')
const member = await app.logIn('member01')
beforeEach(async () => {
  period_code = await openPeriod(app.owner)
})

const enter = (caller: TestCaller, changes: object = {}, date = dayOf(period_code)) =>
  caller.post(`/api/award?date=${date}`, { period_code, result: { ...result, ...changes } })

/** Closes the period and moves its draw to this moment. */
async function close(): Promise<void> {
  await closeEarly(app.db, period_code)
  await holdDraw(app.owner, period_code)
}

async function outcome(): Promise<string> {
  return (await getPeriodRecord(app.db, period_code)).outcome
}

async function agree(): Promise<number> {
  await closeEarly(app.db, period_code)
  await agreeOnResult(app, period_code, result)
  return (await getPeriodRecord(app.db, period_code)).period_id
}

describe('entering a result', () => {
  test('takes two different office users who agree; the order of front and back numbers does not matter', async () => {
    await close()
    expect((await enter(office01)).json.data).toEqual({ period_code, state: 'entered' })
    expect((await enter(office01)).json.error.code).toBe('award_same_person')
    expect((await enter(office02, { front3: ['176', '431'] })).json.data.state).toBe('agreed')
    expect((await enter(office01)).json.error.code).toBe('award_exists')
  })

  test('that differs from the first locks the period until it is reset with a reason', async () => {
    await close()
    await enter(office01)
    expect((await enter(office02, { bottom2: '25' })).json.error.code).toBe('award_locked')
    expect((await enter(office01)).json.error.code).toBe('award_locked')
    expect((await enter(office02)).json.error.code).toBe('award_locked')
    expect(await outcome()).toBe('pending')
    await resetAward(app.db, { actor_id: office01.user_id }, period_code, 'typing error')
    expect((await enter(office01)).json.data.state).toBe('entered')
    expect((await enter(office02)).json.data.state).toBe('agreed')
  })

  // Defect: both see no entry yet: two entries, and nobody has agreed to either.
  test('by both at once is one entry and one agreement', async () => {
    await close()
    const replies = await Promise.all([enter(office01), enter(office02)])
    expect(replies.map(({ json }) => json.data?.state).toSorted()).toEqual(['agreed', 'entered'])
  })

  test('is refused while bets are accepted, for another day, and for a settled period', async () => {
    expect((await enter(office01)).json.error.code).toBe('period_still_open')
    await close()
    expect((await enter(office01, {}, '2029-01-01')).json.error.code).toBe('award_wrong_date')
    const settled = { period_code: 'thai-government-20251216', result }
    expect((await office01.post('/api/award?date=2025-12-16', settled)).json.error.code).toBe('award_exists')
  })

  test('is refused before the draw, also where betting has ended early', async () => {
    await closeEarly(app.db, period_code)
    const { json, http } = await enter(office01)
    const { draw_at } = await getPeriodRecord(app.db, period_code)
    expect([http, json.error]).toEqual([409, { code: 'award_too_early', details: { draw_at: draw_at.toISOString() } }])
    await holdDraw(app.owner, period_code)
    expect((await enter(office01)).json.data.state).toBe('entered')
  })

  test('cannot be written before the draw even by SQL', async () => {
    await closeEarly(app.db, period_code)
    const forge = () =>
      app.asOwner`insert into awards (period_id, state, result, entered_by)
        select period_id, 'entered', '{"top3":"123","bottom2":"45"}', ${office01.user_id} from periods
        where period_code = ${period_code}`
    await expect(forge()).rejects.toMatchObject({ constraint: 'awards_after_draw' })
    await holdDraw(app.owner, period_code)
    await forge()
  })
})

// Defect: three and two digits were typed beside the number that was announced, and could differ from it.
describe('a published number', () => {
  const send = (caller: TestCaller, entry: object) =>
    caller.post(`/api/award?date=${dayOf(period_code)}`, { period_code, result: entry as typeof result })
  const correct = (caller: TestCaller, entry: object) =>
    caller.post('/api/award/correct', { period_code, result: entry as typeof result, reason: 'misread' })

  test.each([
    ['lao-pattana', '763895', '38', true],
    ['lao-vip', '63895', '38', true],
    ['hanoi-vip', '63895', '52', false],
    ['malay', '3895', '38', true],
  ])('of %s, %s, is entered by both, never with other digits, and is shown', async (...row) => {
    const [product_code, first_prize, bottom2, hasBottom2] = row
    const right = { first_prize, top3: '895', bottom2 }
    period_code = await openPeriod(app.owner, product_code)
    await close()
    const wrong = [
      { ...right, top3: '896' },
      { ...right, first_prize: `${first_prize}12` },
      { top3: '895', bottom2 },
    ]
    if (hasBottom2) wrong.push({ ...right, bottom2: '39' })
    for (const entry of wrong) expect((await send(office01, entry)).json.error.code).toBe('award_bad_result')
    for (const caller of [office01, office02]) expect((await send(caller, right)).http).toBe(200)
    await settleDuePeriods(app.db)
    const findShown = async () => (await member.get(`/api/award?product_code=${product_code}`)).json.data[0]
    expect(await findShown()).toMatchObject({ period: { period_code }, result: right })

    const other = { ...right, first_prize: first_prize.replace('895', '896'), top3: '896' }
    expect((await correct(office01, { ...other, top3: '895' })).json.error.code).toBe('award_bad_result')
    for (const caller of [office01, office02]) expect((await correct(caller, other)).http).toBe(200)
    await settleDuePeriods(app.db)
    expect(await findShown()).toMatchObject({ result: other, corrected_from: right })
  })

  test('is refused for a market that publishes none', async () => {
    period_code = await openPeriod(app.owner, 'egypt')
    await close()
    const entry = { first_prize: '3895', top3: '895', bottom2: '38' }
    expect((await send(office01, entry)).json.error.code).toBe('award_bad_result')
  })
})

describe('settlement', () => {
  const winning: Readonly<Record<BetTypeCode, string>> = {
    '3top': '895',
    '3roll': '589',
    '3front': '431',
    '3bottom': '014',
    '2top': '95',
    '2bottom': '52',
    '2roll': '58',
    '1top': '9',
    '1bottom': '2',
  }
  const items = betTypeCodes.map((bet_type) => makeLine(bet_type, winning[bet_type], 10))
  const paid = betTypeCodes.reduce((sum, bet_type) => sum + 10 * rates70[bet_type], 0)

  async function placeOne(): Promise<number> {
    return (await placeTicket(member, makeTicket(period_code, { items }))).order_id
  }

  async function paidOn(order_id: number): Promise<number> {
    const { rows } = await app.asOwner<{ paid: number }>`
      select coalesce(sum(postings.amount_satang), 0)::bigint as paid from entries join postings using (entry_id) join accounts using (account_id)
      where entries.kind = 'win' and accounts.kind = 'cash' and order_id = ${order_id}`
    return rows[0]!.paid
  }

  test('pays each bet type its rate, and shows no partial result before', async () => {
    const order_id = await placeOne()
    const period_id = await agree()
    const waiting = (await member.get(`/api/order/${order_id}`)).json.data
    expect(new Set(waiting.items.map((item) => item.status))).toEqual(new Set(['awaiting_result']))
    await settlePeriod(app.db, period_id)
    const settled = (await member.get(`/api/order/${order_id}`)).json.data
    expect(settled.win_satang).toBe(paid)
    for (const item of settled.items)
      expect([item.status, item.win_satang]).toEqual(['won', 10 * rates70[item.bet_type]])
    expect(await paidOn(order_id)).toBe(paid)
    expect(await outcome()).toBe('settled')
  })

  // Defect: a step that ran already runs again, and the winners of its tickets are paid twice.
  test('repeated, concurrent, or resumed after an interruption pays once', async () => {
    const order_ids: number[] = []
    for (let each = 0; each < 12; each += 1) order_ids.push(await placeOne())
    const period_id = await agree()
    // Stopped after two steps of three tickets.
    expect(await runTicketStep(app.db, period_id, settlementJob(period_id), 3)).toBe(false)
    expect(await runTicketStep(app.db, period_id, settlementJob(period_id), 3)).toBe(false)
    expect(await paidOn(order_ids[5]!)).toBe(paid)
    expect(await paidOn(order_ids[6]!)).toBe(0)
    // No partial result is visible.
    expect((await member.get(`/api/order/${order_ids[0]}`)).json.data.win_satang).toBe(0)
    await Promise.all([
      settlePeriod(app.db, period_id, 2),
      settlePeriod(app.db, period_id, 5),
      settleDuePeriods(app.db),
    ])
    await settlePeriod(app.db, period_id)
    for (const order_id of order_ids) expect(await paidOn(order_id)).toBe(paid)
    expect(await findViolatedInvariants(app.owner)).toEqual({})
  })

  // Defect: the book was sealed again, under the exclusive lock of the period, after each hundred tickets that had waited.
  test('confirms all tickets that wait, and then seals the book once', async () => {
    await limitNumbers(app.db, '3top', 0, 200_000, 'lao-vip')
    period_code = await openPeriod(app.owner, 'lao-vip')
    const items = [makeLine('3top', '123', 10), makeLine('2top', '95', 10)]
    // Ten of each member wait at most.
    const members = [member]
    for (let each = 2; each <= 11; each += 1) members.push(await app.logIn(`member${String(each).padStart(2, '0')}`))
    for (let each = 0; each < 101; each += 1)
      await placeWaitingTicket(members[each % 11]!, makeTicket(period_code, { items, request_id: randomUUID() }))
    await closeEarly(app.db, period_code)
    await agreeOnResult(app, period_code, { first_prize: '3895', top3: '895', bottom2: '38' })
    const { period_id } = await getPeriodRecord(app.db, period_code)
    const job = settlementJob(period_id)
    let prepared = 0
    const prepare = async (db: Db) => {
      prepared += 1
      await job.prepare!(db)
    }
    await runTicketJob(app.db, period_id, { ...job, prepare })
    expect(prepared).toBe(1)
    const { rows } = await app.asOwner<object>`
      select status, count(*)::int, count(*) filter (where win_satang > 0)::int as won from orders
      where period_id = ${period_id} group by status`
    expect(rows).toEqual([{ status: 'CONFIRMED', count: 101, won: 101 }])
    expect(await findViolatedInvariants(app.owner)).toEqual({})
  })

  test('of a period with no winner, or no ticket, finishes', async () => {
    await placeTicket(member, makeTicket(period_code))
    await settlePeriod(app.db, await agree())
    expect(await outcome()).toBe('settled')
  })

  test('is refused without an agreed award', async () => {
    await close()
    const { period_id } = await getPeriodRecord(app.db, period_code)
    await expect(settlePeriod(app.db, period_id)).rejects.toThrow('without an agreed award')
    expect(await outcome()).toBe('pending')
  })

  test('follows 3bottom where a market counts front numbers as well', async () => {
    const setRule = (rule: string) =>
      app.asOwner`update products set bottom3_set = ${rule} where product_code = 'thai-government'`
    onTestFinished(async () => void (await setRule('back')))
    await setRule('front+back')
    period_code = await openPeriod(app.owner)
    // The period keeps the rule under which it was created.
    await setRule('back')
    const ticket = makeTicket(period_code, { items: [makeLine('3bottom', '176', 10)] })
    const { order_id } = await placeTicket(member, ticket)
    await settlePeriod(app.db, await agree())
    expect(await paidOn(order_id)).toBe(125_000)
    expect(betTypeByCode['3bottom'].wins('176', result)).toBe(false)
  })

  test('of one period that fails does not block the others', async () => {
    const broken = await agree()
    await app.asOwner`alter table awards disable trigger guard_award`
    await app.asOwner`update awards set state = 'locked' where period_id = ${broken}`
    period_code = await openPeriod(app.owner)
    await agree()
    await expect(settleDuePeriods(app.db)).rejects.toThrow('1 periods could not be settled')
    expect(await outcome()).toBe('settled')
    await app.asOwner`update awards set state = 'agreed' where period_id = ${broken}`
    await app.asOwner`alter table awards enable trigger guard_award`
    expect(await settleDuePeriods(app.db)).toBe(1)
  })
})

// Defect: a bug or an intruder with the application's role writes what only the steps of two people may write.
describe('the application’s own role', () => {
  const asApp = (statement: ReturnType<typeof sql>) => statement.execute(app.db)

  test('cannot change, remove or make up a result', async () => {
    const period_id = await agree()
    await expect(asApp(sql`update awards set result = '{}' where period_id = ${period_id}`)).rejects.toMatchObject({
      code: '42501',
    })
    await expect(asApp(sql`delete from awards where period_id = ${period_id}`)).rejects.toMatchObject({ code: '42501' })
    period_code = await openPeriod(app.owner)
    await close()
    const made = sql`insert into awards (period_id, state, result) select period_id, 'agreed', '{}' from periods where period_code = ${period_code}`
    await expect(asApp(made)).rejects.toMatchObject({ code: '42501' })
  })

  // Defect: the result that one person had entered was exchanged for another one, or got another name, before it was repeated.
  test('cannot change a result that one person has entered, nor one that was locked', async () => {
    await close()
    await enter(office01)
    const exchange = (columns: string) =>
      asApp(sql`update awards set ${sql.raw(columns)} where state in ('entered', 'locked')`)
    const refused = { code: '42501' }
    await expect(exchange(`result = '{}'`)).rejects.toMatchObject(refused)
    await expect(exchange(`entered_by = ${office02.user_id}`)).rejects.toMatchObject(refused)
    expect((await enter(office02, { bottom2: '25' })).json.error.code).toBe('award_locked')
    await expect(exchange(`state = 'entered'`)).rejects.toMatchObject(refused)
  })

  test('cannot reopen a period, or reset a settled one', async () => {
    const period_id = await agree()
    const again = sql`update periods set close_at = close_at + interval '1 hour' where period_id = ${period_id}`
    await expect(asApp(again)).rejects.toMatchObject({ constraint: 'periods_close_once' })
    const back = sql`update periods set outcome = 'pending' where period_id = ${period_id}`
    await expect(asApp(back)).rejects.toMatchObject({ constraint: 'periods_go_forward' })
  })

  test('cannot revive a ticket that ended, or change which lines of a ticket were returned', async () => {
    const { json } = await member.post('/api/order/create', makeTicket(period_code))
    const set = (what: string) => asApp(sql`update orders set ${sql.raw(what)} where order_id = ${json.data.order_id}`)
    await expect(set(`returned_lines = '{1}'`)).rejects.toMatchObject({ code: '42501' })
    await expect(set(`status = 'WAIT_CONFIRM', confirm_deadline_at = now()`)).rejects.toMatchObject({ code: '42501' })
    const cancelled = await member.post(`/api/order/${json.data.order_id}/cancel`, json.data)
    expect(cancelled.json.data.status).toBe('CANCELLED')
    await expect(set(`status = 'CONFIRMED'`)).rejects.toMatchObject({ code: '42501' })
  })

  test('cannot raise the stake of an existing ticket', async () => {
    const { json } = await member.post('/api/order/create', makeTicket(period_code))
    const { order_id } = json.data
    const raise = sql`update orders set bet_satang = 5000000, received_satang = 5000000 where order_id = ${order_id}`
    await expect(asApp(raise)).rejects.toMatchObject({ code: '42501' })
  })
})

test('lists the last result of each market, however old, and no other', async () => {
  for (const day of ['2018-06-01', '2019-12-31', '2019-01-02']) await addOldDraw('dow', day)
  const latest = (await member.get('/api/rewardcalc/award/latest')).json.data
  const listed = (await member.get('/api/rewardcalc/award/list_award/2006-01-01')).json.data
  const firstOfEach = listed.filter(
    ({ period }, at) => listed.findIndex((other) => other.period.product_code === period.product_code) === at,
  )
  expect(latest).toEqual(firstOfEach)
  expect(latest.length).toBeGreaterThan(1)
  expect(latest.map(({ period }) => period.period_code)).toContain('dow-20191231')
})

/** A draw of a market that has had no draw since. */
function addOldDraw(product_code: string, day: string): Promise<unknown> {
  return app.asOwner`
    with old as (
      insert into periods (period_code, product_code, period_date, open_at, close_at, draw_at, outcome)
      values (${`${product_code}-${day.replaceAll('-', '')}`}, ${product_code}, ${day}::date,
        ${day}::timestamptz - interval '1 day', ${day}::timestamptz, ${day}::timestamptz, 'settled')
      returning period_id)
    insert into awards (period_id, state, result, entered_at)
    select period_id, 'agreed', '{"top3": "123", "bottom2": "45"}', ${day}::timestamptz from old`
}

test('results are listed newest first, the real draws among them', async () => {
  const five = (await member.get('/api/award?product_code=thai-government')).json.data
  const real = (await member.get('/api/rewardcalc/award/list_award/2006-01-01')).json.data
  const last = real.find((each) => each.period.period_code === 'thai-government-20251216')
  expect(last?.result).toEqual({
    first_prize: '763895',
    top3: '895',
    bottom2: '52',
    front3: ['431', '176'],
    back3: ['014', '449'],
  })
  const all = (await member.get('/api/rewardcalc/award/get_by_product/thai-government')).json.data
  expect(five).toEqual(all.slice(0, 5))
  expect(all.filter((each) => each.period.period_date < '2026-01-01')).toHaveLength(453)
  const page = async (at: number) =>
    (await member.get(`/api/rewardcalc/award/get_by_product/thai-government?page=${at}&ipp=100`)).json.data
  const pages = [await page(0), await page(1), await page(2), await page(3), await page(4)]
  expect(pages.flat()).toEqual(all)
  const listed = (await member.get('/api/rewardcalc/award/list_award/2006-01-01?page=1&ipp=50')).json.data
  expect(listed).toEqual(real.slice(50, 100))
  expect((await member.get('/api/award?product_code=nowhere')).json.error.code).toBe('unknown_product')
  for (const day of ['2026-02-31', '2026-13-01', '0000-01-01', 'today'])
    expect((await member.get(`/api/rewardcalc/award/list_award/${day}`)).json.error.code).toBe('bad_input')
})

// Defect: all results of the market were read and sorted.
test('the last results of a market read no others, however many there are', async () => {
  await app.asOwner`analyze periods, awards, products`
  const read = await countRead(app.db, 'awards', (tx) => listProductAwards(tx, 'thai-government'))
  expect(read).toBeLessThan(30)
})
