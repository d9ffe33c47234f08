// Goal: a request_id stands for one content only. The same content is answered with the same ticket; whatever part of it differs,
// other content is refused, and nothing is written.

import { randomUUID } from 'node:crypto'
import type { PlaceOrderBody } from '@megalot/contract'
import fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import { findCaller, type TestUser } from '../../../test/nodes.ts'
import { countWrites, makeLine, makeTicket, openPeriod, toNewTicket } from '../../../test/scenes.ts'
import { cloneDatabase } from '../../../test/test-database.ts'
import { createIntake, type Intake } from './intake.ts'
import { attempts, placeBatch } from './testing/attempts.ts'

let period_code: string
let intake: Intake

const database = await cloneDatabase()
const member: TestUser = await findCaller(database.db, 'member01')
const other: TestUser = await findCaller(database.db, 'member02')
beforeEach(async () => {
  period_code = await openPeriod(database.owner)
  // Entries never expire, however slow the machine is.
  intake = createIntake(database.batches, undefined, () => 0)
})

const ticketOf = (who: TestUser, body: PlaceOrderBody) => toNewTicket(who, body)

/** The outcomes of tickets in one batch that is decided by what it reads. */
const placeTogether = (...tickets: ReturnType<typeof ticketOf>[]) => attempts.read(intake, period_code, tickets)

const original = (): PlaceOrderBody =>
  makeTicket(period_code, {
    note: 'note',
    items: [makeLine('3roll', '123', 10), makeLine('3top', '456', 20), makeLine('3top', '457', 10)],
  })

type Change = (body: PlaceOrderBody) => PlaceOrderBody

/** Replaces a part of the first line. */
const inFirstLine =
  (changes: Partial<PlaceOrderBody['items'][number]>): Change =>
  ({ items, ...body }) => ({ ...body, items: [{ ...items[0]!, ...changes }, ...items.slice(1)] })
/** Gives the lines these stakes. */
const withStakes =
  (...stakes: number[]): Change =>
  ({ items, ...body }) => ({ ...body, items: items.map((item, line) => ({ ...item, bet_satang: stakes[line]! })) })

const otherContents: readonly (readonly [string, Change])[] = [
  ['another number', inFirstLine({ number: '124' })],
  ['the digits of a roll in another order', inFirstLine({ number: '321' })],
  ['another bet type', inFirstLine({ bet_type: '3front' })],
  ['another stake', inFirstLine({ bet_satang: 1_100 })],
  ['another rate', inFirstLine({ rate: 10_400 })],
  ['a number that does not exist', inFirstLine({ number: '12' })],
  ['stakes that have changed places', withStakes(2_000, 1_000, 1_000)],
  ['lines in another order', (body) => ({ ...body, items: body.items.toReversed() })],
  ['one line less', (body) => ({ ...body, items: body.items.slice(0, -1) })],
  ['one line twice', (body) => ({ ...body, items: [...body.items, body.items[0]!] })],
  ['another note', (body) => ({ ...body, note: 'note ' })],
  ['no note', (body) => ({ ...body, note: '' })],
  ['another package', (body) => ({ ...body, package_code: '90' })],
  ['the choice to be asked', (body) => ({ ...body, on_change: 'ask' })],
  ['a discount that was seen', (body) => ({ ...body, discount_satang: 1_287 })],
  ['the choice to accept everything', (body) => ({ ...body, on_change: 'accept' })],
]

/** The outcome of the second ticket after the first, which must be the same on every node; nothing is written. */
async function outcomeAfter(first: PlaceOrderBody, second: PlaceOrderBody): Promise<unknown> {
  const [placed] = await placeBatch(intake, period_code, [ticketOf(member, first)])
  expect(placed).toMatchObject({ value: { placed: { status: 'CONFIRMED' } } })
  const before = await countWrites(database.owner)
  // By a node with nothing cached, and by one that takes the ticket for a new one.
  const ticket = ticketOf(member, second)
  const [outcome] = await placeBatch(createIntake(database.batches), period_code, [ticket])
  expect(await placeBatch(intake, period_code, [ticket])).toEqual([outcome])
  expect(await countWrites(database.owner)).toEqual(before)
  return outcome
}

describe('the same request_id', () => {
  test.each(otherContents)('with %s is refused', async (_, change) => {
    const body = original()
    expect(await outcomeAfter(body, change(body))).toMatchObject({ error: { code: 'request_id_reused' } })
  })

  test.each(otherContents)('with %s is refused in the same batch', async (_, change) => {
    const body = original()
    const [first, second] = await placeTogether(ticketOf(member, body), ticketOf(member, change(body)))
    expect(first).toMatchObject({ value: { placed: { status: 'CONFIRMED' } } })
    expect(second).toMatchObject({ error: { code: 'request_id_reused' } })
  })

  test('in another period, which is another batch, is refused', async () => {
    const body = original()
    await placeBatch(intake, period_code, [ticketOf(member, body)])
    const other_period = await openPeriod(database.owner)
    const before = await countWrites(database.owner)
    const moved = ticketOf(member, { ...body, period_code: other_period })
    expect(await placeBatch(intake, other_period, [moved])).toMatchObject([{ error: { code: 'request_id_reused' } }])
    expect(await countWrites(database.owner)).toEqual(before)
  })

  test.each<[string, Partial<PlaceOrderBody>, Partial<PlaceOrderBody>]>([
    ['the same content', { note: 'note', on_change: 'ask' }, {}],
    ['the default choice, once absent and once given', {}, { on_change: 'accept_if_not_worse' }],
    ['an empty note, once absent and once given', {}, { note: '' }],
  ])('with %s is the same ticket', async (_, first, second) => {
    const body = makeTicket(period_code, { ...first, request_id: randomUUID() })
    const outcome = await outcomeAfter(body, { ...body, ...second })
    expect(outcome).toEqual({ value: { order_id: expect.any(Number) as number } })
  })

  test('twice in one batch is one ticket', async () => {
    const body = original()
    const outcomes = await placeTogether(ticketOf(member, body), ticketOf(member, body), ticketOf(other, body))
    const ids = outcomes.map((outcome) => (outcome && 'value' in outcome ? outcome.value.order_id : undefined))
    expect(ids[1]).toBe(ids[0])
    // Another member's request_id is another one.
    expect(ids[2]).not.toBe(ids[0])
    expect(outcomes[1]).toEqual({ value: { order_id: ids[0] } })
    const { rows } = await database.asOwner<{ count: number }>`
      select count(*) from orders where request_id = ${body.request_id}`
    expect(rows[0]!.count).toBe(2)
  })

  type Content = {
    note?: string | undefined
    on_change?: string | undefined
    discount_satang?: number | undefined
  } & Pick<PlaceOrderBody, 'period_code' | 'package_code' | 'items'>

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
      discount_satang: fc.constantFrom(undefined, 0, 1, 70, 55_000),
      items: fc.array(item, { maxLength: 3 }),
    })
    const parts: (keyof Content)[] = ['period_code', 'package_code', 'note', 'on_change', 'discount_satang', 'items']
    const fitsType = ({ bet_type, number }: { bet_type: string; number: string }) =>
      bet_type.startsWith(String(number.length))
    const normalise = ({ note = '', on_change = 'accept_if_not_worse', ...rest }: Content) =>
      JSON.stringify([
        rest.period_code,
        rest.package_code,
        note,
        on_change,
        rest.discount_satang ?? null,
        // Bets that do not exist are never stored, and may hash the same.
        rest.items
          .map((each) => (fitsType(each) ? each : { ...each, bet_type: '', number: '' }))
          .map((each) => Object.values(each)),
      ])
    const hashOf = (body: object) => toNewTicket(member, body as PlaceOrderBody).content_hash.toString('hex')
    fc.assert(
      fc.property(content, content, fc.subarray(parts), (one, another, differing) => {
        // The two have most parts in common: that is where hashes could collide.
        const two = { ...one, ...Object.fromEntries(differing.map((part) => [part, another[part]])) }
        const isSame = normalise(one) === normalise(two)
        expect(hashOf(one) === hashOf(two)).toBe(isSame)
      }),
      { numRuns: 20_000 },
    )
  })
})
