import type { EntryKind } from '@megalot/contract'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../postgres/db.ts'

export interface TransactionRecord {
  entry_id: number
  at: Date
  kind: EntryKind
  order_id: number | null
  product_code: string | null
  period_code: string | null
  amount_satang: number
  balance_satang: number
  held_satang: number
  held_balance_satang: number
}

export interface StatementFilter {
  date_from?: string | undefined
  date_to?: string | undefined
  product_codes?: readonly string[] | undefined
}

export interface StatementPart {
  transactions: TransactionRecord[]
  /** Cursor of the next page; null if there are no more. */
  next_before: number | null
}

/** How many entries are scanned for one page of a statement of selected markets. */
const SCAN_LIMIT = 400
/** Days are located with ten minutes to spare at either end, so more entries are scanned. */
const AT_THE_ENDS = 100

const startOf = (day: string): RawBuilder<unknown> => sql`(${day}::date)::timestamp at time zone 'Asia/Bangkok'`
const endOf = (day: string): RawBuilder<unknown> => sql`(${day}::date + 1)::timestamp at time zone 'Asia/Bangkok'`

type Side = 'from_account_id' | 'to_account_id'

/** Whether an entry has a user's account on a side. Bets credit no user, so `entries_by_to` contains none. */
function isSideOf(side: Side, account_id: RawBuilder<unknown>): RawBuilder<unknown> {
  const isOnSide = sql`${sql.ref(side)} = ${account_id}`
  return side === 'to_account_id' ? sql`${isOnSide} and kind <> 'bet'` : isOnSide
}

/**
 * A user's entries with the balance (cash and held together) and the credit on hold after each, newest first. Balances
 * are computed backwards from the current one, or from the next mark, in one snapshot; only the entries in between are
 * summed. Marks leave out what is on hold, so that is computed from the current one: few entries move it.
 */
export async function listEntries(
  db: Db,
  user_id: number,
  { date_from, date_to, product_codes }: StatementFilter,
  { limit, offset, before }: { limit: number; offset: number; before?: number | undefined },
): Promise<StatementPart> {
  const { low, high, held_account_id } = await findBounds(db, user_id, date_from, date_to)
  const held = sql`${held_account_id}::bigint`
  const last = Math.min(high ?? Number.MAX_SAFE_INTEGER, (before ?? Number.MAX_SAFE_INTEGER) - 1)
  const row_count = offset + limit + 1
  const spare = high !== null || low !== null ? AT_THE_ENDS : 0
  const scanSize = Math.max(row_count + spare, product_codes === undefined ? 0 : SCAN_LIMIT)
  const conditions = [sql`true`]
  if (date_from !== undefined) conditions.push(sql`entries.at >= ${startOf(date_from)}`)
  if (date_to !== undefined) conditions.push(sql`entries.at < ${endOf(date_to)}`)
  if (product_codes !== undefined) conditions.push(sql`periods.product_code = any(${product_codes}::text[])`)
  const side = (column: Side) => sql`
    select side.entry_id from own cross join lateral (
      select entry_id from entries where ${isSideOf(column, sql`own.account_id`)} and entry_id <= ${last}::bigint
        and entry_id > ${low ?? 0}::bigint order by entry_id desc limit ${sql.lit(scanSize)}
    ) side`
  // By account, so that it is an index scan whatever the planner expects of the range.
  const later = (column: Side) => sql`
    select amount_satang as moved from entries where ${isSideOf(column, sql`own.account_id`)} and entry_id > ${last}::bigint
      and entry_id <= (select entry_id from anchor) offset 0`
  const { rows } = await sql<TransactionRecord & { scanned_count: number; last_scanned: number }>`
    with own as materialized (select account_id, balance_satang from accounts where user_id = ${user_id}),
    anchor as materialized (
      select entry_id, balance_satang from (
        (select entry_id, balance_satang from balance_marks
          where user_id = ${user_id} and entry_id >= ${last}::bigint order by entry_id limit 1)
        union all select 9223372036854775807, sum(balance_satang)::bigint from own
      ) anchors order by entry_id limit 1
    ),
    later as (
      select coalesce(sum(amount), 0) as amount from (
        select -moved as amount from own cross join lateral (${later('from_account_id')}) given
        union all select moved from own cross join lateral (${later('to_account_id')}) taken
      ) sides
    ),
    held_later as (
      select coalesce(sum(amount), 0) as amount from (
        select -amount_satang as amount from entries where ${isSideOf('from_account_id', held)} and entry_id > ${last}::bigint
        union all
        select amount_satang from entries where ${isSideOf('to_account_id', held)} and entry_id > ${last}::bigint
      ) sides
    ),
    newest as materialized (
      select entry_id from (${side('from_account_id')} union ${side('to_account_id')}) found
      order by entry_id desc limit ${sql.lit(scanSize)}
    ),
    moved as materialized (
      select entries.*,
        case when to_account_id in (select account_id from own) then amount_satang else 0 end
          - case when from_account_id in (select account_id from own) then amount_satang else 0 end as moved_satang,
        case when to_account_id = ${held} then amount_satang else 0 end
          - case when from_account_id = ${held} then amount_satang else 0 end as held_satang
      from newest join entries using (entry_id)
    ),
    running as (
      select moved.*, (select balance_satang from anchor) - (select amount from later)
        - coalesce(sum(moved_satang) over (order by entry_id desc rows between unbounded preceding and 1 preceding), 0)
        as balance_satang,
        (select balance_satang from own where account_id = ${held}) - (select amount from held_later)
        - coalesce(sum(held_satang) over (order by entry_id desc rows between unbounded preceding and 1 preceding), 0)
        as held_balance_satang
      from moved
    )
    select entry_id, entries.at, entries.kind, entries.order_id, product_code, period_code,
      moved_satang::bigint as amount_satang, balance_satang::bigint, held_satang::bigint, held_balance_satang::bigint,
      (select count(*)::int from newest) as scanned_count, (select min(entry_id) from newest) as last_scanned
    from running entries left join orders using (order_id) left join periods on periods.period_id = orders.period_id
    where ${sql.join(conditions, sql` and `)}
    order by entry_id desc limit ${limit + 1}::int offset ${offset}::int`.execute(db)
  const isMore = rows.length > limit
  const transactions = rows
    .slice(0, limit)
    .map(({ scanned_count: _count, last_scanned: _last, ...transaction }) => transaction)
  if (isMore) return { transactions, next_before: transactions.at(-1)!.entry_id }
  return { transactions, next_before: await findRest(db, user_id, rows[0], last, low ?? 0, scanSize) }
}

/** The cursor after an unfilled page: the last scanned entry, if more follow. */
async function findRest(
  db: Db,
  user_id: number,
  row: { scanned_count: number; last_scanned: number } | undefined,
  last: number,
  low: number,
  scanSize: number,
): Promise<number | null> {
  if (row) return row.scanned_count >= scanSize ? row.last_scanned : null
  // No row says how far the scan went.
  const side = (column: Side) => sql`
    select side.entry_id from accounts cross join lateral (
      select entry_id from entries where ${isSideOf(column, sql`account_id`)} and entry_id <= ${last}::bigint
        and entry_id > ${low}::bigint order by entry_id desc limit ${sql.lit(scanSize)}) side where user_id = ${user_id}`
  const { rows } = await sql<{ last_scanned: number | null; scanned_count: number }>`
    select min(entry_id) as last_scanned, count(*)::int as scanned_count from (
      select entry_id from (${side('from_account_id')} union ${side('to_account_id')}) found
      order by entry_id desc limit ${sql.lit(scanSize)}) newest`.execute(db)
  return rows[0]!.scanned_count >= scanSize ? rows[0]!.last_scanned : null
}

const entryBefore = (instant: RawBuilder<unknown>) => sql`id_before('entries', 'entry_id', 'at', ${instant})`

interface Bounds {
  low: number | null
  high: number | null
  /** Null for a user without accounts. */
  held_account_id: number | null
}

/** The range of entry ids of the days, with a margin, and the account of credit on hold. Read first, so that the planner sees numbers. */
async function findBounds(
  db: Db,
  user_id: number,
  date_from: string | undefined,
  date_to: string | undefined,
): Promise<Bounds> {
  const { rows } = await sql<Bounds>`
    select ${date_from === undefined ? null : entryBefore(startOf(date_from))}::bigint as low,
      ${date_to === undefined ? null : entryBefore(sql`${endOf(date_to)} + interval '20 minutes'`)}::bigint as high,
      (select account_id from accounts where user_id = ${user_id} and kind = 'held') as held_account_id`.execute(db)
  return rows[0]!
}

/**
 * A user's balances before the first and after the last day, each from the mark before that midnight; without days 0,
 * and the current balance.
 */
export async function readBalances(
  db: Db,
  user_id: number,
  { date_from, date_to }: StatementFilter,
): Promise<{ opening_balance_satang: number; closing_balance_satang: number }> {
  const { rows } = await sql<{ opening_balance_satang: number; closing_balance_satang: number }>`
    select ${date_from === undefined ? sql`0::bigint` : sql`balance_before(${user_id}, ${startOf(date_from)})`}
        as opening_balance_satang,
      ${
        date_to === undefined
          ? sql`(select sum(balance_satang)::bigint from accounts where user_id = ${user_id})`
          : sql`balance_before(${user_id}, ${endOf(date_to)})`
      } as closing_balance_satang`.execute(db)
  return rows[0]!
}

/** The newest entry on a side of the accounts `account_ids`. */
const newestOn = (side: Side): RawBuilder<unknown> => sql`
  (select max(last.entry_id) from unnest(account_ids) one (account_id) cross join lateral (
    select entry_id from entries where ${isSideOf(side, sql`one.account_id`)} order by entry_id desc limit 1) last)`

/** At most `most` entries on that side after `marked_id`. */
const newerOn = (side: Side, most: number): RawBuilder<unknown> => sql`
  (select 1 from entries where ${isSideOf(side, sql`any(account_ids)`)} and entry_id > marked_id limit ${sql.lit(most)})`

/**
 * Marks the balance of every user with this many entries since its last mark.
 * @param least at least 1
 * @returns how many were marked
 */
export async function insertBalanceCheckpoints(db: Db, least: number): Promise<number> {
  const { numAffectedRows } = await sql`
    insert into balance_marks (user_id, entry_id, balance_satang)
    select user_id, newest.entry_id, own.balance_satang
    from (select user_id, array_agg(account_id) as account_ids, sum(balance_satang)::bigint as balance_satang
        from accounts where user_id is not null group by user_id) own
      cross join lateral (select coalesce(max(entry_id), 0) as marked_id from balance_marks marks where marks.user_id = own.user_id) marked
      cross join lateral (select greatest(${newestOn('from_account_id')}, ${newestOn('to_account_id')}) as entry_id) newest
    where newest.entry_id > marked_id and (select count(*) from (
      ${newerOn('from_account_id', least)} union all ${newerOn('to_account_id', least)}) counted) >= ${sql.lit(least)}
    on conflict (user_id, entry_id) do nothing`.execute(db)
  return Number(numAffectedRows ?? 0)
}
