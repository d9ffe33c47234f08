import { sql } from 'kysely'
import type { Tx } from '../../postgres/db.ts'

/** The money of a ticket, from its member's point of view. */
export interface TicketMoney {
  /** Taken from cash for the stake, including held money, less refunds. */
  stake_satang: number
  win_satang: number
  held_satang: number
}

/**
 * What a ticket's entries have moved, and what they should have, as the invariants compare it. The caller has locked
 * the ticket and the cash.
 */
export async function findTicketMoney(
  tx: Tx,
  order_id: number,
  { cash, held }: { cash: number; held: number },
): Promise<{ username: string; moved: TicketMoney; due: TicketMoney }> {
  const { rows } = await sql<{ username: string; moved: TicketMoney; due: TicketMoney }>`
    with moves as materialized (
      select from_account_id as account_id, kind, -amount_satang as amount from entries
      where from_account_id in (${cash}, ${held}) and order_id = ${order_id}
      union all
      select to_account_id, kind, amount_satang from entries
      where to_account_id in (${cash}, ${held}) and kind <> 'bet' and order_id = ${order_id}
    ), moved as (
      select coalesce(-sum(amount) filter (where account_id = ${cash} and kind not in ('win', 'reversal')), 0) as stake_satang,
        coalesce(sum(amount) filter (where account_id = ${cash} and kind in ('win', 'reversal')), 0) as win_satang,
        coalesce(sum(amount) filter (where account_id = ${held}), 0) as held_satang
      from moves
    ), due as (
      select case when status in ('CONFIRMED', 'WAIT_CONFIRM') and refunded.order_id is null
          then received_satang - discount_satang else 0 end as stake_satang,
        win_satang,
        case when status = 'WAIT_CONFIRM' then received_satang - discount_satang else 0 end as held_satang
      from orders left join refunded_orders refunded using (order_id) where order_id = ${order_id}
    )
    select username, to_json(moved) as moved, to_json(due) as due
    from orders join users using (user_id) cross join moved cross join due where order_id = ${order_id}`.execute(tx)
  return rows[0]!
}

/** The key of a repair's entries, from the approval that this transaction executes; null if it is only tried. */
export async function nameRepair(tx: Tx, order_id: number): Promise<string | null> {
  const { rows } = await sql<{ name: string }>`
    select 'repair:' || approval_id as name from approvals
    where kind = 'repair_ticket' and executed_in = pg_current_xact_id() and subject = ${`order:${order_id}`}`.execute(
    tx,
  )
  return rows[0]?.name ?? null
}
