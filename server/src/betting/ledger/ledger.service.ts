// Double entry: money moves only by entries. An entry moves an amount between two accounts. The database applies it to
// both balances (`apply_entries` of `0004-ledger.sql`), and refuses a balance below its floor. `place_batch` writes and
// applies the entries of new bets.

import { type RawBuilder, sql } from 'kysely'
import type { EntryKind } from '@megalot/contract'
import { unquotedArray, type Db, type Tx } from '../../postgres/db.ts'

export interface Entry {
  kind: EntryKind
  order_id: number | null
  /**
   * Idempotency key of an entry that must happen at most once, such as `win:12:100077`; null if the caller's own rows
   * ensure that.
   */
  idempotency_key: string | null
  /** Null for the system. */
  actor_id: number | null
  from_account_id: number
  to_account_id: number
  /** More than 0. */
  amount_satang: number
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

/** Always has a floor. */
export interface CashAccount extends Account {
  user_id: number
  floor_satang: number
  /** How far below its floor the account may be since a correction; usually 0 (`0004-ledger.sql`). */
  overdraft_satang: number
}

/**
 * The cash accounts of users, by user id, locked in sorted order, which prevents deadlocks between transactions that
 * share users. The lock on cash also covers the same user's held money. Selects single columns, because a batch has a
 * hundred accounts.
 */
export function lockCashAccounts(tx: Tx, user_ids: readonly number[]): Promise<Map<number, CashAccount>> {
  return readCashAccounts(tx, user_ids, sql`for no key update`)
}

/** As `lockCashAccounts`, without the locks. */
export function findCashAccounts(db: Db, user_ids: readonly number[]): Promise<Map<number, CashAccount>> {
  return readCashAccounts(db, user_ids, sql``)
}

async function readCashAccounts(
  db: Db,
  user_ids: readonly number[],
  locking: RawBuilder<unknown>,
): Promise<Map<number, CashAccount>> {
  const { rows } = await sql<Record<'user_ids' | 'account_ids' | 'balances' | 'floors' | 'overdrafts', number[]>>`
    select coalesce(array_agg(user_id), '{}') as user_ids, array_agg(account_id) as account_ids,
      array_agg(balance_satang) as balances, array_agg(floor_satang) as floors, array_agg(overdraft_satang) as overdrafts
    from (
      select user_id, account_id, balance_satang, floor_satang, overdraft_satang from accounts
      where kind = 'cash' and user_id = any(${unquotedArray(user_ids)}::bigint[])
      order by account_id ${locking}
    ) found`.execute(db)
  const { user_ids: found, account_ids, balances, floors, overdrafts } = rows[0]!
  return new Map(
    found.map((user_id, index) => {
      const [account_id, overdraft_satang] = [account_ids[index]!, overdrafts[index]!]
      return [
        user_id,
        { user_id, account_id, balance_satang: balances[index]!, floor_satang: floors[index]!, overdraft_satang },
      ]
    }),
  )
}

/** Accounts of money held for users' waiting tickets, by user id. */
export async function findHeldAccountIds(tx: Tx, user_ids: readonly number[]): Promise<Map<number, number>> {
  if (user_ids.length === 0) return new Map()
  const { rows } = await sql<{ user_id: number; account_id: number }>`
    select user_id, account_id from accounts
    where kind = 'held' and user_id = any(${user_ids}::bigint[])`.execute(tx)
  return new Map(rows.map(({ user_id, account_id }) => [user_id, account_id]))
}

export async function getPeriodAccountId(db: Db, period_id: number): Promise<number> {
  const row = await db
    .selectFrom('accounts')
    .select('account_id')
    .where('period_id', '=', period_id)
    .executeTakeFirstOrThrow()
  return row.account_id
}

/** Writes entries in one statement; balances follow. All or nothing. */
export async function postEntries(tx: Tx, entries: readonly Entry[]): Promise<void> {
  if (entries.length === 0) return
  const column = (pick: (entry: Entry) => number | null) => unquotedArray(entries.map(pick))
  const idempotency_keys = entries.map((entry) => entry.idempotency_key)
  await sql`
    insert into entries (kind, order_id, idempotency_key, actor_id, from_account_id, to_account_id, amount_satang)
    select * from unnest(
      ${unquotedArray(entries.map((entry) => entry.kind))}::text[], ${column((entry) => entry.order_id)}::bigint[],
      ${idempotency_keys.every((key) => key === null) ? unquotedArray(idempotency_keys) : idempotency_keys}::text[], ${column((entry) => entry.actor_id)}::bigint[],
      ${column((entry) => entry.from_account_id)}::bigint[], ${column((entry) => entry.to_account_id)}::bigint[],
      ${column((entry) => entry.amount_satang)}::bigint[]
    )`.execute(tx)
}

export interface CreditBalances {
  credit_limit_satang: number
  /** Money outside waiting tickets. */
  cash_satang: number
  held_satang: number
}

/** The balances of a user's two accounts; undefined for an assistant, which has none. */
export async function findCreditBalances(db: Db, user_id: number): Promise<CreditBalances | undefined> {
  return (await listCreditBalances(db, [user_id])).get(user_id)
}

/** The balances of the two accounts of users, by user id. */
export async function listCreditBalances(db: Db, user_ids: readonly number[]): Promise<Map<number, CreditBalances>> {
  const { rows } = await sql<CreditBalances & { user_id: number }>`
    select cash.user_id, 0 - cash.floor_satang as credit_limit_satang, cash.balance_satang as cash_satang,
      held.balance_satang as held_satang
    from accounts cash join accounts held on held.user_id = cash.user_id and held.kind = 'held'
    where cash.kind = 'cash' and cash.user_id = any(${user_ids}::bigint[])`.execute(db)
  return new Map(rows.map(({ user_id, ...balances }) => [user_id, balances]))
}

/**
 * Sets how far an account may go below 0.
 * @throws a violated `credit_never_overspent` if its balance is already lower
 */
export async function setFloor(tx: Tx, account_id: number, floor_satang: number): Promise<void> {
  await tx.updateTable('accounts').set({ floor_satang }).where('account_id', '=', account_id).execute()
}

/**
 * The sum of the credit limits that a user has given to its children, in satang; 0 for an assistant. Maintained by the
 * database.
 */
export async function findGivenLimits(db: Db, user_id: number): Promise<number> {
  const { rows } = await sql<{ given_satang: number }>`
    select given_satang from accounts where kind = 'cash' and user_id = ${user_id}`.execute(db)
  return rows[0]?.given_satang ?? 0
}
