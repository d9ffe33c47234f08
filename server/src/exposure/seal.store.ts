// The data that reconciliation compares, and the seal itself.

import type { BetTypeCode } from '@megalot/rules'
import { sql } from 'kysely'
import type { Db, Tx } from '../postgres/db.ts'

/** Sums of slots as parallel columns. */
export interface SlotSums {
  slots: number[]
  lines: number[]
  stakes: number[]
  payouts: number[]
}

/** The last step, and received less discounts, of periods with bets. */
export async function listHouseNets(
  db: Db,
  period_ids: readonly number[],
): Promise<{ period_id: number; version: number; net_satang: number }[]> {
  const { rows } = await sql<{ period_id: number; version: number; net_satang: number }>`
    select period_id, version, received_satang - discount_satang as net_satang
    from book_periods where period_id = any(${period_ids}::int[])`.execute(db)
  return rows
}

/** The slots of a period's exposure, in order. */
export async function readSlotSums(db: Db, period_id: number): Promise<SlotSums> {
  const { rows } = await sql<SlotSums>`
    select coalesce(array_agg(slot::bigint order by slot), '{}') as slots,
      coalesce(array_agg(line_count::bigint order by slot), '{}') as lines,
      coalesce(array_agg(stake_satang order by slot), '{}') as stakes,
      coalesce(array_agg(payout_satang order by slot), '{}') as payouts
    from book_slots where period_id = ${period_id}`.execute(db)
  return rows[0]!
}

/** Recounts the live items of a period from its current tickets, by the slot that was bet on. */
export async function recountSlots(db: Db, period_id: number): Promise<SlotSums> {
  const { rows } = await sql<SlotSums>`
    select coalesce(array_agg(slot::bigint), '{}') as slots, coalesce(array_agg(lines), '{}') as lines,
      coalesce(array_agg(stake), '{}') as stakes, coalesce(array_agg(payout), '{}') as payouts
    from (
      select slot, count(*) as lines, sum(line.received_satang)::bigint as stake,
        sum((line.received_satang * rate + 50) / 100)::bigint as payout
      from orders cross join lateral unpack_lines(slots, orders.lines, differences) line
      where period_id = ${period_id} and status in ('CONFIRMED', 'WAIT_CONFIRM') and line.received_satang > 0
        and (returned_lines is null or line_no <> all(returned_lines))
      group by slot
    ) bets`.execute(db)
  return rows[0]!
}

export interface QuotaBlock {
  bet_type: BetTypeCode
  block: number
  accepted_satang: number[]
}

/** Accepted amounts according to the quotas. */
export async function listQuotaBlocks(db: Db, period_id: number): Promise<QuotaBlock[]> {
  const { rows } = await sql<QuotaBlock>`
    select bet_type, block, accepted_satang from accepted_blocks where period_id = ${period_id}`.execute(db)
  return rows
}

/** The first few members whose sums in the exposure differ from `member_periods`. */
export async function listDifferentMembers(db: Db, period_id: number): Promise<number[]> {
  const { rows } = await sql<{ user_id: number }>`
    select user_id from (
      select user_id, sum((select sum(amount) from unnest(received_satang) amount)) as received,
        sum((select sum(amount) from unnest(discount_satang) amount)) as discount
      from book_members where period_id = ${period_id} group by user_id
    ) book full join (
      select user_id, received_satang, discount_satang from member_periods where period_id + 0 = ${period_id}
    ) stored using (user_id)
    where coalesce(received, 0) <> coalesce(received_satang, 0) or coalesce(discount, 0) <> coalesce(discount_satang, 0)
    order by user_id limit 5`.execute(db)
  return rows.map(({ user_id }) => user_id)
}

/** Totals of a period: by slots, by members, and the ledger's movements for its tickets. */
export interface Totals {
  slot_stake: number
  received: number
  discount: number
  member_received: number
  member_discount: number
  /** Balance of the period's account, plus payouts and refunds from it, and amounts held for waiting tickets. */
  ledger_net: number
}

export async function readTotals(db: Db, period_id: number): Promise<Totals> {
  const { rows } = await sql<Totals>`
    select
      (select coalesce(sum(stake_satang), 0) from book_slots where period_id = ${period_id})::bigint as slot_stake,
      coalesce((select received_satang from book_periods where period_id = ${period_id}), 0) as received,
      coalesce((select discount_satang from book_periods where period_id = ${period_id}), 0) as discount,
      (select coalesce(sum((select sum(amount) from unnest(received_satang) amount)), 0) from book_members
        where period_id = ${period_id})::bigint as member_received,
      (select coalesce(sum((select sum(amount) from unnest(discount_satang) amount)), 0) from book_members
        where period_id = ${period_id})::bigint as member_discount,
      ((select balance_satang from accounts where period_id = ${period_id})
        + (select coalesce(sum(win_satang), 0) from member_periods where period_id + 0 = ${period_id})
        + (select coalesce(sum(net_satang), 0) from refunded_orders where period_id = ${period_id})
        + (select coalesce(sum(own_part(l)), 0) from level_periods l where period_id = ${period_id})
        + (select coalesce(sum(received_satang - discount_satang), 0) from orders
            where period_id = ${period_id} and status = 'WAIT_CONFIRM'))::bigint as ledger_net`.execute(db)
  return rows[0]!
}

export type SealState = 'sealed' | 'differs'

export interface Seal {
  state: SealState
  version: number
  book_hash: string
  sealed_at: Date
  differences: Record<string, unknown>
}

export async function findSeal(db: Db, period_id: number): Promise<Seal | undefined> {
  const { rows } = await sql<Seal>`
    select state, version, book_hash, sealed_at, differences from book_seals where period_id = ${period_id}`.execute(db)
  return rows[0]
}

export async function hashBook(db: Db, period_id: number): Promise<string> {
  const { rows } = await sql<{ hash: string }>`select book_hash(${period_id}) as hash`.execute(db)
  return rows[0]!.hash
}

/** The step that last changed a period's exposure; 0 without bets. */
export async function readBookVersion(db: Db, period_id: number): Promise<number> {
  const { rows } = await sql<{ version: number }>`
    select coalesce((select version from book_periods where period_id = ${period_id}), 0) as version`.execute(db)
  return rows[0]!.version
}

/**
 * Whether a period was paid without a seal, as in a history written in bulk. The product pays only sealed periods, and
 * seals cannot be deleted.
 */
export async function isPaidWithoutBook(tx: Tx, period_id: number): Promise<boolean> {
  const { rows } = await sql<{ is_without: boolean }>`
    select exists (select 1 from settlements where period_id = ${period_id} and (round > 0 or finished_at is not null))
      and not exists (select 1 from book_seals where period_id = ${period_id})
      and not exists (select 1 from book_periods where period_id = ${period_id}) as is_without`.execute(tx)
  return rows[0]!.is_without
}

export async function writeSeal(tx: Tx, period_id: number, seal: Omit<Seal, 'sealed_at'>): Promise<void> {
  const differences = JSON.stringify(seal.differences)
  await sql`
    insert into book_seals (period_id, state, version, book_hash, differences)
    values (${period_id}, ${seal.state}, ${seal.version}, ${seal.book_hash}, ${differences}::jsonb)
    on conflict (period_id) do update set state = excluded.state, version = excluded.version, book_hash = excluded.book_hash,
      differences = excluded.differences, sealed_at = clock_timestamp()`.execute(tx)
}

/** Closed, undecided periods whose current exposure is not sealed. One that differs is retried when it changes. */
export async function listPeriodIdsToSeal(db: Db): Promise<number[]> {
  const { rows } = await sql<{ period_id: number }>`
    select period_id from periods
    where outcome = 'pending' and close_at <= clock_timestamp() and not exists (
      select 1 from book_seals seals left join book_periods book using (period_id)
      where seals.period_id = periods.period_id and seals.version = coalesce(book.version, 0))
    order by close_at`.execute(db)
  return rows.map(({ period_id }) => period_id)
}

/** Number of periods that are not paid because their exposure differs. */
export async function countDifferences(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from book_seals join periods using (period_id)
    where state = 'differs' and outcome in ('pending', 'settling')`.execute(db)
  return rows[0]!.count
}
