// Goal: after random histories, the preview of a result, of its correction and of a void says to the satang what settlement and
// refund then move, ticket by ticket and type by type; it writes no result and reveals no entry.

import { closeEarly } from '../../test/changes.ts'
import type { AwardPreview, Order } from '@megalot/contract'
import { type BetTypeCode, betTypeByCode, betTypeCodes, type DrawResult } from '@megalot/rules'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findViolatedInvariants } from '../../test/invariants.ts'
import {
  dayOf,
  holdDraw,
  limitEveryMember,
  limitNumbers,
  makeLine,
  makeTicket,
  openPeriod,
  placeTicket,
  rates70,
  readOrder,
  ticketOn,
} from '../../test/scenes.ts'
import { startTestApp, type TestCaller } from '../../test/test-app.ts'
import { voidByTwo } from '../../test/voids.ts'
import { reconcileExposure } from '../exposure/index.ts'
import { getPeriodRecord } from '../markets/index.ts'
import { enterAward, resetAward } from './awards.service.ts'
import { correctAward } from './corrections.service.ts'
import { refundPeriod } from './period-void.service.ts'
import { previewAward, previewPeriodVoid } from './preview.service.ts'
import { settlePeriod } from './settlement.service.ts'

/** `PREVIEW_HISTORIES` for more. */
const HISTORIES = Number(process.env.PREVIEW_HISTORIES ?? 8)

const app = await startTestApp()
const members: TestCaller[] = [await app.logIn('member01'), await app.logIn('member02')]
const office: [TestCaller, TestCaller] = [await app.logIn('office01'), await app.logIn('office02')]
for (const bet_type of betTypeCodes) await limitNumbers(app.db, bet_type, 6_000, 4_000)
await limitEveryMember(app.owner, 1_000_000_000)

const few = ['012', '120', '201', '112', '211', '555', '007', '700', '123', '321']

function resultOf(top: number, bottom: number): DrawResult {
  const top3 = few[top]!
  return {
    first_prize: `763${top3}`,
    top3,
    bottom2: few[bottom]!.slice(1),
    front3: [few[bottom]!, '176'],
    back3: [few[top]!, few[bottom]!],
  }
}

const anyResult = fc.tuple(fc.nat(9), fc.nat(9))
const ticket = fc.record({
  who: fc.nat(1),
  lines: fc.array(fc.tuple(fc.nat(8), fc.nat(9), fc.integer({ min: 5, max: 90 })), { minLength: 1, maxLength: 12 }),
  /** What happens to it: a waiting one is left to the close, or confirmed in part; a confirmed one may be deleted or voided. */
  outcome: fc.constantFrom(
    'stays' as const,
    'stays' as const,
    'stays' as const,
    'in part' as const,
    'deleted' as const,
  ),
})
type RandomTicket = typeof ticket extends fc.Arbitrary<infer Value> ? Value : never

async function place(period_code: string, { who, lines, outcome }: RandomTicket): Promise<void> {
  const items = new Map(
    lines.map(([type, choice, baht]) => {
      const bet_type: BetTypeCode = betTypeCodes[type]!
      const number = few[choice]!.slice(-betTypeByCode[bet_type].digits)
      return [`${bet_type} ${number}`, makeLine(bet_type, number, baht, rates70[bet_type])] as const
    }),
  )
  const member = members[who]!
  const { http, json } = await member.post('/api/order/create', makeTicket(period_code, { items: [...items.values()] }))
  if (http !== 200) return
  const order: Order = await readOrder(member, json.data)
  if (outcome === 'in part' && order.status === 'WAIT_CONFIRM')
    await member.post(`/api/order/${order.order_id}/confirm`, {
      items: order.items.map(({ line_no, received_satang }) => ({
        line_no,
        bet_satang: line_no % 2 === 0 ? 0 : received_satang,
      })),
    })
  if (outcome === 'deleted') await office[0].post(`/api/order/${order.order_id}/delete`, { reason: 'a test' })
}

interface Moved {
  tickets: number
  members: number
  paid_satang: number
  taken_back_satang: number
}

/** What the ledger has moved in a settlement round. */
async function readMoved(period_id: number, round: number): Promise<Moved> {
  const { rows } = await app.asOwner<Moved>`
    select count(distinct order_id)::int as tickets, count(distinct user_id)::int as members,
      coalesce(sum(amount_satang) filter (where kind = 'win'), 0)::bigint as paid_satang,
      coalesce(sum(amount_satang) filter (where kind = 'reversal'), 0)::bigint as taken_back_satang
    from entries join orders using (order_id)
    where period_id = ${period_id} and kind in ('win', 'reversal') and idempotency_key like kind || ':%'
      and coalesce(nullif(split_part(idempotency_key, ':', 4), ''), '0')::int = ${round}`
  return rows[0]!
}

/** The wins of lines in a settlement round, by their slots. */
async function readLineWins(period_id: number, round: number): Promise<{ lines: number; won: number; lost: number }> {
  const { rows } = await app.asOwner<{ lines: number; won: number; lost: number }>`
    select count(*)::int as lines, coalesce(sum(win_satang) filter (where sign = 1), 0)::bigint as won,
      coalesce(-sum(win_satang) filter (where sign = -1), 0)::bigint as lost
    from order_wins where period_id = ${period_id} and round = ${round}`
  return rows[0]!
}

const movedBy = ({ tickets, members: count, paid_satang, taken_back_satang }: AwardPreview): Moved => ({
  tickets,
  members: count,
  paid_satang,
  taken_back_satang,
})

const linesOf = ({ bet_types }: AwardPreview) => ({
  lines: bet_types.reduce((sum, { won_lines, lost_lines }) => sum + won_lines + lost_lines, 0),
  won: bet_types.reduce((sum, { won_satang }) => sum + won_satang, 0),
  lost: bet_types.reduce((sum, { lost_satang }) => sum + lost_satang, 0),
})

async function settle(period_code: string, result: DrawResult): Promise<void> {
  for (const { user_id } of office)
    await enterAward(app.db, { actor_id: user_id }, { period_code, date: dayOf(period_code), result })
  await settlePeriod(app.db, (await getPeriodRecord(app.db, period_code)).period_id)
}

async function correct(period_code: string, result: DrawResult): Promise<void> {
  for (const { user_id } of office)
    await correctAward(app.db, { actor_id: user_id }, { period_code, result, reason: 'read wrongly' })
  await settlePeriod(app.db, (await getPeriodRecord(app.db, period_code)).period_id)
}

async function checkVoid(period_code: string, period_id: number): Promise<void> {
  const { tickets, refund_satang } = await previewPeriodVoid(app.db, period_code)
  await voidByTwo(app.db, office, `period:${period_code}`)
  await refundPeriod(app.db, period_id)
  const { rows } = await app.asOwner`
    select refunded_orders as tickets, refunded_satang as refund_satang from period_voids
    where period_id = ${period_id}`
  expect({ tickets, refund_satang }).toEqual(rows[0])
}

let winners = 0
let losers = 0

test(
  `${HISTORIES} random periods are paid, corrected and refunded as was previewed`,
  { timeout: 900_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(ticket, { minLength: 6, maxLength: 20 }),
        anyResult,
        anyResult,
        fc.nat(3).map((value) => value === 0),
        async (tickets, first, second, isVoid) => {
          const period_code = await openPeriod(app.owner)
          for (const one of tickets) await place(period_code, one)
          const { period_id } = await getPeriodRecord(app.db, period_code)
          if (isVoid) return checkVoid(period_code, period_id)
          await closeEarly(app.db, period_code)
          await holdDraw(app.owner, period_code)
          await reconcileExposure(app.db, period_id)

          const result = resultOf(...first)
          const award = await previewAward(app.db, { period_code, result })
          await settle(period_code, result)
          expect(movedBy(award)).toEqual(await readMoved(period_id, 0))
          expect(linesOf(award)).toEqual(await readLineWins(period_id, 0))
          expect(award.book?.payout_satang).toBe(award.paid_satang)

          const other = resultOf(...second)
          if (JSON.stringify(other) === JSON.stringify(result)) return
          const correction = await previewAward(app.db, { period_code, result: other })
          await correct(period_code, other)
          expect(movedBy(correction)).toEqual(await readMoved(period_id, 1))
          expect(linesOf(correction)).toEqual(await readLineWins(period_id, 1))
          winners += award.tickets
          losers += correction.members_losing
        },
      ),
      { numRuns: HISTORIES, endOnFailure: true },
    )
    expect(await findViolatedInvariants(app.owner)).toEqual({})
  },
)

test('the histories contained what they are for', () => {
  expect(winners).toBeGreaterThan(0)
  expect(losers).toBeGreaterThan(0)
})

async function drawnPeriod(): Promise<string> {
  const period_code = await openPeriod(app.owner)
  await placeTicket(members[0]!, ticketOn(period_code, [['012', 10]]))
  await closeEarly(app.db, period_code)
  await holdDraw(app.owner, period_code)
  return period_code
}

test('a preview refuses what an entry refuses, and writes no result', async () => {
  const early = await openPeriod(app.owner)
  const post = (body: object) => office[0].post('/api/award/preview', body)
  const result = resultOf(0, 1)
  expect((await post({ period_code: early, result })).json.error.code).toBe('period_still_open')
  await closeEarly(app.db, early)
  expect((await post({ period_code: early, result })).json.error.code).toBe('award_too_early')
  const period_code = await drawnPeriod()
  expect((await post({ period_code, result: { ...result, top3: '12' } })).json.error.code).toBe('award_bad_result')
  expect((await post({ period_code, result })).json.data).toMatchObject({ kind: 'award', tickets: 1 })
  expect((await office[0].get(`/api/award/entries/${period_code}`)).json.data.state).toBe('none')
  await settle(period_code, result)
  expect((await post({ period_code, result })).json.error.code).toBe('award_same_result')
  expect((await office[0].get(`/api/admin/period/${period_code}/void_preview`)).json.error.code).toBe('period_settled')
})

test('the numbers of a first entry stay masked until two entries differ, for a result and a correction', async () => {
  const period_code = await drawnPeriod()
  const date = dayOf(period_code)
  const read = async (caller: TestCaller) => (await caller.get(`/api/award/entries/${period_code}`)).json.data
  const reset = (caller: TestCaller) => caller.post('/api/award/reset', { period_code, reason: 'typed wrongly' })
  const [one, other] = [resultOf(0, 1), resultOf(2, 3)]
  await enterAward(app.db, { actor_id: office[0].user_id }, { period_code, date, result: one })
  expect(await read(office[1])).toMatchObject({
    state: 'entered',
    entered_by: 'office01',
    is_own: false,
    needs_other: false,
    own_result: null,
    entries: null,
  })
  expect(await read(office[0])).toMatchObject({ is_own: true, needs_other: true, own_result: one, entries: null })
  expect(JSON.stringify(await read(office[1]))).not.toContain(one.first_prize)
  // A second person cannot make room for its own numbers; the first one may take back what it mistyped.
  expect((await reset(office[1])).json.error.code).toBe('not_allowed')
  expect((await reset(office[0])).json.data.state).toBe('none')
  await enterAward(app.db, { actor_id: office[0].user_id }, { period_code, date, result: one })
  await expect(
    enterAward(app.db, { actor_id: office[1].user_id }, { period_code, date, result: other }),
  ).rejects.toThrow('award_locked')
  expect(await read(office[1])).toMatchObject({
    state: 'locked',
    repeated_by: 'office02',
    entries: { first: one, repeated: other },
  })
  expect((await reset(office[1])).json.data.state).toBe('none')

  await settle(period_code, one)
  const enter = (caller: TestCaller, result: DrawResult) =>
    correctAward(app.db, { actor_id: caller.user_id }, { period_code, result, reason: 'read wrongly' })
  await enter(office[0], other)
  expect(await read(office[1])).toMatchObject({
    kind: 'correction',
    state: 'entered',
    own_result: null,
    entries: null,
    paid_result: one,
  })
  expect(await read(office[0])).toMatchObject({ own_result: other })
  expect(JSON.stringify(await read(office[1]))).not.toContain(other.first_prize)
  expect((await reset(office[1])).json.error.code).toBe('not_allowed')
  const third = resultOf(4, 5)
  await expect(enter(office[1], third)).rejects.toThrow('award_locked')
  expect(await read(office[0])).toMatchObject({
    state: 'locked',
    entries: { first: other, repeated: third },
    reason: 'read wrongly',
  })
  await resetAward(app.db, { actor_id: office[0].user_id }, period_code, 'typed wrongly')
  expect((await read(office[0])).state).toBe('none')
})
