// Defect: a function that runs with the owner's rights lets the application's role write a balance without an entry, skip
// the triggers of tickets and entries, or place a ticket in a period that it sees as open in an old snapshot.

import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { findViolatedInvariants } from '../../../test/invariants.ts'
import { findCaller } from '../../../test/nodes.ts'
import { countWrites, makeTicket, openPeriod, toNewTicket } from '../../../test/scenes.ts'
import { cloneDatabase } from '../../../test/test-database.ts'
import type { Db } from '../../postgres/db.ts'
import { createIntake } from '../index.ts'
import { placeTicket } from './place-order.ts'

let period_code: string

const findAccount = async (of_user: number, kind: 'cash' | 'held'): Promise<number> => {
  const { rows } = await sql<{ account_id: number }>`
    select account_id from accounts where user_id = ${of_user} and kind = ${kind}`.execute(database.db)
  return rows[0]!.account_id
}

const database = await cloneDatabase()
const user_id = (await findCaller(database.db, 'member01')).user_id
const cash_id = await findAccount(user_id, 'cash')
const held_id = await findAccount(user_id, 'held')
beforeEach(async () => {
  period_code = await openPeriod(database.owner)
  // The blocks of quotas of the period exist afterwards.
  await placeTicket(createIntake(database.batches), toNewTicket({ user_id }, makeTicket(period_code)))
})

interface Forgery {
  users: (number | null)[]
  cash: (number | null)[]
  held: (number | null)[]
  received: number[]
  discount: number[]
}

/** One ticket of 10 Baht on 3top 123, without the quotas, except for what is forged. */
function callPlaceBatch(db: Db, forged: Partial<Forgery> = {}): Promise<unknown> {
  const { users, cash, held, received, discount } = {
    users: [user_id],
    cash: [cash_id],
    held: [0],
    received: [1_000],
    discount: [330],
    ...forged,
  }
  return sql`
    select * from place_batch(${period_code}, null, null, null, '{}', null, ${users}::bigint[], array[gen_random_uuid()::text],
      array[sha256('')], (select array[package_id] from packages where product_code = 'thai-government' and package_code = '70'), '{""}', '{1}',
      array[decode('0000000a00d6d80ce4', 'hex')], '{1}', '{0}', '{1000}',
      ${received}::bigint[], ${discount}::bigint[], ${cash}::bigint[], ${held}::bigint[], '{123}', '{}',
      '{3top}', '{1}', array['{24}'], array['{1000}'], true, '{}', '{}')`.execute(db)
}

test.each<[string, () => Partial<Forgery>]>([
  ['an amount below nothing', () => ({ received: [-1_000] })],
  ['a discount above the amount', () => ({ discount: [2_000] })],
  ['an account of somebody else', () => ({ cash: [cash_id + 2] })],
  ['an account that holds money instead of cash', () => ({ cash: [held_id] })],
  ['a cash account instead of one that holds money', () => ({ held: [cash_id] })],
  ['no word on held money', () => ({ held: [null] })],
  ['a further payer without a ticket', () => ({ cash: [cash_id, cash_id + 2] })],
  ['a ticket of nobody', () => ({ users: [null] })],
])('%s is refused, and nothing is written', async (_name, forge) => {
  const before = await countWrites(database.db)
  await expect(callPlaceBatch(database.db, forge())).rejects.toThrow(/violates|not there|null value/)
  expect(await countWrites(database.db)).toEqual(before)
  expect(await findViolatedInvariants(database.owner)).toEqual({})
})

test('without a forgery the same call places a ticket', async () => {
  await callPlaceBatch(database.db)
  expect(await findViolatedInvariants(database.owner)).toEqual({})
})

test('no ticket is placed after the close, not even with a table that shadows the periods', async () => {
  await database.asOwner`update periods set close_at = clock_timestamp() where period_code = ${period_code}`
  const before = await countWrites(database.db)
  const placing = database.db.transaction().execute(async (tx) => {
    await sql`create temporary table periods on commit drop as select * from public.periods`.execute(tx)
    await sql`update pg_temp.periods set close_at = close_at + interval '1 day', closed_at = null`.execute(tx)
    await callPlaceBatch(tx)
  })
  await expect(placing).rejects.toMatchObject({ constraint: 'orders_in_time' })
  expect(await countWrites(database.db)).toEqual(before)
})

test('no ticket is placed by an old snapshot', async () => {
  const before = await countWrites(database.db)
  const placing = database.db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute((tx) => callPlaceBatch(tx))
  await expect(placing).rejects.toThrow('read committed')
  expect(await countWrites(database.db)).toEqual(before)
})

test('who says to be placing a batch is not believed', async () => {
  const { rows } = await sql<{ account_id: number }>`
    select account_id from accounts join periods using (period_id) where period_code = ${period_code}`.execute(
    database.db,
  )
  await database.db.transaction().execute(async (tx) => {
    await sql`set local megalot.placing_batch = 'yes'`.execute(tx)
    await sql`
      insert into entries (kind, order_id, actor_id, from_account_id, to_account_id, amount_satang)
      select 'bet', max(order_id), ${user_id}, ${cash_id}, ${rows[0]!.account_id}, 700 from orders join periods using (period_id)
      where period_code = ${period_code}`.execute(tx)
  })
  const { rows: sums } = await sql<{ is_equal: boolean }>`
    select balance_satang = (select sum(amount_satang) from postings where postings.account_id = accounts.account_id) as is_equal
    from accounts where account_id = ${cash_id}`.execute(database.db)
  expect(sums[0]!.is_equal).toBe(true)
})
