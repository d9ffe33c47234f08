// Goal: the bulk writer writes what the application's services write. A small house is written twice: once with its
// results, its correction and its void, and once without them, which the services then enter, settle, correct and
// refund. Tickets of each kind are placed and decided once more through the services. Only ids outside of accounts, and
// instants, may differ.

import { betOfSlot, deriveNumbers, type DrawResult, publishedNumbers } from '@megalot/rules'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { findCaller } from '../../test/nodes.ts'
import { findBrokenInvariants } from '../../test/invariants.ts'
import { openPeriod } from '../../test/scenes.ts'
import { createEmptyDatabase, type TestDatabase } from '../../test/test-database.ts'
import { voidPeriodByTwo } from '../../test/voids.ts'
import { correctAward, enterAward, refundVoidedPeriods, settleDuePeriods } from '../modules/awards/index.ts'
import { catalogue, closePeriod, seedMarkets } from '../modules/markets/index.ts'
import {
  cancelOrder,
  confirmOrder,
  createIntake,
  deleteOrder,
  confirmOverdueOrders,
  placeOrder,
  voidOrder,
} from '../modules/orders/index.ts'
import { setLimitNumber } from '../modules/quotas/index.ts'
import type { Db } from '../platform/db.ts'
import { seedPeople } from './demo.ts'
import { housePeople } from './house-people.ts'
import type { HousePeriod } from './house-periods.ts'
import { listNumberSettings, popularNumbersOf } from './house-quotas.ts'
import { type House, planHouse, writeHouse } from './seed-house.ts'
import type { HouseTicket } from './simulated-house.ts'

/** Long enough for every kind of ticket. It always ends on the same day, so that each run sees the same tickets. */
const DAYS = 30
const END = new Date('2025-06-27T05:00:00Z')
/** The services settle what was drawn since: they are slower. */
const LEFT_TO_SERVICES = new Date('2025-06-22T10:00:00Z')

let inBulk: TestDatabase
let byServices: TestDatabase
let house: House

beforeAll(async () => {
  ;[inBulk, byServices] = await Promise.all([createEmptyDatabase(), createEmptyDatabase()])
  for (const { owner } of [inBulk, byServices])
    await owner.transaction().execute(async (tx) => {
      await seedMarkets(tx)
      await seedPeople(tx, housePeople)
      house ??= withReturnedWinner(await planHouse(tx, END, DAYS))
      const isPlain = owner === byServices.owner
      await writeHouse(tx, isPlain ? withoutResults(house) : house)
    })
})

/** The same house, in which a number wins whose line its member had returned: it must not be paid. */
function withReturnedWinner(whole: House): House {
  const { corrected, tickets } = whole.history
  const returned = tickets.flatMap(({ period_code, returned_lines, lines, status }) =>
    returned_lines.map((line_no) => ({ period_code, status, ...betOfSlot(lines[line_no - 1]!.slot)! })),
  )
  const period = whole.periods.find(
    (each) =>
      isLeft(each) &&
      each.draw &&
      each.product_code !== 'thai-government' &&
      each.period_code !== corrected?.period_code &&
      returned.some(({ period_code, status }) => period_code === each.period_code && status === 'CONFIRMED'),
  )!
  const { number, bet_type } = returned.find(({ period_code }) => period_code === period.period_code)!
  const result = withWinner(period, bet_type === '2bottom' ? { bottom2: number } : { top3: number.padStart(3, '0') })
  const changed = { ...period, draw: { ...period.draw!, result } }
  return { ...whole, periods: whole.periods.map((each) => (each === period ? changed : each)) }
}

/** The result of a period with these digits, also in the number that its market publishes. */
function withWinner({ product_code, draw }: HousePeriod, { top3, bottom2 }: Partial<DrawResult>): DrawResult {
  const { first_prize, ...drawn } = draw!.result
  const { result_form } = catalogue.find((market) => market.product_code === product_code)!
  if (first_prize === undefined) return { ...drawn, ...(top3 && { top3 }), ...(bottom2 && { bottom2 }) }
  const isPart = publishedNumbers[result_form]!.has_bottom2
  const withBottom = bottom2 && isPart ? first_prize.slice(0, -4) + bottom2 + first_prize.slice(-2) : first_prize
  const changed = top3 ? withBottom.slice(0, -3) + top3 : withBottom
  return { ...drawn, ...(bottom2 && { bottom2 }), first_prize: changed, ...deriveNumbers(result_form, changed) }
}

const isLeft = ({ draw_at }: HousePeriod): boolean => draw_at > LEFT_TO_SERVICES

/** The same tickets, in recent periods that have not been drawn, corrected or voided yet. */
function withoutResults(whole: House): House {
  const periods = whole.periods.map((period) => (isLeft(period) ? { ...period, draw: null, voided: null } : period))
  return { ...whole, periods, history: { ...whole.history, corrected: null } }
}

async function readAll(db: Db, queries: readonly string[]): Promise<unknown[]> {
  const all: unknown[] = []
  for (const query of queries) all.push((await sql.raw(query).execute(db)).rows)
  return all
}

test('settling, correcting and voiding in bulk equals the services', async () => {
  const played = new Set(house.history.tickets.map(({ period_code }) => period_code))
  const { corrected } = house.history
  expect(house.periods.filter(isLeft).map(({ period_code }) => period_code)).toContain(corrected?.period_code)
  const { db } = byServices
  const [office01, office02] = await Promise.all(['office01', 'office02'].map((name) => findCaller(db, name)))
  const byBoth = async (action: (actor_id: number) => Promise<unknown>) => {
    for (const { user_id } of [office01!, office02!]) await action(user_id)
  }
  for (const period of house.periods) {
    const { period_code, period_date: date, draw, voided } = period
    if (!played.has(period_code) || !isLeft(period)) continue
    if (voided) await voidPeriodByTwo(db, [office01!, office02!], period_code)
    if (!draw) continue
    const announced: DrawResult =
      period_code === corrected!.period_code ? { ...draw.result, bottom2: corrected!.wrong_bottom2 } : draw.result
    await byBoth((actor_id) => enterAward(db, actor_id, { period_code, date, result: announced }))
  }
  await settleDuePeriods(db)
  await refundVoidedPeriods(db)
  const { period_code } = corrected!
  const { result } = house.periods.find((period) => period.period_code === period_code)!.draw!
  await byBoth((actor_id) => correctAward(db, actor_id, { period_code, result, reason: 'misread' }))
  await settleDuePeriods(db)

  const theirs = await readAll(byServices.owner, compared)
  const ours = await readAll(inBulk.owner, compared)
  for (const [index, query] of compared.entries()) expect([query, ours[index]]).toEqual([query, theirs[index]])
  // The comparison is not empty.
  for (const rows of ours) expect((rows as unknown[]).length).toBeGreaterThan(0)
  for (const { owner } of [inBulk, byServices]) expect(await findBrokenInvariants(owner)).toEqual({})
})

/** Periods without bets have no row by the services here, because they are not drawn there. */
const isPlayed = 'period_id in (select period_id from member_periods)'

const compared = [
  `select order_id, user_id, period_id, status, bet_satang, received_satang, discount_satang, win_satang, cancelled_by
    from orders order by order_id`,
  `select order_id, line_no, round, period_id, user_id, slot, bet_satang, received_satang, discount_satang, rate, sign, win_satang
    from order_wins order by order_id, line_no, round`,
  `select kind, order_id, idempotency_key, actor_id, amount_satang, giver.kind as giver, giver.user_id as of_giver,
      taker.kind as taker, taker.user_id as of_taker, coalesce(giver.period_id, taker.period_id) as period_id
    from entries e join accounts giver on giver.account_id = from_account_id join accounts taker on taker.account_id = to_account_id
    order by order_id, e.kind, idempotency_key, amount_satang`.replace('select kind', 'select e.kind'),
  `select kind, user_id, period_id, balance_satang, floor_satang, overdraft_satang from accounts order by kind, user_id, period_id`,
  `select period_id, round, paid_up_to_order_id, paid_orders, paid_satang, finished_at is not null as is_finished
    from settlements where ${isPlayed} order by period_id`,
  `select period_id, round, state, old_result, new_result, taken_back_satang, paid_satang from award_corrections`,
  `select period_id, refunded_up_to_order_id, refunded_orders, refunded_satang, finished_at is not null as is_finished
    from period_voids`,
  `select kind, period_id from notices order by kind`,
  `select period_id, outcome, result, state, repeated_result from periods left join awards using (period_id)
    where ${isPlayed} order by period_id`,
  `select * from member_periods order by user_id, period_id`,
  `select * from member_wins order by user_id, period_id`,
  `select * from level_periods order by user_id, period_id`,
  `select * from member_numbers order by user_id, product_code, slot`,
  `select book_members.* from book_members join periods using (period_id) where outcome = 'settled'
    order by period_id, user_id, package_id`,
]

describe('a ticket that was written in bulk equals the one of the services', () => {
  let intake: ReturnType<typeof createIntake>
  beforeAll(() => {
    intake = createIntake(inBulk.batches)
  })

  /**
   * Places a ticket's lines once more in a new period of its market with the same numbers set, and repeats its events.
   */
  async function repeat(ticket: HouseTicket): Promise<number> {
    const { db } = inBulk
    const [member, agent, office01, office02] = await Promise.all(
      [ticket.username, 'agent01', 'office01', 'office02'].map((name) => findCaller(db, name)),
    )
    const period_code = await openPeriod(inBulk.owner, ticket.product_code)
    for (const setting of listNumberSettings(ticket.product_code, popularNumbersOf(ticket.period_code)))
      await setLimitNumber(db, office01!.user_id, period_code, setting)
    const items = ticket.lines.map(({ slot, bet_satang, rate_seen }) => ({
      ...betOfSlot(slot)!,
      bet_satang,
      rate: rate_seen,
    }))
    const { package_code, note } = ticket
    const body = { request_id: crypto.randomUUID(), period_code, package_code, note, items }
    const placed = JSON.parse((await placeOrder(db, intake, member!, body)).json)
    const { order_id } = placed
    expect(placed.status).toBe(ticket.first_status)
    for (const { event, reason, released } of ticket.events) {
      if (event === 'cancel') await cancelOrder(db, member!, order_id, placed.status)
      if (event === 'delete') await deleteOrder(db, agent!, order_id, reason!)
      if (event === 'confirm' || event === 'return_all')
        await confirmOrder(
          db,
          member!,
          order_id,
          released.map((line_no) => ({ line_no, bet_satang: 0 })),
        )
      if (event === 'expire' || event === 'void')
        await closePeriod(db, office01!.user_id, period_code, 'end of the test')
      if (event === 'expire') await confirmOverdueOrders(db)
      if (event === 'void') {
        const { void_request_id } = await voidOrder(db, office01!, order_id, ticket.void_request!.reason)
        await voidOrder(db, office02!, order_id, reason!, { approves: void_request_id })
      }
    }
    return order_id
  }

  /** All data of a ticket except ids of rows, periods and instants. */
  async function read(order_id: number): Promise<unknown[]> {
    return readAll(inBulk.owner, [
      `select user_id, package_id, status, note, item_count, bet_satang, received_satang, discount_satang, cancelled_by, slots, lines,
          differences, returned_lines, decided_at is not null as is_decided,
          confirm_deadline_at is not null as has_deadline, octet_length(content_hash) as hash
        from orders where order_id = ${order_id}`,
      `select event, from_status, to_status, actor_id, reason, details from order_events where order_id = ${order_id} order by event_id`,
      `select e.kind, replace(idempotency_key, '${order_id}', 'ID') as idempotency_key, actor_id, amount_satang, giver.kind as giver, taker.kind as taker
        from entries e join accounts giver on giver.account_id = from_account_id join accounts taker on taker.account_id = to_account_id
        where order_id = ${order_id} and e.kind not in ('win', 'reversal') order by entry_id`,
      `select requested_by, reason, approved_by from void_requests where order_id = ${order_id}`,
    ])
  }

  const kinds: readonly [string, (ticket: HouseTicket) => boolean][] = [
    ['confirmed at once', ({ events, first_status }) => first_status === 'CONFIRMED' && events.length === 0],
    [
      'with rolls',
      ({ lines, events }) => events.length === 0 && lines.some(({ slot }) => betOfSlot(slot)!.bet_type === '3roll'),
    ],
    ['cancelled', ({ events, first_status }) => first_status === 'CONFIRMED' && events[0]?.event === 'cancel'],
    ['deleted', ({ events }) => events[0]?.event === 'delete'],
    ['voided', ({ events }) => events[0]?.event === 'void'],
    [
      'waited and was confirmed',
      ({ events, returned_lines }) => events[0]?.event === 'confirm' && returned_lines.length === 0,
    ],
    [
      'waited and was returned in part',
      ({ events, returned_lines }) => events[0]?.event === 'confirm' && returned_lines.length > 0,
    ],
    ['waited and was returned in whole', ({ events }) => events[0]?.event === 'return_all'],
    [
      'waited and was cancelled',
      ({ events, first_status }) => first_status === 'WAIT_CONFIRM' && events[0]?.event === 'cancel',
    ],
    ['waited in vain', ({ events }) => events[0]?.event === 'expire'],
  ]

  test.each(kinds)('%s', async (_name, isOfKind) => {
    const { rows } = await sql<{ first_id: number }>`select min(order_id) as first_id from orders`.execute(inBulk.owner)
    const { tickets } = house.history
    const index = tickets.findIndex((ticket) => isOfKind(ticket) && ticket.events.length < 2)
    expect(index).toBeGreaterThanOrEqual(0)
    expect(await read(rows[0]!.first_id + index)).toEqual(await read(await repeat(tickets[index]!)))
  })
})

// Defect: a period of the history had no book, so its correction was agreed and never paid.
test('results of the history are corrected and paid', async () => {
  const { db, owner } = inBulk
  const offices = await Promise.all(['office01', 'office02'].map((name) => findCaller(db, name)))
  const { rows: periods } = await sql<{ period_id: number; period_code: string; result: DrawResult }>`
    select distinct on (product_code) period_id, period_code, result from periods join awards using (period_id)
    where outcome = 'settled' and ${sql.raw(isPlayed)} order by product_code, close_at desc limit 5`.execute(owner)
  const period_ids = periods.map(({ period_id }) => period_id)
  const readBooks = async () => {
    const { rows } = await sql`
      select book_members.* from book_members where period_id = any(${period_ids}) order by period_id, user_id, package_id`.execute(
      owner,
    )
    return rows
  }
  const books = await readBooks()
  expect(books.length).toBeGreaterThan(0)
  for (const { period_code, result } of periods) {
    const bottom2 = result.bottom2 === '11' ? '22' : '11'
    for (const { user_id } of offices)
      await correctAward(db, user_id, { period_code, result: { ...result, bottom2 }, reason: 'misread' })
  }
  await settleDuePeriods(db)
  const { rows } = await sql`
    select outcome from periods join award_corrections using (period_id) join book_seals seals using (period_id)
    where period_id = any(${period_ids}) and award_corrections.state = 'settled' and seals.state = 'sealed'`.execute(
    owner,
  )
  expect({ rows, books: await readBooks() }).toEqual({ rows: periods.map(() => ({ outcome: 'settled' })), books })
  expect(await findBrokenInvariants(owner)).toEqual({})
})
