// Queries of the risk board: the house's stored exposure, or that of an agent's downline, summed from its members'
// tickets.

import { sql } from 'kysely'
import type { Db } from '../postgres/db.ts'
import { isInPeriod } from '../betting/index.ts'
import type { SealState } from './seal.store.ts'

export interface BookTotals {
  version: number
  /** Earlier versions are incomparable, because the exposure was rebuilt. */
  first_version: number
  line_count: number
  received_satang: number
  discount_satang: number
  own_received_satang: number
  own_discount_satang: number
}

/** The numbers of an exposure as columns, by slot. */
export interface BookColumns {
  slots: number[]
  line_counts: number[]
  stakes: number[]
  payouts: number[]
  own_stakes: number[]
  own_payouts: number[]
}

/** The house's totals; undefined without bets. */
export async function findHouseTotals(db: Db, period_id: number): Promise<BookTotals | undefined> {
  const { rows } = await sql<BookTotals>`
    select version, first_version, line_count, received_satang, discount_satang, own_received_satang, own_discount_satang
    from book_periods where period_id = ${period_id}`.execute(db)
  return rows[0]
}

/** The house's numbers that have changed after a version. */
export async function readHouseColumns(db: Db, period_id: number, since: number): Promise<BookColumns> {
  const { rows } = await sql<BookColumns>`
    select coalesce(array_agg(slot::bigint order by slot), '{}') as slots,
      coalesce(array_agg(line_count::bigint order by slot), '{}') as line_counts,
      coalesce(array_agg(stake_satang order by slot), '{}') as stakes,
      coalesce(array_agg(payout_satang order by slot), '{}') as payouts,
      coalesce(array_agg(own_stake_satang order by slot), '{}') as own_stakes,
      coalesce(array_agg(own_payout_satang order by slot), '{}') as own_payouts
    from book_slots where period_id = ${period_id} and version > ${since}`.execute(db)
  return rows[0]!
}

export interface SlotRow {
  slot: number
  lines: number
  stake: number
  payout: number
}

/** Live items of the members below an agent, by the slot that was bet on. */
export async function listDownlineSlots(db: Db, period_id: number, agent_id: number): Promise<SlotRow[]> {
  const { rows } = await sql<SlotRow>`
    select slot, count(*)::int as lines, sum(line.received_satang)::bigint as stake,
      sum((line.received_satang * rate + 50) / 100)::bigint as payout
    from users below join member_periods m on m.user_id = below.user_id and m.period_id = ${period_id}
      cross join lateral (
        select slots, lines, differences, returned_lines from orders
        where user_id = below.user_id and ${isInPeriod(period_id)}
          and status in ('CONFIRMED', 'WAIT_CONFIRM') offset 0
      ) ticket
      cross join lateral unpack_lines(ticket.slots, ticket.lines, ticket.differences) line
    where below.upline_ids @> array[${agent_id}::bigint] and below.level = 'member' and line.received_satang > 0
      and (ticket.returned_lines is null or line_no <> all(ticket.returned_lines))
    group by slot`.execute(db)
  return rows
}

export interface DownlineTotals {
  received_satang: number
  discount_satang: number
  own_received_satang: number
  own_discount_satang: number
  /** The part that the agent keeps of every item below it, in hundredths of a percent. */
  position_rate: number
}

/**
 * The totals of an agent's downline. Its own part is what came from below less what it passes on, as in reports of
 * settled periods (`passed_by_levels`), but rounded per chain of uplines.
 */
export async function readDownlineTotals(db: Db, period_id: number, agent_id: number): Promise<DownlineTotals> {
  const { rows } = await sql<DownlineTotals>`
    with period as (select shares_at from periods where period_id = ${period_id}),
    lines as (
      select upline_ids, sum(received_satang)::bigint as received, sum(discount_satang)::bigint as discount
      from users join member_periods using (user_id)
      where upline_ids @> array[${agent_id}::bigint] and level = 'member' and period_id = ${period_id} and ticket_count > 0
      group by upline_ids
    ), parts as (
      select received, discount, own.left_rate, own.commission_rate, coalesce(below.left_rate, 10000) as came_rate,
        coalesce(below.commission_rate, 0) as came_commission
      from lines cross join period
        cross join lateral (select * from left_above_levels(upline_ids, shares_at) where level_id = ${agent_id}) own
        left join lateral (select * from left_above_levels(upline_ids, shares_at)) below on below.depth = own.depth + 1
    )
    select coalesce(sum(received), 0)::bigint as received_satang, coalesce(sum(discount), 0)::bigint as discount_satang,
      coalesce(sum(part_of(received, came_rate) - part_of(received, left_rate)), 0)::bigint as own_received_satang,
      coalesce(sum(part_of(discount + part_of(received, came_commission), came_rate)
        - part_of(discount + part_of(received, commission_rate), left_rate)), 0)::bigint as own_discount_satang,
      coalesce((select position_rate from period cross join lateral share_terms_at(${agent_id}, shares_at)), 0) as position_rate
    from parts`.execute(db)
  return rows[0]!
}

/** The latest step of the projection. */
export async function readCursorVersion(db: Db): Promise<number> {
  const { rows } = await sql<{ version: number }>`select version from book_cursor`.execute(db)
  return rows[0]!.version
}

export interface BookState {
  seal: 'open' | SealState
  age_ms: number
}

/** The seal of a period's exposure, and how long the oldest ticket or event not counted yet has waited. */
export async function readBookState(db: Db, period_id: number): Promise<BookState> {
  const { rows } = await sql<BookState>`
    select coalesce((select state from book_seals where period_id = ${period_id}), 'open') as seal,
      coalesce(greatest(0, extract(epoch from clock_timestamp() - least(
        (select placed_at from orders where order_id > orders_up_to and not order_id <@ orders_beyond order by order_id limit 1),
        (select at from order_events where event_id > events_up_to and not event_id <@ events_beyond
          order by event_id limit 1))) * 1000), 0)::int as age_ms
    from book_cursor`.execute(db)
  return rows[0]!
}

/** Which prizes count as 3bottom in a period. */
export async function readBottom3Set(db: Db, period_id: number): Promise<'back' | 'front+back'> {
  const { rows } = await sql<{ bottom3_set: 'back' | 'front+back' }>`
    select bottom3_set from periods where period_id = ${period_id}`.execute(db)
  return rows[0]!.bottom3_set
}
