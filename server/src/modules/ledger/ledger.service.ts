// Double entry: the only way in which money moves. The database applies postings to balances, refuses entries that do
// not sum to 0, and refuses a balance below its floor (`0003-ledger.sql`).

import { sql } from 'kysely'
import type { EntryKind } from '@megalot/contract'
import type { Db, Tx } from '../../platform/db.ts'

export interface Entry {
  kind: EntryKind
  order_id: number | null
  /** A name for what must happen once at most, such as `win:12:100077`; null where the caller's own rows ensure it. */
  once_key: string | null
  /** Null: the system itself. */
  actor_id: number | null
  /** Two or more, summing to 0. */
  postings: readonly { account_id: number; amount_satang: number }[]
}

export interface Account {
  account_id: number
  balance_satang: number
  /** Minus the credit limit; null for accounts without a floor. */
  floor_satang: number | null
}

/** Opens the two accounts of a new user. */
export async function openUserAccounts(db: Db, user_id: number, credit_limit_satang: number): Promise<void> {
  await db
    .insertInto('accounts')
    .values([
      { kind: 'cash', user_id, period_id: null, floor_satang: -credit_limit_satang },
      { kind: 'held', user_id, period_id: null, floor_satang: 0 },
    ])
    .execute()
}

export interface CashAccount extends Account {
  user_id: number
  /** The same user's account of money in waiting tickets; whoever holds the lock on cash may move it. */
  held_account_id: number
}

/** The cash accounts of users, by user id, locked in sorted order: two transactions that share users never wait in a circle. */
export async function lockCashAccounts(tx: Tx, user_ids: readonly number[]): Promise<Map<number, CashAccount>> {
  const { rows } = await sql<CashAccount>`
    select cash.user_id, cash.account_id, cash.balance_satang, cash.floor_satang, held.account_id as held_account_id
    from accounts cash join accounts held on held.user_id = cash.user_id and held.kind = 'held'
    where cash.kind = 'cash' and cash.user_id = any(${user_ids}::bigint[])
    order by cash.account_id for no key update of cash`.execute(tx)
  return new Map(rows.map((row) => [row.user_id, row]))
}

export async function getPeriodAccountId(db: Db, period_id: number): Promise<number> {
  const row = await db
    .selectFrom('accounts')
    .select('account_id')
    .where('period_id', '=', period_id)
    .executeTakeFirstOrThrow()
  return row.account_id
}

export async function findPeriodAccountId(db: Db, period_code: string): Promise<number | undefined> {
  const { rows } = await sql<{ account_id: number }>`
    select account_id from accounts join periods using (period_id) where period_code = ${period_code}`.execute(db)
  return rows[0]?.account_id
}

/** Writes entries and their postings in one statement; balances follow. All or nothing. */
export async function postEntries(tx: Tx, entries: readonly Entry[]): Promise<void> {
  if (entries.length === 0) return
  const postings = entries.flatMap((entry, index) => entry.postings.map((posting) => ({ index, ...posting })))
  await sql`
    with numbered as (
      select nextval('entry_ids') as entry_id, given.*
      from unnest(
        ${entries.map((entry) => entry.kind)}::text[], ${entries.map((entry) => entry.order_id)}::bigint[],
        ${entries.map((entry) => entry.once_key)}::text[], ${entries.map((entry) => entry.actor_id)}::bigint[]
      ) with ordinality as given (kind, order_id, once_key, actor_id, place)
    ), written as (
      insert into entries (entry_id, kind, order_id, once_key, actor_id)
      select entry_id, kind, order_id, once_key, actor_id from numbered
    )
    insert into postings (entry_id, account_id, amount_satang)
    select numbered.entry_id, given.account_id, given.amount_satang
    from unnest(
      ${postings.map((posting) => posting.index + 1)}::int[], ${postings.map((posting) => posting.account_id)}::bigint[],
      ${postings.map((posting) => posting.amount_satang)}::bigint[]
    ) as given (place, account_id, amount_satang)
    join numbered using (place)`.execute(tx)
}

export interface CreditBalances {
  credit_limit_satang: number
  /** Money outside of waiting tickets. */
  cash_satang: number
  held_satang: number
}

/** What stands on a user's two accounts. */
export async function getCreditBalances(db: Db, user_id: number): Promise<CreditBalances> {
  const balances = (await listCreditBalances(db, [user_id])).get(user_id)
  if (!balances) throw new Error(`User ${user_id} has no accounts`)
  return balances
}

/** What stands on the two accounts of users, by user id. */
export async function listCreditBalances(db: Db, user_ids: readonly number[]): Promise<Map<number, CreditBalances>> {
  const { rows } = await sql<CreditBalances & { user_id: number }>`
    select cash.user_id, 0 - cash.floor_satang as credit_limit_satang, cash.balance_satang as cash_satang,
      held.balance_satang as held_satang
    from accounts cash join accounts held on held.user_id = cash.user_id and held.kind = 'held'
    where cash.kind = 'cash' and cash.user_id = any(${user_ids}::bigint[])`.execute(db)
  return new Map(rows.map(({ user_id, ...balances }) => [user_id, balances]))
}

/** Sets how far an account may go below 0. @throws a broken `credit_never_overspent` where it is further down already */
export async function setFloor(tx: Tx, account_id: number, floor_satang: number): Promise<void> {
  await tx.updateTable('accounts').set({ floor_satang }).where('account_id', '=', account_id).execute()
}

/** The sum of the credit limits that a user has given to its children, in satang. */
export async function sumGivenLimits(tx: Tx, parent_id: number): Promise<number> {
  const { rows } = await sql<{ given: number }>`
    select coalesce(-sum(floor_satang), 0)::bigint as given from accounts join users using (user_id)
    where kind = 'cash' and parent_id = ${parent_id}`.execute(tx)
  return rows[0]!.given
}
