// Each database role can do what its row of the matrix says and nothing else, and the application's own log-in moves no
// money without a cause.

import type { EntryKind } from '@megalot/contract'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { createIntake, placeTicket } from '../src/betting/index.ts'
import type { Db } from '../src/postgres/db.ts'
import { ENTRY_CAUSES, findViolatedInvariants } from './invariants.ts'
import { findCaller } from './nodes.ts'
import { databaseRoles, roleMatrix } from './role-matrix.ts'
import { makeTicket, openPeriod, toNewTicket } from './scenes.ts'
import { cloneDatabase } from './test-database.ts'

const database = await cloneDatabase()

/** What a role may do with a table, as `roleMatrix` writes it. */
async function readMatrix(role: string): Promise<Record<string, string>> {
  const { rows } = await database.asOwner<{ name: string; actions: string }>`
    select relname as name, (
      select coalesce(string_agg(case
        when has_table_privilege(${role}, c.oid, action) then action
        when has_any_column_privilege(${role}, c.oid, action) then action || '(' || (
          select string_agg(attname, ',' order by attname collate "C") from pg_attribute
          where attrelid = c.oid and attnum > 0 and not attisdropped
            and has_column_privilege(${role}, c.oid, attnum, action)) || ')' end, ' ' order by at), '')
      from unnest(array['SELECT', 'INSERT', 'UPDATE']) with ordinality as actions (action, at)
    ) || case when has_table_privilege(${role}, c.oid, 'DELETE') then ' DELETE' else '' end
      || case when has_table_privilege(${role}, c.oid, 'TRUNCATE') then ' TRUNCATE' else '' end as actions
    from pg_class c where relnamespace = 'public'::regnamespace and relkind in ('r', 'v') order by relname`
  return Object.fromEntries(rows.map(({ name, actions }) => [name, actions.trim().toLowerCase()]))
}

test("no role gets the owner's rights through a function, unless it was granted that function", async () => {
  const { rows } = await database.asOwner<{ name: string }>`
    select proname as name from pg_proc where pronamespace = 'public'::regnamespace and prosecdef
      and prorettype not in ('trigger'::regtype, 'event_trigger'::regtype)
      and exists (select from aclexplode(coalesce(proacl, acldefault('f', proowner))) where grantee = 0)`
  expect(rows).toEqual([])
})

describe('role × table × action', () => {
  test.each(databaseRoles)('%s', async (role) => {
    const expected = Object.fromEntries(Object.entries(roleMatrix).map(([table, row]) => [table, row[role]]))
    expect(await readMatrix(role)).toEqual(expected)
  })

  test.each(databaseRoles)('%s owns nothing, creates nothing, and is no superuser', async (role) => {
    const { rows } = await database.asOwner<{ holds: boolean }>`
      select rolsuper or rolcreaterole or rolcreatedb or rolreplication or rolbypassrls or rolcanlogin
        or has_schema_privilege(oid, 'public', 'create')
        or exists (select 1 from pg_class where relowner = pg_roles.oid) as holds
      from pg_roles where rolname = ${role}`
    expect(rows).toEqual([{ holds: false }])
  })
})

describe('the application’s role cannot move money without a cause', () => {
  interface Accounts {
    order_id: number
    cash: number
    held: number
    period: number
    stranger: number
    other_period: number
  }
  let accounts: Accounts

  beforeAll(async () => {
    const { user_id } = await findCaller(database.db, 'member01')
    const [period_code, other] = [await openPeriod(database.owner), await openPeriod(database.owner)]
    const placed = await placeTicket(createIntake(database.batches), toNewTicket({ user_id }, makeTicket(period_code)))
    const { order_id } = placed
    const { rows } = await database.asOwner<Accounts>`
      select ${order_id}::bigint as order_id,
        (select account_id from accounts where user_id = ${user_id} and kind = 'cash') as cash,
        (select account_id from accounts where user_id = ${user_id} and kind = 'held') as held,
        (select account_id from accounts join periods using (period_id) where period_code = ${period_code}) as period,
        (select account_id from accounts join users using (user_id) where username = 'member02' and kind = 'cash') as stranger,
        (select account_id from accounts join periods using (period_id) where period_code = ${other}) as other_period`
    accounts = rows[0]!
  })

  type Side = Exclude<keyof Accounts, 'order_id'>
  const post = (db: Db, kind: EntryKind, hasTicket: boolean, from: Side, to: Side) =>
    sql`insert into entries (kind, order_id, from_account_id, to_account_id, amount_satang)
      values (${kind}, ${hasTicket ? accounts.order_id : null}, ${accounts[from]}, ${accounts[to]}, 500)`.execute(db)

  const causeless: readonly (readonly [EntryKind, boolean, Side, Side])[] = [
    ['adjustment', false, 'period', 'cash'],
    ['transfer', false, 'stranger', 'cash'],
    ['credit_change', true, 'period', 'cash'],
    ['commission', true, 'period', 'cash'],
    ['win', false, 'period', 'cash'],
    ['win', true, 'period', 'stranger'],
    ['win', true, 'other_period', 'cash'],
    ['win', true, 'stranger', 'cash'],
    ['refund', true, 'period', 'stranger'],
    ['bet_release', true, 'period', 'cash'],
    ['reversal', true, 'period', 'cash'],
  ]
  test.each(causeless)('%s, with a ticket: %s, from %s to %s', async (...entry) => {
    await expect(post(database.db, ...entry)).rejects.toMatchObject({ constraint: 'entries_have_a_cause' })
  })

  const caused: readonly (readonly [EntryKind, Side, Side])[] = [
    ['win', 'period', 'cash'],
    ['refund', 'period', 'cash'],
    ['reversal', 'cash', 'period'],
    ['bet', 'cash', 'period'],
    ['bet_hold', 'cash', 'held'],
    ['bet_release', 'held', 'cash'],
  ]
  test.each(caused)('%s of the ticket from %s to %s is possible', async (kind, from, to) => {
    await post(database.db, kind, true, from, to)
    expect(Object.keys(await findViolatedInvariants(database.owner))).not.toContain(ENTRY_CAUSES[0])
  })

  test('the owner, who can, is detected by the invariants', async () => {
    await post(database.owner, 'adjustment', false, 'period', 'cash')
    expect(Object.keys(await findViolatedInvariants(database.owner))).toContain(ENTRY_CAUSES[0])
  })
})
