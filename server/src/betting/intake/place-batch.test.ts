// Goal: a ticket is stored exactly as it was decided. What is read from its row, by whatever attempt it was written, is the reply
// that its member got.

import type { Order, PlaceOrderBody } from '@megalot/contract'
import { betOfSlot, betTypes, SLOT_COUNT } from '@megalot/rules'
import fc from 'fast-check'
import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { changeAs } from '../../../test/changes.ts'
import { findViolatedInvariants } from '../../../test/invariants.ts'
import { findCaller, type TestUser } from '../../../test/nodes.ts'
import {
  leaveCredit,
  limitNumbers,
  makeLine,
  makeTicket,
  openPeriod,
  rates70,
  toNewTicket,
} from '../../../test/scenes.ts'
import { cloneDatabase } from '../../../test/test-database.ts'
import { setLimitNumber } from '../../markets/quotas/index.ts'
import { getOrder, presentPlaced } from '../read/present-order.ts'
import { unpackLines } from '../stored-lines.ts'
import type { NewTicket } from '../ticket.ts'
import type { AttemptName, Outcome } from './attempt.ts'
import { createIntake, type Intake } from './intake.ts'
import { attempts } from './testing/attempts.ts'

let period_code: string
let intake: Intake

const database = await cloneDatabase()
const member: TestUser = await findCaller(database.db, 'member01')
const other: TestUser = await findCaller(database.db, 'member02')
const office01: TestUser = await findCaller(database.db, 'office01')
for (const { user_id } of [member, other]) await leaveCredit(database.owner, user_id, 1_000_000_00)
beforeEach(async () => {
  period_code = await openPeriod(database.owner)
  // Entries never expire, however slow the machine is.
  intake = createIntake(database.batches, undefined, () => 0)
})

const setNumber = (number: string, set_to: 'half' | 'closed') =>
  changeAs(database.db, office01.user_id, setLimitNumber, { period_code, bet_type: '3top', number, set_to })

/** The outcome of each ticket in one attempt, which must decide all of them. */
async function placeBy(name: AttemptName, tickets: readonly NewTicket[]): Promise<Outcome[]> {
  const outcomes = await attempts[name](intake, period_code, tickets)
  expect(outcomes).not.toContain(undefined)
  return outcomes as Outcome[]
}

const ticketOf = (who: TestUser, body: PlaceOrderBody): NewTicket => toNewTicket(who, body)

/** The replies to tickets that must all be placed. */
function repliesOf(who: TestUser, outcomes: readonly Outcome[]): Order[] {
  return outcomes.map((outcome) => {
    if ('error' in outcome) throw outcome.error
    return JSON.parse(presentPlaced(outcome.value.placed!, who).json) as Order
  })
}

/** Places a ticket in one attempt, and asserts that it is read back as its reply. */
async function placeAndRead(name: AttemptName, changes: Partial<PlaceOrderBody>): Promise<Order> {
  const [reply] = repliesOf(member, await placeBy(name, [ticketOf(member, makeTicket(period_code, changes))]))
  expect(await getOrder(database.db, member, reply!.order_id)).toStrictEqual(reply)
  return reply!
}

/** What an order's row has of its lines. */
async function readRow({ order_id }: Pick<Order, 'order_id'>): Promise<unknown> {
  const { rows } = await sql<{ lines: Buffer }>`
    select slots, lines, differences from orders where order_id = ${order_id}`.execute(database.db)
  return rows.map((row) => ({ ...row, lines: unpackLines(row.lines) }))[0]
}

/** Fills the cache with the member and the quotas of these bets, so that the attempt `cached` places the member's next ticket on them. */
async function fillCache(items: PlaceOrderBody['items']): Promise<void> {
  await placeBy('read', [ticketOf(member, makeTicket(period_code, { items }))])
}

/** Raises the rate of 3top for the rest of the test. */
async function raiseRate(): Promise<void> {
  const setRate = (rate: number) =>
    database.asOwner`update package_terms set rate = ${rate} from packages
      where packages.package_id = package_terms.package_id and package_code = '70' and product_code = 'thai-government'
        and bet_type = '3top'`
  onTestFinished(async () => {
    await setRate(rates70['3top'])
  })
  await setRate(57_000)
}

const attemptNames = ['cached', 'read', 'readLocked', 'single'] as const

describe.each(attemptNames)('a ticket that the attempt `%s` places is read back as its reply', (name) => {
  const place = async (changes: Partial<PlaceOrderBody> & Pick<PlaceOrderBody, 'items'>): Promise<Order> => {
    if (name === 'cached') await fillCache(changes.items)
    return placeAndRead(name, changes)
  }

  test('with one line of each bet type', async () => {
    const items = betTypes.map(({ code, digits }, index) => makeLine(code, '907'.slice(0, digits), 10 + index))
    const order = await place({ items })
    expect(order.items.map(({ bet_type, number, bet_satang }) => ({ bet_type, number, bet_satang }))).toEqual(
      items.map(({ bet_type, number, bet_satang }) => ({ bet_type, number, bet_satang })),
    )
    expect(await readRow(order)).toMatchObject({ differences: null })
  })

  const items = [makeLine('2top', '45', 10)]

  test('with the discount that its member saw', async () => {
    const order = await place({ items, on_change: 'ask', discount_satang: 280 })
    expect(order).toMatchObject({ status: 'CONFIRMED', discount_satang: 280, discount_seen_satang: null })
  })

  test('with 500 lines', async () => {
    // Of every bet type, none of them twice, at stakes whose discounts are rounded.
    const items = Array.from({ length: 500 }, (_, line) => {
      const { bet_type, number } = betOfSlot((line * 1_009) % SLOT_COUNT)!
      return makeLine(bet_type, number, 5 + (line % 7))
    })
    const order = await place({ items })
    expect(order.items).toHaveLength(500)
    expect(order.bet_satang).toBe(items.reduce((sum, { bet_satang }) => sum + bet_satang, 0))
  })

  test.each(['', `"'`, '\\', '\\"}{,', 'NULL', '{"a","b"}', 'แม่บ้าน ก่ำ', '👨‍👩‍👧 \u{1f468}', ' ', '๙'.repeat(200)])(
    'with the note %j',
    async (note) => {
      expect((await place({ items, note })).note).toBe(note)
    },
  )

  test('with any note at all', async () => {
    const note = fc
      .string({ unit: 'binary', maxLength: 60 })
      // What the contract accepts.
      // oxlint-disable-next-line no-control-regex
      .map((text) => text.replaceAll(/[\u0000-\u001f\u007f]/g, ''))
    await fc.assert(
      fc.asyncProperty(note, async (text) => {
        expect((await place({ items, note: text })).note).toBe(text)
      }),
      { numRuns: 20 },
    )
  })

  test('where a batch has two tickets of one member: its later ticket has the higher id', async () => {
    const bodies = [
      makeTicket(period_code, { items: [makeLine('3top', '001', 20), makeLine('2top', '01', 7)], note: 'one' }),
      makeTicket(period_code, { items: [makeLine('3roll', '321', 5)] }),
      makeTicket(period_code, { items: [makeLine('3top', '001', 30), makeLine('1bottom', '9', 15)], note: 'three' }),
    ]
    if (name === 'cached') await fillCache(bodies.flatMap((body) => body.items))
    const orders = repliesOf(
      member,
      await placeBy(
        name,
        bodies.map((body) => ticketOf(member, body)),
      ),
    )
    for (const order of orders) expect(await getOrder(database.db, member, order.order_id)).toStrictEqual(order)
    expect(orders.map(({ request_id }) => request_id)).toEqual(bodies.map(({ request_id }) => request_id))
    const ids = orders.map(({ order_id }) => order_id)
    expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b))
    expect(orders.map(({ items }) => items.length)).toEqual([2, 1, 2])
  })
})

describe('a ticket that was not received in full at the rate that its member saw is read back as its reply', () => {
  beforeAll(async () => {
    // 100 Baht at the full rate and 50 more at half on each number of 3top.
    await limitNumbers(database.db, '3top', 10_000, 5_000)
    return () => limitNumbers(database.db, '3top', 100_000_000, 0)
  })

  test.each(['readLocked', 'single'] as const)(
    'with lines received in part, at half pay and not at all (%s)',
    async (name) => {
      await setNumber('999', 'closed')
      await setNumber('248', 'half')
      const items = [
        makeLine('3top', '123', 120),
        makeLine('2top', '45', 10),
        makeLine('3top', '999', 5),
        makeLine('3top', '248', 60),
      ]
      const order = await placeAndRead(name, { items, on_change: 'accept' })
      expect(order.status).toBe('CONFIRMED')
      expect(
        order.items.map(({ received_satang, is_half_pay, is_closed }) => [received_satang, is_half_pay, is_closed]),
      ).toEqual([
        [10_000, false, false],
        [1_000, false, false],
        [0, false, true],
        [6_000, true, false],
      ])
      expect(await readRow(order)).toEqual({
        slots: [123, 4_045, 999, 248],
        lines: [120, 55_000, 3_300, 10, 7_000, 2_800, 5, 55_000, 3_300, 60, 27_500, 3_300],
        differences: [10_000, 55_000, 0, 1_000, 7_000, 0, 0, 55_000, 0, 6_000, 55_000, 1],
      })
    },
  )

  test.each(['read', 'readLocked', 'single'] as const)(
    'with a half-pay line whose rate the member saw (%s)',
    async (name) => {
      await setNumber('248', 'half')
      const order = await placeAndRead(name, {
        items: [makeLine('3top', '248', 10, 27_500), makeLine('2top', '45', 10)],
      })
      expect(order.status).toBe('CONFIRMED')
      expect(order.items[0]).toMatchObject({
        received_satang: 1_000,
        rate: 27_500,
        rate_seen: 27_500,
        is_half_pay: true,
      })
      // Only the differences say that the line pays half: received and rate are what the member asked for.
      expect(await readRow(order)).toEqual({
        slots: [248, 4_045],
        lines: [10, 27_500, 3_300, 10, 7_000, 2_800],
        differences: [1_000, 27_500, 1, 1_000, 7_000, 0],
      })
    },
  )

  test.each(['read', 'readLocked', 'single'] as const)(
    'with a line at a better rate than its member saw (%s)',
    async (name) => {
      await raiseRate()
      const order = await placeAndRead(name, {
        items: [makeLine('2top', '45', 10), makeLine('3top', '123', 10, 55_000)],
      })
      expect(order.status).toBe('CONFIRMED')
      expect(order.items[1]).toMatchObject({ rate: 57_000, rate_seen: 55_000, is_half_pay: false })
      expect(await readRow(order)).toMatchObject({ differences: [1_000, 7_000, 0, 1_000, 55_000, 0] })
    },
  )

  test.each(['read', 'readLocked', 'single'] as const)(
    'with another discount than its member saw, beside one without (%s)',
    async (name) => {
      const setDiscount = (discount_rate: number) =>
        database.asOwner`update package_terms set discount_rate = ${discount_rate} from packages
          where packages.package_id = package_terms.package_id and package_code = '70' and product_code = 'thai-government'
            and bet_type = '2top'`
      onTestFinished(async () => {
        await setDiscount(2_800)
      })
      await setDiscount(1_000)
      const items = [makeLine('2top', '45', 10)]
      const bodies = [280, undefined, 100, 280].map((discount_satang) =>
        makeTicket(period_code, { items, discount_satang }),
      )
      const outcomes = await attempts[name](
        intake,
        period_code,
        bodies.map((body) => ticketOf(member, body)),
      )
      const replies = repliesOf(member, outcomes as Outcome[])
      expect(replies.map((each) => [each.status, each.discount_satang, each.discount_seen_satang])).toEqual([
        ['WAIT_CONFIRM', 100, 280],
        ['CONFIRMED', 100, null],
        ['CONFIRMED', 100, null],
        ['WAIT_CONFIRM', 100, 280],
      ])
      for (const reply of replies) expect(await getOrder(database.db, member, reply.order_id)).toStrictEqual(reply)
      expect(await readRow(replies[0]!)).toMatchObject({ differences: null })
    },
  )

  test.each(['readLocked', 'single'] as const)(
    'as a waiting ticket, whose money is in the held account (%s)',
    async (name) => {
      const order = await placeAndRead(name, {
        items: [makeLine('3top', '123', 120), makeLine('2top', '45', 10)],
        note: 'รอ',
      })
      expect(order).toMatchObject({ status: 'WAIT_CONFIRM', received_satang: 11_000, tag: 'manually_confirm' })
      expect(order.confirmList).toEqual([order.items[0]])
      expect(order.confirm_deadline_at).not.toBeNull()
      const { rows } = await database.asOwner`
      select entries.kind, amount_satang, payer.kind as payer, payee.kind as payee, payee.user_id from entries
        join accounts payer on payer.account_id = from_account_id join accounts payee on payee.account_id = to_account_id
      where order_id = ${order.order_id}`
      expect(rows).toEqual([
        { kind: 'bet_hold', amount_satang: order.net_satang, payer: 'cash', payee: 'held', user_id: member.user_id },
      ])
    },
  )

  test('beside others in one batch: each has its own lines', async () => {
    await setNumber('999', 'closed')
    const one = (who: TestUser, changes: Partial<PlaceOrderBody>) => ticketOf(who, makeTicket(period_code, changes))
    const plain = { items: [makeLine('2top', '11', 10), makeLine('2top', '12', 11)] }
    const cut = { items: [makeLine('2top', '13', 12), makeLine('3top', '123', 120), makeLine('3top', '999', 5)] }
    const tickets = [
      one(member, plain),
      one(other, cut),
      one(member, { items: [makeLine('1top', '7', 13)] }),
      one(other, plain),
      one(other, { ...cut, on_change: 'accept' }),
      one(member, plain),
    ]
    const outcomes = await placeBy('readLocked', tickets)
    for (const [index, outcome] of outcomes.entries()) {
      const who = tickets[index]!.user_id === member.user_id ? member : other
      const [reply] = repliesOf(who, [outcome])
      expect(reply!.items.map(({ number, asked_satang }) => [number, asked_satang])).toEqual(
        tickets[index]!.items.map(({ number, bet_satang }) => [number, bet_satang]),
      )
      expect(await getOrder(database.db, who, reply!.order_id)).toStrictEqual(reply)
    }
    const statuses = repliesOf(member, outcomes).map(({ status }) => status)
    expect(statuses).toEqual(['CONFIRMED', 'WAIT_CONFIRM', 'CONFIRMED', 'CONFIRMED', 'CONFIRMED', 'CONFIRMED'])
    expect(await findViolatedInvariants(database.owner)).toEqual({})
  })
})
