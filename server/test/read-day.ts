// Reads a draw day directly from the database, bypassing the application.

import { sql } from 'kysely'
import type { Db } from '../src/postgres/db.ts'
import type { TestCaller } from './test-app.ts'

export interface StoredTicket {
  order_id: number
  user_id: number
  request_id: string
  status: 'CONFIRMED' | 'WAIT_CONFIRM' | 'CANCELLED' | 'DELETED'
  types: string[]
  numbers: string[]
  asked: number[]
  bets: number[]
  received: number[]
  discounts: number[]
  rates: number[]
  halves: boolean[]
  wins: number[]
}

/**
 * Updates statistics of the tables, which grow faster here than autovacuum runs. Without them each ticket reads all
 * tickets.
 */
export async function analyzeTables(owner: Db): Promise<void> {
  await sql`analyze`.execute(owner)
}

/** The tickets of a period with their lines, by id. */
export async function readTickets(owner: Db, period_code: string): Promise<StoredTicket[]> {
  const { rows } = await sql<StoredTicket>`
    select orders.order_id, orders.user_id, orders.request_id::text, orders.status, lines.*
    from orders join periods using (period_id) cross join lateral (
      select array_agg(bet_type order by line_no) as types, array_agg(number order by line_no) as numbers,
        array_agg(asked_satang order by line_no) as asked, array_agg(bet_satang order by line_no) as bets,
        array_agg(received_satang order by line_no) as received, array_agg(discount_satang order by line_no) as discounts,
        array_agg(rate::bigint order by line_no) as rates, array_agg(is_half_pay order by line_no) as halves,
        array_agg(win_satang order by line_no) as wins
      from order_items items where items.order_id = orders.order_id) lines
    where period_code = ${period_code} order by orders.order_id`.execute(owner)
  return rows
}

/** What was accepted on each number of a period: `3top 123 stake`. */
export async function readQuotas(owner: Db, period_code: string): Promise<Record<string, number>> {
  const { rows } = await sql<{ name: string; accepted_satang: number }>`
    select bet_type || ' ' || quota_key || ' stake' as name, accepted_satang from number_quotas join periods using (period_id)
    where period_code = ${period_code} and accepted_satang <> 0`.execute(owner)
  return Object.fromEntries(rows.map(({ name, accepted_satang }) => [name, accepted_satang]))
}

/** The balance of each user's cash account, and the sum of the entries on it. */
export async function readCash(owner: Db): Promise<Map<number, { balance_satang: number; entries_satang: number }>> {
  const { rows } = await sql<{ user_id: number; balance_satang: number; entries_satang: number }>`
    select user_id, balance_satang,
      coalesce((select sum(amount_satang) from entries where to_account_id = account_id), 0)::bigint
        - coalesce((select sum(amount_satang) from entries where from_account_id = account_id), 0)::bigint as entries_satang
    from accounts where kind = 'cash'`.execute(owner)
  return new Map(rows.map(({ user_id, ...cash }) => [user_id, cash]))
}

/** The remaining balance of a period's own account. */
export async function readPeriodBalance(owner: Db, period_code: string): Promise<number> {
  const { rows } = await sql<{ balance_satang: number }>`
    select balance_satang from accounts join periods using (period_id) where period_code = ${period_code}`.execute(
    owner,
  )
  return rows[0]!.balance_satang
}

export interface MovedTicket {
  order_id: number
  moves: string[]
}

/** The id of the latest entry. */
export async function readLastEntryId(owner: Db): Promise<number> {
  const { rows } = await sql<{ last: number }>`select coalesce(max(entry_id), 0) as last from entries`.execute(owner)
  return rows[0]!.last
}

/** Tickets with entries after a given one, with each entry in order. */
export async function readMoves(owner: Db, after: number): Promise<Map<number, string[]>> {
  const { rows } = await sql<MovedTicket>`
    select order_id, array_agg(kind || ' ' || amount_satang order by entry_id) as moves from entries
    where entry_id > ${after} and order_id is not null group by order_id`.execute(owner)
  return new Map(rows.map(({ order_id, moves }) => [order_id, moves]))
}

export interface ReadStatement {
  /** By ticket, oldest first: `bet -670`. Entries without a ticket are under 0. */
  moves: Map<number, string[]>
  /** The balances in order, each with the change that led to it. */
  rows: { amount_satang: number; balance_satang: number }[]
  closing_balance_satang: number
}

/** A member's whole statement, as its pages show it. */
export async function readStatement(member: TestCaller): Promise<ReadStatement> {
  const newestFirst = []
  let closing_balance_satang = 0
  for (let before: number | null | undefined; before !== null;) {
    const query: string = before === undefined ? '' : `&before=${before}`
    const { json } = await member.get(`/mgluser/profit/transaction_list?ipp=100${query}`)
    newestFirst.push(...json.data)
    before = json.next_before
    closing_balance_satang = json.closing_balance_satang
  }
  const rows = newestFirst.toReversed()
  const moves = new Map<number, string[]>()
  for (const { order_id, kind, amount_satang } of rows) {
    const own = moves.get(order_id ?? 0) ?? []
    own.push(`${kind} ${amount_satang}`)
    moves.set(order_id ?? 0, own)
  }
  return { moves, rows, closing_balance_satang }
}
