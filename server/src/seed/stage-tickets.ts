// Copies simulated tickets into the temporary tables of `write-history.ts`.

import { confirmDeadlineMs } from '@megalot/rules'
import { sql } from 'kysely'
import { allocateLines, packLine } from '../modules/orders/index.ts'
import { unquotedArray, plainArray, quotedArray, type Tx } from '../platform/db.ts'
import type { HouseLine, HouseTicket } from './simulated-house.ts'

/** Tickets in one statement: a message to the database has a size limit. */
const AT_ONCE = 2_000

/**
 * Stages tickets in the order in which they were placed.
 * @param first_order_id the id of the first one
 */
export async function stageTickets(tx: Tx, tickets: readonly HouseTicket[], first_order_id: number): Promise<void> {
  for (let from = 0; from < tickets.length; from += AT_ONCE)
    await stageSome(tx, tickets.slice(from, from + AT_ONCE), first_order_id + from)
  await stageEvents(tx, tickets, first_order_id)
}

async function stageSome(tx: Tx, tickets: readonly HouseTicket[], first_order_id: number): Promise<void> {
  const bare = (pick: (ticket: HouseTicket) => number | string | null) => unquotedArray(tickets.map(pick))
  await sql`
    insert into seed_tickets (order_id, user_id, period_id, package_id, first_status, status, note, placed_at,
      confirm_deadline_at, decided_at, cancelled_by, slots, lines, differences, returned_lines, placed_bet_satang,
      placed_received_satang, placed_discount_satang)
    select ${first_order_id}::bigint + place - 1, users.user_id, period_id, package_id, first_status, given.status, note,
      placed_at, confirm_deadline_at, decided_at, canceller.user_id, slots::smallint[], decode(lines, 'hex'),
      nullif(differences, '')::bigint[], nullif(returned_lines, '{}')::int[], bet, received, discount
    from unnest(
      ${bare((each) => each.username)}::text[], ${bare((each) => each.period_code)}::text[],
      ${bare((each) => each.package_code)}::text[], ${bare((each) => each.first_status)}::text[],
      ${bare((each) => each.status)}::text[], ${plainArray(tickets.map((each) => each.note))}::text[],
      ${tickets.map((each) => toInstant(each.placed_ms))}::timestamptz[], ${tickets.map((each) => toInstant(deadlineOf(each)))}::timestamptz[],
      ${tickets.map((each) => toInstant(each.decided_ms))}::timestamptz[], ${bare((each) => each.cancelled_by)}::text[],
      ${quotedArray(tickets.map((each) => unquotedArray(each.lines.map(({ slot }) => slot))))}::text[],
      ${quotedArray(tickets.map(packLines))}::text[], ${quotedArray(tickets.map(packDifferences))}::text[],
      ${quotedArray(tickets.map((each) => unquotedArray(each.returned_lines)))}::text[],
      ${bare((each) => sumOf(each, 'bet_satang'))}::bigint[], ${bare((each) => sumOf(each, 'received_satang'))}::bigint[],
      ${bare((each) => sumOf(each, 'discount_satang'))}::bigint[]
    ) with ordinality as given (username, period_code, package_code, first_status, status, note, placed_at,
      confirm_deadline_at, decided_at, cancelled_by, slots, lines, differences, returned_lines, bet, received, discount, place)
      join users using (username) join periods using (period_code)
      join packages on packages.product_code = periods.product_code and packages.package_code = given.package_code
      left join users canceller on canceller.username = given.cancelled_by`.execute(tx)
}

function toInstant(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString()
}

function deadlineOf({ first_status, placed_ms, close_ms }: HouseTicket): number | null {
  return first_status === 'WAIT_CONFIRM' ? confirmDeadlineMs(placed_ms, close_ms) : null
}

function sumOf({ lines }: HouseTicket, column: 'bet_satang' | 'received_satang' | 'discount_satang'): number {
  return lines.reduce((sum, line) => sum + line[column], 0)
}

/** The column `lines` of `orders`, in hexadecimal digits. */
function packLines({ lines }: HouseTicket): string {
  const packed = allocateLines(lines.length)
  for (const [index, line] of lines.entries())
    packLine(packed, index, line.bet_satang / 100, line.rate, line.discount_rate)
  return packed.toString('hex')
}

/** The column `differences` of `orders`; empty where it is null. */
function packDifferences({ lines }: HouseTicket): string {
  if (!lines.some(hasDifference)) return ''
  return unquotedArray(lines.flatMap((line) => [line.received_satang, line.rate_seen, line.is_half_pay ? 1 : 0]))
}

function hasDifference({ bet_satang, received_satang, rate, rate_seen, is_half_pay }: HouseLine): boolean {
  return received_satang !== bet_satang || rate !== rate_seen || is_half_pay
}

async function stageEvents(tx: Tx, tickets: readonly HouseTicket[], first_order_id: number): Promise<void> {
  const events = tickets.flatMap((ticket, index) =>
    ticket.events.map((event) => ({ ...event, order_id: first_order_id + index })),
  )
  await sql`
    insert into seed_events (order_id, at, event, from_status, to_status, actor_id, reason, released)
    select order_id, at, event, from_status, to_status, user_id, reason, released::int[]
    from unnest(
      ${unquotedArray(events.map((each) => each.order_id))}::bigint[],
      ${events.map((each) => new Date(each.at_ms).toISOString())}::timestamptz[],
      ${unquotedArray(events.map((each) => each.event))}::text[], ${unquotedArray(events.map((each) => each.from_status))}::text[],
      ${unquotedArray(events.map((each) => each.to_status))}::text[], ${unquotedArray(events.map((each) => each.actor))}::text[],
      ${events.map((each) => each.reason)}::text[],
      ${quotedArray(events.map((each) => unquotedArray(each.released)))}::text[]
    ) as given (order_id, at, event, from_status, to_status, actor, reason, released)
      left join users on username = actor`.execute(tx)
}

/** The first settlement of a period (round 0) or that of its first correction (round 1). */
export interface StagedRound {
  period_code: string
  round: 0 | 1
  started_at: Date
  finished_at: Date
  /** Slots that win now and did not before, and slots that won before and do not now. */
  won: readonly number[]
  lost: readonly number[]
}

export async function stageRounds(tx: Tx, rounds: readonly StagedRound[]): Promise<void> {
  const codes = unquotedArray(rounds.map((each) => each.period_code))
  const numbers = unquotedArray(rounds.map((each) => each.round))
  await sql`
    insert into seed_settlements (period_id, round, started_at, finished_at)
    select period_id, given.round, started_at, finished_at
    from unnest(${codes}::text[], ${numbers}::int[], ${rounds.map((each) => each.started_at)}::timestamptz[],
      ${rounds.map((each) => each.finished_at)}::timestamptz[]) as given (period_code, round, started_at, finished_at)
      join periods using (period_code)`.execute(tx)
  await sql`
    insert into seed_winning (period_id, round, slot, sign)
    select period_id, given.round, slot, 1
    from unnest(${codes}::text[], ${numbers}::int[], ${quotedArray(rounds.map((each) => unquotedArray(each.won)))}::text[])
      as given (period_code, round, slots) join periods using (period_code) cross join unnest(slots::int[]) slot
    union all
    select period_id, given.round, slot, -1
    from unnest(${codes}::text[], ${numbers}::int[], ${quotedArray(rounds.map((each) => unquotedArray(each.lost)))}::text[])
      as given (period_code, round, slots) join periods using (period_code) cross join unnest(slots::int[]) slot`.execute(
    tx,
  )
}
