// Tickets with entries broken by hand, and their repairs.

import type { ApprovalWithPassword, BodyOf, confirmOrder } from '@megalot/contract'
import type { DrawResult } from '@megalot/rules'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { correctAward, refundVoidedPeriods, settleDuePeriods } from '../src/results/index.ts'
import type { Db } from '../src/postgres/db.ts'
import { mustPropose, startTwoPeople, type TwoPeople } from './approvals.ts'
import { changeByHand, countCommitsFromNow, passOverCommits, removeSeededPeriods } from './auditor.ts'
import { findViolatedInvariants } from './invariants.ts'
import {
  codeOf,
  limitNumbers,
  makeResult,
  openPeriod,
  placeTicket,
  placeWaitingTicket,
  readOrder,
  settleWith,
  ticketOn,
} from './scenes.ts'
import type { TestCaller } from './test-app.ts'
import { callVoid } from './voids.ts'

/** Two people who repair, and a member whose tickets are broken. */
export interface RepairOffice extends TwoPeople {
  member: TestCaller
}

/** A ticket and its period. */
export interface TicketScene {
  order_id: number
  period_code: string
}

type TicketId = Pick<TicketScene, 'order_id'>

/** As `startTwoPeople`, with member01 and without the seed's periods. */
export async function startForRepairs(): Promise<RepairOffice> {
  const office = await startTwoPeople()
  await removeSeededPeriods(office.app.owner)
  return { ...office, member: await office.app.logIn('member01') }
}

/** Price of a ticket of these scenes after the discount, in satang: 10 Baht are accepted on 3top. */
export const NET = 670
/** Its win on 3top 123, in satang. */
export const WIN = 550_000

/** A live ticket of 10 Baht on 3top 123. */
export async function placeLive({ app, member }: Pick<RepairOffice, 'app' | 'member'>): Promise<TicketScene> {
  const period_code = await openPeriod(app.owner)
  const { order_id } = await placeTicket(member, ticketOn(period_code, [['123', 10]]))
  return { order_id, period_code }
}

/** A live ticket in a settled period, with its win. */
export async function placeWinning(office: RepairOffice): Promise<TicketScene> {
  const scene = await placeLive(office)
  await settleWith(office.app, scene.period_code, makeResult('123'))
  return scene
}

/** A live ticket in a voided period, refunded. */
export async function placeVoided(office: RepairOffice): Promise<TicketScene> {
  const { app, first, second } = office
  const scene = await placeLive(office)
  for (const by of [first, second]) await callVoid(app.owner, by, `period:${scene.period_code}`)
  await refundVoidedPeriods(app.db)
  return scene
}

/** A ticket on 3top, 15 Baht by default, that waits because only 10 are accepted. */
export async function placeWaiting(
  { app, member }: Pick<RepairOffice, 'app' | 'member'>,
  bets: readonly (readonly [number: string, baht: number])[] = [['123', 15]],
): Promise<TicketScene> {
  const period_code = await openPeriod(app.owner)
  await limitNumbers(app.db, '3top', 1_000, 500)
  const { order_id } = await placeWaitingTicket(member, ticketOn(period_code, bets))
  return { order_id, period_code }
}

/**
 * The member cancels its ticket, which must succeed.
 * @returns the same ticket
 */
export async function cancel(member: TestCaller, scene: TicketScene): Promise<TicketScene> {
  expect(codeOf(await member.post(`/api/order/${scene.order_id}/cancel`, await readOrder(member, scene)))).toBe('ok')
  return scene
}

/**
 * The member confirms its waiting ticket, which must succeed; unnamed items are confirmed.
 * @returns the same ticket
 */
export async function confirm(
  member: TestCaller,
  scene: TicketScene,
  items: BodyOf<typeof confirmOrder>['items'] = [],
): Promise<TicketScene> {
  expect(codeOf(await member.post(`/api/order/${scene.order_id}/confirm`, { items }))).toBe('ok')
  return scene
}

/** Two people correct the result of a settled period. */
export async function correct(
  { app, first, second }: RepairOffice,
  { period_code }: TicketScene,
  result: DrawResult,
): Promise<void> {
  for (const { user_id } of [first, second])
    await correctAward(app.db, { actor_id: user_id }, { period_code, result, reason: 'for a test' })
  await settleDuePeriods(app.db)
}

/** The accounts between which each kind of ticket entry moves money. */
const sides = {
  bet: ['cash', 'period'],
  refund: ['period', 'cash'],
  win: ['period', 'cash'],
  reversal: ['cash', 'period'],
  bet_hold: ['cash', 'held'],
  bet_release: ['held', 'cash'],
} as const

/** The kind of an entry of a ticket. */
export type TicketEntryKind = keyof typeof sides

/** The account of one side of a ticket, within a statement on `orders`. */
const accountOf = (side: string) =>
  side === 'period'
    ? sql`(select account_id from accounts where period_id = orders.period_id)`
    : sql`(select account_id from accounts where user_id = orders.user_id and kind = ${side})`

/** Writes a ticket entry by hand, as the owner, without checking its amount. */
export async function writeByHand(
  owner: Db,
  { order_id }: TicketId,
  kind: TicketEntryKind,
  amount_satang: number,
): Promise<void> {
  const [giver, taker] = sides[kind]
  await sql`insert into entries (kind, order_id, from_account_id, to_account_id, amount_satang)
    select ${kind}, order_id, ${accountOf(giver)}, ${accountOf(taker)}, ${amount_satang}::bigint
    from orders where order_id = ${order_id}`.execute(owner)
}

/** Removes some kinds of a ticket's entries by hand, with their effect on balances. */
export const removeByHand = (owner: Db, { order_id }: TicketId, ...kinds: readonly TicketEntryKind[]) =>
  changeByHand(
    owner,
    sql`update accounts set balance_satang = balance_satang - moved
      from (select account_id, sum(postings.amount_satang) as moved from postings join entries using (entry_id)
        where order_id = ${order_id} and kind = any(${kinds}::text[]) group by account_id) sums
      where sums.account_id = accounts.account_id`,
    sql`delete from entries where order_id = ${order_id} and kind = any(${kinds}::text[])`,
  )

/** The ticket's stake was never taken. */
export const neverTake = (owner: Db, ticket: TicketId) => removeByHand(owner, ticket, 'bet', 'bet_hold')

/** A live ticket whose stake was refunded. */
export async function giveStakeBack(office: RepairOffice): Promise<TicketScene> {
  const scene = await placeLive(office)
  await writeByHand(office.app.owner, scene, 'refund', NET)
  return scene
}

const placeAnHourEarlier = ({ order_id }: TicketId) =>
  sql`update orders set placed_at = placed_at - interval '1 hour', created_at = created_at - interval '1 hour'
    where order_id = ${order_id}`

/** As if the period had closed half a minute ago, an hour after the ticket. Earlier commits count as in time. */
export const closeInThePast = (owner: Db, { order_id, period_code }: TicketScene) =>
  changeByHand(
    owner,
    sql`update periods set open_at = open_at - interval '2 days', close_at = clock_timestamp() - interval '30 seconds',
      draw_at = clock_timestamp() - interval '30 seconds' where period_code = ${period_code}`,
    placeAnHourEarlier({ order_id }),
    countCommitsFromNow,
  )

/** A ticket that was cancelled two minutes after its period's close, an hour after placing. */
export async function removeLate(office: RepairOffice): Promise<TicketScene> {
  const { app, member } = office
  const scene = await cancel(member, await placeLive(office))
  await changeByHand(
    app.owner,
    sql`update periods set open_at = open_at - interval '2 days', close_at = clock_timestamp() - interval '2 minutes'
      where period_code = ${scene.period_code}`,
    placeAnHourEarlier(scene),
  )
  await passOverCommits(app.owner)
  return scene
}

/** The names of all violated invariants, sorted. */
export const violationsOf = async (owner: Db): Promise<string[]> =>
  // Every wrong cash account breaks the edges above it, too.
  Object.keys(await findViolatedInvariants(owner, ['edge_is_its_downline'])).toSorted()

/** The invariants that a ticket violates. */
export async function violationsOfTicket(owner: Db, { order_id }: TicketId): Promise<string[]> {
  const broken = Object.entries(await findViolatedInvariants(owner))
  return broken
    .filter(([, findings]) => findings.some((finding) => finding.order_id === order_id))
    .map(([name]) => name)
}

/** An entry of a repair, with the username of its actor. */
export interface WrittenEntry {
  kind: string
  amount_satang: number
  actor: string | null
  idempotency_key: string
}

/** The entries that repairs have written for a ticket. */
export async function listRepairs(owner: Db, { order_id }: TicketId): Promise<WrittenEntry[]> {
  const { rows } = await sql<WrittenEntry>`
    select kind, amount_satang, username as actor, idempotency_key from entries left join users on user_id = actor_id
    where order_id = ${order_id} and idempotency_key like 'repair:%' order by entry_id`.execute(owner)
  return rows
}

/** Proposes the repair of a ticket. @throws Error with the refusal */
export const proposeRepair = (by: TestCaller, { order_id }: TicketId): Promise<ApprovalWithPassword> =>
  mustPropose(by, 'repair_ticket', { order_id })
