// Reads and writes of settlement: winners only.

import type { Bottom3Set, DrawResult } from '@megalot/rules'
import { sql } from 'kysely'
import { type Db, plainArray, type Tx, unquotedArray } from '../postgres/db.ts'
import type { Progress } from './ticket-steps.ts'

/**
 * The progress of settlement, created on first use. Settlement round 0 is the period's first, 1… are its corrections.
 */
export async function lockSettlement(tx: Tx, period_id: number): Promise<Progress> {
  await sql`insert into settlements (period_id) values (${period_id}) on conflict do nothing`.execute(tx)
  const { rows } = await sql<Progress>`
    select paid_up_to_order_id as done_up_to_order_id, finished_at is not null as "isFinished", round from settlements
    where period_id = ${period_id} for update`.execute(tx)
  return rows[0]!
}

/** Begins a further settlement round of a settled period. */
export async function beginRound(tx: Tx, period_id: number, round: number): Promise<void> {
  await sql`
    insert into settlements (period_id, round) values (${period_id}, ${round})
    on conflict (period_id) do update set round = excluded.round, paid_up_to_order_id = 0, paid_orders = 0, paid_satang = 0,
      started_at = clock_timestamp(), finished_at = null`.execute(tx)
}

/** Which prizes count as 3bottom in a period. */
export async function getBottom3Set(tx: Tx, period_id: number): Promise<Bottom3Set> {
  const { rows } = await sql<{ bottom3_set: Bottom3Set }>`
    select bottom3_set from periods where period_id = ${period_id}`.execute(tx)
  return rows[0]!.bottom3_set
}

/** The result that an agreed correction replaces. */
export async function findReplacedResult(tx: Tx, period_id: number, round: number): Promise<DrawResult | undefined> {
  const row = await tx
    .selectFrom('award_corrections')
    .select('old_result')
    .where('period_id', '=', period_id)
    .where('round', '=', round)
    .where('state', '=', 'agreed')
    .executeTakeFirst()
  return row?.old_result
}

/**
 * Confirmed tickets of a period that contain one of these bets, ordered by id. Found by the period's slot index,
 * without reading other tickets.
 * @param options `includesWaiting`: also those that the next job confirms, because the period has closed
 * @throws Error if the index is not built: otherwise no one would win
 */
export async function listTicketsWithBets(
  tx: Tx,
  period_id: number,
  slots: readonly number[],
  after_order_id: number,
  { includesWaiting = false }: { includesWaiting?: boolean } = {},
): Promise<number[]> {
  // Whatever the statistics of the tables say, tickets are read by id.
  await sql`set local enable_seqscan = off`.execute(tx)
  const { rows } = await sql<{ order_ids: number[] }>`
    select array(select order_id from orders
      where (status = 'CONFIRMED' or (status = 'WAIT_CONFIRM' and ${includesWaiting})) and order_id > ${after_order_id}
        and order_id = any(array(select unnest(order_ids) from period_slots
          where period_id = ${period_id} and slot = any(${unquotedArray(slots)}::smallint[])))
      order by order_id) as order_ids
    from slot_indexes where period_id = ${period_id} and built_at is not null`.execute(tx)
  if (!rows[0]) throw new Error(`Period ${period_id} is to be settled without its slot index`)
  return rows[0].order_ids
}

/** An item on one of the given bets. */
export interface MatchingLine {
  order_id: number
  user_id: number
  line_no: number
  slot: number
  bet_satang: number
  received_satang: number
  discount_satang: number
  rate: number
  /** The whole ticket's wins so far. */
  ticket_win_satang: number
}

/**
 * Accepted, unreturned items of tickets with one of these bets. `unpack_lines` reads the columns `slots`, `lines` and
 * `differences`; item n is on the nth slot.
 */
export async function listMatchingLines(
  tx: Tx,
  order_ids: readonly number[],
  slots: readonly number[],
): Promise<MatchingLine[]> {
  const { rows } = await sql<MatchingLine>`
    select order_id, user_id, line_no, slot, line.bet_satang, line.received_satang, line.discount_satang, rate,
      win_satang as ticket_win_satang
    from orders cross join lateral unpack_lines(slots, lines, differences) line
    where order_id = any(${plainArray(order_ids)}::bigint[]) and slot = any(${unquotedArray(slots)}::int[])
      and (returned_lines is null or line_no <> all (returned_lines)) and line.received_satang > 0
    order by order_id, line_no`.execute(tx)
  return rows
}

/** An item that won in a settlement round (sign 1), or lost its win by a correction (sign -1, with a negative win). */
export interface LineWin extends MatchingLine {
  sign: 1 | -1
  win_satang: number
}

/** Writes wins of items and adds them to their tickets. */
export async function writeWins(tx: Tx, period_id: number, round: number, wins: readonly LineWin[]): Promise<void> {
  const column = (pick: (win: LineWin) => number) => plainArray(wins.map(pick))
  await sql`
    with given as (
      select * from unnest(${column((win) => win.order_id)}::bigint[], ${column((win) => win.line_no)}::int[],
        ${column((win) => win.user_id)}::bigint[], ${column((win) => win.slot)}::int[],
        ${column((win) => win.bet_satang)}::bigint[], ${column((win) => win.received_satang)}::bigint[],
        ${column((win) => win.discount_satang)}::bigint[], ${column((win) => win.rate)}::int[],
        ${column((win) => win.sign)}::int[], ${column((win) => win.win_satang)}::bigint[])
        as given (order_id, line_no, user_id, slot, bet_satang, received_satang, discount_satang, rate, sign, win_satang)
    ), items as (
      insert into order_wins (order_id, line_no, round, period_id, user_id, slot, bet_satang, received_satang,
        discount_satang, rate, sign, win_satang)
      select order_id, line_no, ${round}, ${period_id}, user_id, slot, bet_satang, received_satang, discount_satang, rate,
        sign, win_satang from given
    )
    update orders set win_satang = orders.win_satang + total.win_satang
    from (select order_id, sum(win_satang)::bigint as win_satang from given group by order_id) total
    where orders.order_id = total.order_id`.execute(tx)
}

/**
 * Allows accounts to go below their floors by what a correction takes back (`allow_overdraft` in `0008-awards.sql`).
 */
export async function permitOverdrafts(
  tx: Tx,
  period_id: number,
  amounts: readonly { account_id: number; amount_satang: number }[],
): Promise<void> {
  await sql`
    select allow_overdraft(${period_id}, ${plainArray(amounts.map((each) => each.account_id))}::bigint[],
      ${plainArray(amounts.map((each) => each.amount_satang))}::bigint[])`.execute(tx)
}

/** Reduces allowed overdrafts, as far as their members have received money since. */
export async function reduceOverdrafts(db: Db): Promise<void> {
  await sql`select lower_overdrafts()`.execute(db)
}

export async function saveProgress(
  tx: Tx,
  period_id: number,
  progress: { done_up_to_order_id: number; orders: number; paid_satang: number; taken_back_satang: number },
): Promise<void> {
  await sql`
    update settlements set paid_up_to_order_id = ${progress.done_up_to_order_id},
      paid_orders = paid_orders + ${progress.orders}, paid_satang = paid_satang + ${progress.paid_satang}
    where period_id = ${period_id}`.execute(tx)
  await sql`
    update award_corrections set paid_satang = paid_satang + ${progress.paid_satang},
      taken_back_satang = taken_back_satang + ${progress.taken_back_satang}
    where period_id = ${period_id} and state = 'agreed'`.execute(tx)
}

/** @returns the settled correction, if any */
export async function finishSettlement(tx: Tx, period_id: number): Promise<number | undefined> {
  await sql`update settlements set finished_at = clock_timestamp() where period_id = ${period_id}`.execute(tx)
  const { rows } = await sql<{ correction_id: number }>`
    update award_corrections set state = 'settled', settled_at = clock_timestamp()
    where period_id = ${period_id} and state = 'agreed' returning correction_id`.execute(tx)
  return rows[0]?.correction_id
}
