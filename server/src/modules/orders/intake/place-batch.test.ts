// Goal: a ticket is stored exactly as it was decided. What is read from its row, by whatever attempt it was written, is the reply
// that its member got; and a request_id stands for one content only, whichever part of it differs.

import { randomUUID } from 'node:crypto'
import type { Order, PlaceOrderBody } from '@megalot/contract'
import { betOfSlot, betTypes, SLOT_COUNT } from '@megalot/rules'
import fc from 'fast-check'
import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { findBrokenInvariants } from '../../../../test/invariants.ts'
import { findCaller } from '../../../../test/nodes.ts'
import {
  countWrites,
  leaveCredit,
  limitNumbers,
  makeLine,
  makeTicket,
  openPeriod,
  rates70,
  toNewTicket,
} from '../../../../test/scenes.ts'
import { cloneDatabase, type TestDatabase } from '../../../../test/test-database.ts'
import type { Caller } from '../../../platform/caller.ts'
import { setLimitNumber } from '../../quotas/index.ts'
import { getOrder, presentPlaced } from '../read/present-order.ts'
import type { NewTicket } from '../ticket.ts'
import {
  type AttemptName,
  attempts,
  createIntakeState,
  type IntakeState,
  type Outcome,
  placeBatch,
} from './attempts.ts'

let database: TestDatabase
let member: Caller
let other: Caller
let office01: Caller
let period_code: string
let state: IntakeState

beforeAll(async () => {
  database = await cloneDatabase()
  member = await findCaller(database.db, 'member01')
  other = await findCaller(database.db, 'member02')
  office01 = await findCaller(database.db, 'office01')
  for (const { user_id } of [member, other]) await leaveCredit(database.owner, user_id, 1_000_000_00)
})
beforeEach(async () => {
  period_code = await openPeriod(database.db)
  // Entries never expire, however slow the machine is.
  state = createIntakeState(database.batches, () => 0)
})

const setNumber = (number: string, set_to: 'half' | 'closed') =>
  setLimitNumber(database.db, office01.user_id, period_code, { bet_type: '3top', number, set_to })

/** The outcome of each ticket in one attempt, which must decide all of them. */
async function placeBy(name: AttemptName, tickets: readonly NewTicket[]): Promise<Outcome[]> {
  const outcomes = await attempts[name](state, period_code, tickets)
  expect(outcomes).not.toContain(undefined)
  return outcomes as Outcome[]
}

const ticketOf = (who: Caller, body: PlaceOrderBody): NewTicket => ({
  ...toNewTicket(who, body),
  maybeDuplicate: false,
})

/** The replies to tickets that must all be placed. */
function repliesOf(who: Caller, outcomes: readonly Outcome[]): Order[] {
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
  const { rows } = await sql`select slots, lines, differences from orders where order_id = ${order_id}`.execute(
    database.db,
  )
  return rows[0]
}

/** Fills the cache with the member and the quotas of these bets, so that the attempt `cached` places the member's next ticket on them. */
async function fillCache(items: PlaceOrderBody['items']): Promise<void> {
  await placeBy('read', [ticketOf(member, makeTicket(period_code, { items }))])
}

/** Raises the rate of 3top for the rest of the test. */
async function raiseRate(): Promise<void> {
  const setRate = (rate: number) =>
    sql`update package_terms set rate = ${rate} from packages
      where packages.package_id = package_terms.package_id and package_code = '70' and product_code = 'thai-government'
        and bet_type = '3top'`.execute(database.owner)
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

  test.each(['', `"'`, '\\', '\\"}{,', 'NULL', '{"a","b"}', 'แม่บ้าน ก่ำ', '👨‍👩‍👧 \u{1f468}', ' ', `${'๙'.repeat(200)}`])(
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
      const { rows } = await sql`
      select entries.kind, amount_satang, payer.kind as payer, payee.kind as payee, payee.user_id from entries
        join accounts payer on payer.account_id = from_account_id join accounts payee on payee.account_id = to_account_id
      where order_id = ${order.order_id}`.execute(database.owner)
      expect(rows).toEqual([
        { kind: 'bet_hold', amount_satang: order.net_satang, payer: 'cash', payee: 'held', user_id: member.user_id },
      ])
    },
  )

  test('beside others in one batch: each has its own lines', async () => {
    await setNumber('999', 'closed')
    const one = (who: Caller, changes: Partial<PlaceOrderBody>) => ticketOf(who, makeTicket(period_code, changes))
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
    expect(await findBrokenInvariants(database.owner)).toEqual({})
  })
})

describe('a request_id stands for one content', () => {
  const original = (): PlaceOrderBody =>
    makeTicket(period_code, {
      note: 'note',
      items: [makeLine('3roll', '123', 10), makeLine('3top', '456', 20), makeLine('3top', '457', 10)],
    })
  /** Replaces a part of the first line. */
  const withFirst = (
    { items, ...body }: PlaceOrderBody,
    changes: Partial<PlaceOrderBody['items'][number]>,
  ): PlaceOrderBody => ({
    ...body,
    items: [{ ...items[0]!, ...changes }, ...items.slice(1)],
  })
  const changesOfContent: readonly (readonly [string, (body: PlaceOrderBody) => PlaceOrderBody])[] = [
    ['a number', (body) => withFirst(body, { number: '124' })],
    ['the order of the digits of a roll', (body) => withFirst(body, { number: '321' })],
    ['a bet type', (body) => withFirst(body, { bet_type: '3front' })],
    ['a stake', (body) => withFirst(body, { bet_satang: 1_100 })],
    ['a rate', (body) => withFirst(body, { rate: 10_400 })],
    ['the order of the lines', (body) => ({ ...body, items: body.items.toReversed() })],
    [
      'stakes that changed places',
      (body) => ({
        ...body,
        items: body.items.map((item, line, { [2 - line]: opposite }) => ({
          ...item,
          bet_satang: opposite!.bet_satang * (line === 1 ? 1 : 2),
        })),
      }),
    ],
    ['one line less', (body) => ({ ...body, items: body.items.slice(0, -1) })],
    ['one line twice', (body) => ({ ...body, items: [...body.items, body.items[0]!] })],
    ['a number that does not exist', (body) => withFirst(body, { number: '12' })],
    ['the note', (body) => ({ ...body, note: 'note ' })],
    ['no note', ({ note: _, ...body }) => body],
    ['the package', (body) => ({ ...body, package_code: '90' })],
    ['another choice', (body) => ({ ...body, on_change: 'ask' })],
    ['the choice to accept everything', (body) => ({ ...body, on_change: 'accept' })],
  ]

  async function outcomeAfter(first: PlaceOrderBody, second: PlaceOrderBody): Promise<unknown> {
    await placeBatch(state, period_code, [ticketOf(member, first)])
    const before = await countWrites(database.owner)
    // Once by a node that knows nothing, and once by one whose filter has seen it.
    const [outcome] = await placeBatch(createIntakeState(database.batches), period_code, [ticketOf(member, second)])
    const again = await placeBatch(state, period_code, [{ ...ticketOf(member, second), maybeDuplicate: true }])
    expect(again).toEqual([outcome])
    expect(await countWrites(database.owner)).toEqual(before)
    return outcome
  }

  test.each(changesOfContent)('other content, refused: %s', async (_, change) => {
    const body = original()
    expect(await outcomeAfter(body, change(body))).toMatchObject({ error: { code: 'request_id_reused' } })
  })

  test.each(changesOfContent)('the same inside of one batch: %s', async (_, change) => {
    const body = original()
    const [first, second] = await placeBy('read', [ticketOf(member, body), ticketOf(member, change(body))])
    expect(first).toMatchObject({ value: { placed: { status: 'CONFIRMED' } } })
    expect(second).toMatchObject({ error: { code: 'request_id_reused' } })
  })

  test('another period, which is another batch, is other content', async () => {
    const body = original()
    await placeBatch(state, period_code, [ticketOf(member, body)])
    const other_period = await openPeriod(database.db)
    const before = await countWrites(database.owner)
    const moved = ticketOf(member, { ...body, period_code: other_period })
    expect(await placeBatch(state, other_period, [moved])).toMatchObject([{ error: { code: 'request_id_reused' } }])
    expect(await countWrites(database.owner)).toEqual(before)
  })

  const { note: _, ...withoutNote } = { ...makeTicket(''), note: '' }
  test.each<[string, Partial<PlaceOrderBody>, Partial<PlaceOrderBody>]>([
    ['the same', { note: 'note' }, { note: 'note' }],
    ['the default choice, given or absent', {}, { on_change: 'accept_if_not_worse' }],
    ['an empty note, given or absent', { ...withoutNote, period_code: '' }, { note: '' }],
  ])('the same content, replayed: %s', async (_name, first, second) => {
    const body = { ...makeTicket(period_code), ...first, period_code, request_id: randomUUID() }
    const outcome = await outcomeAfter(body, { ...body, ...second })
    expect(outcome).toEqual({ value: { order_id: expect.any(Number) as number } })
  })

  test('the same ticket twice in one batch is one ticket', async () => {
    const body = original()
    const outcomes = await placeBy('read', [ticketOf(member, body), ticketOf(member, body), ticketOf(other, body)])
    const ids = outcomes.map((outcome) => ('value' in outcome ? outcome.value.order_id : undefined))
    expect(ids[1]).toBe(ids[0])
    // Another member's request_id is another one.
    expect(ids[2]).not.toBe(ids[0])
    expect(outcomes[1]).toEqual({ value: { order_id: ids[0] } })
    const { rows } = await sql<{ count: number }>`
      select count(*) from orders where request_id = ${body.request_id}`.execute(database.owner)
    expect(rows[0]!.count).toBe(2)
  })

  test('two contents hash the same only where they are the same', () => {
    const item = fc.record({
      bet_type: fc.constantFrom('3top' as const, '3roll' as const, '2top' as const),
      number: fc.constantFrom('12', '21', '123', '321'),
      bet_satang: fc.constantFrom(100, 200, 55_000),
      rate: fc.constantFrom(100, 200, 55_000),
    })
    const content = fc.record({
      period_code: fc.constantFrom('a-1', 'a-2'),
      package_code: fc.constantFrom('70', '90'),
      note: fc.constantFrom(undefined, '', '70', '","', 'accept', '1]', 'ÿ'),
      on_change: fc.constantFrom(undefined, 'ask' as const, 'accept' as const, 'accept_if_not_worse' as const),
      items: fc.array(item, { maxLength: 3 }),
    })
    const fitsType = ({ bet_type, number }: { bet_type: string; number: string }) =>
      bet_type.startsWith(String(number.length))
    const normalise = ({ note = '', on_change = 'accept_if_not_worse', ...rest }: Omit<PlaceOrderBody, 'request_id'>) =>
      JSON.stringify([
        rest.period_code,
        rest.package_code,
        note,
        on_change,
        // Bets that do not exist are never stored, and may hash the same.
        rest.items
          .map((each) => (fitsType(each) ? each : { ...each, bet_type: '', number: '' }))
          .map((each) => Object.values(each)),
      ])
    const hashOf = (body: object) => toNewTicket(member, body as PlaceOrderBody).content_hash.toString('hex')
    fc.assert(
      fc.property(content, content, (one, two) => {
        const isSame = normalise(one as PlaceOrderBody) === normalise(two as PlaceOrderBody)
        expect(hashOf(one) === hashOf(two)).toBe(isSame)
      }),
      { numRuns: 20_000 },
    )
  })
})
