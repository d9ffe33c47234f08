// Goal: the database itself enforces double entry, whatever the code above it does.

import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { ENTRY_CAUSES, findViolatedInvariants } from '../../../test/invariants.ts'
import { cloneDatabase } from '../../../test/test-database.ts'
import { writeAudit } from '../../changes/audit/index.ts'
import { type Entry, findCreditBalances, lockCashAccounts, postEntries } from './ledger.service.ts'

const database = await cloneDatabase()
const rows = await database.db
  .selectFrom('users')
  .select(['user_id', 'username'])
  .where('username', 'in', ['member01', 'member02'])
  .orderBy('username')
  .execute()
const member01 = rows[0]!.user_id
const member02 = rows[1]!.user_id

function transfer(
  from: number,
  to: number,
  amount_satang: number,
  idempotency_key: string | null = null,
): Promise<void> {
  // The application writes entries of tickets only.
  return database.owner.transaction().execute(async (tx) => {
    const accounts = await lockCashAccounts(tx, [from, to])
    const from_account_id = accounts.get(from)!.account_id
    const to_account_id = accounts.get(to)!.account_id
    const entry = { kind: 'transfer' as const, order_id: null, idempotency_key, actor_id: null, amount_satang }
    await postEntries(tx, [{ ...entry, from_account_id, to_account_id }])
  })
}

/** The transfers of these tests are written by hand. */
const findBrokenBalances = () => findViolatedInvariants(database.owner, ENTRY_CAUSES)

describe('postings', () => {
  test('move balances and nothing else does', async () => {
    await transfer(member01, member02, 1_234)
    expect((await findCreditBalances(database.db, member01))!.cash_satang).toBe(-1_234)
    expect((await findCreditBalances(database.db, member02))!.cash_satang).toBe(1_234)
    await transfer(member02, member01, 1_234)
    expect(await findBrokenBalances()).toEqual({})
  })

  test('several entries are written in one statement, each with its own accounts', async () => {
    await database.owner.transaction().execute(async (tx) => {
      const accounts = await lockCashAccounts(tx, [member01, member02])
      const [a, b] = [accounts.get(member01)!.account_id, accounts.get(member02)!.account_id]
      const entry = (from_account_id: number, to_account_id: number, amount_satang: number) => ({
        kind: 'adjustment' as const,
        order_id: null,
        idempotency_key: null,
        actor_id: member01,
        from_account_id,
        to_account_id,
        amount_satang,
      })
      await postEntries(tx, [entry(a, b, 100), entry(b, a, 30), entry(b, a, 70)])
    })
    expect((await findCreditBalances(database.db, member01))!.cash_satang).toBe(0)
    const { rows } = await sql`select 1 from entries where kind = 'adjustment'`.execute(database.db)
    expect(rows).toHaveLength(3)
  })

  test.each<[string, string | undefined, { isToItself?: true } & Partial<Entry>]>([
    ['nothing', 'entries_move_something', { amount_satang: 0 }],
    ['a negative amount', 'entries_move_something', { amount_satang: -5 }],
    ['from an account to itself', 'entries_have_two_sides', { isToItself: true }],
    ['to an account that does not exist', undefined, { to_account_id: 999_999_999 }],
    ['from an account that does not exist', undefined, { from_account_id: 999_999_999 }],
    ['by a user that does not exist', undefined, { actor_id: 999_999_999 }],
    ['a bet to a member', 'bets_go_to_periods', { kind: 'bet' }],
  ])('that move %s are refused', async (_name, constraint, { isToItself, ...change }) => {
    const wrong = database.owner.transaction().execute(async (tx) => {
      const accounts = await lockCashAccounts(tx, [member01, member02])
      const from_account_id = accounts.get(member01)!.account_id
      const entry = {
        kind: 'adjustment' as const,
        order_id: null,
        idempotency_key: null,
        actor_id: null,
        amount_satang: 5,
      }
      const right = { ...entry, from_account_id, to_account_id: accounts.get(member02)!.account_id }
      await postEntries(tx, [{ ...right, ...(isToItself ? { to_account_id: from_account_id } : {}), ...change }])
    })
    await expect(wrong).rejects.toMatchObject(constraint ? { constraint } : { code: '23503' })
    expect(await findBrokenBalances()).toEqual({})
  })

  test('that would overspend the credit are refused, to the satang', async () => {
    const { credit_limit_satang } = (await findCreditBalances(database.db, member01))!
    await expect(transfer(member01, member02, credit_limit_satang + 1)).rejects.toMatchObject({
      constraint: 'credit_never_overspent',
    })
    await transfer(member01, member02, credit_limit_satang)
    await transfer(member02, member01, credit_limit_satang)
  })

  test('with an idempotency key happen once', async () => {
    await transfer(member01, member02, 10, 'once:1')
    await expect(transfer(member01, member02, 10, 'once:1')).rejects.toMatchObject({
      constraint: 'entries_by_idempotency_key',
    })
    await transfer(member02, member01, 10)
  })
})

describe('the records of money are append-only', () => {
  // The audit log is guarded row by row.
  beforeAll(() => writeAudit(database.db, { actor_id: null, action: 'test', subject: 'test' }))

  const statements = [
    'update entries set amount_satang = 1',
    'truncate entries',
    'update entries set kind = $$win$$',
    'delete from entries',
    'delete from audit_log',
    'update audit_log set reason = $$none$$',
    'update audit_log set chain_no = chain_no + 1000',
    'truncate audit_log',
  ]
  test.each(statements)('%s', async (statement) => {
    const asApp = sql.raw(statement).execute(database.db)
    await expect(asApp).rejects.toMatchObject({ code: '42501' })
    const asOwner = sql.raw(statement).execute(database.owner)
    await expect(asOwner).rejects.toMatchObject({ code: '42501' })
  })
})
