// Goal: after random honest histories the auditor is quiet, and what it finds in what has changed is what a check of everything finds.
// `AUDIT_HISTORIES` for more, `AUDIT_SEED` repeats a run.

import { changeAs } from '../../../test/changes.ts'
import { sql, type RawBuilder } from 'kysely'
import { expect, test } from 'vitest'
import { checkEverything, changeByHand, openAuditor } from '../../../test/auditor.ts'
import { findCaller, openNode, type TestUser } from '../../../test/nodes.ts'
import { below, pick, products, randomOf, runHistory, type World } from '../../../test/report-histories.ts'
import { startTestApp } from '../../../test/test-app.ts'
import { followExposure } from '../../exposure/index.ts'
import { setQuota } from '../../markets/quotas/index.ts'
import { saveBalanceCheckpoints } from '../../reports/index.ts'
import { type IntegrityChecker, checkChanges } from './auditor.service.ts'
import { findViolations } from './invariant.ts'
import { invariantCodes, invariants } from './invariants.ts'

const HISTORIES = Number(process.env.AUDIT_HISTORIES ?? 2)
/** How often each change by hand is tried, each time after another history. */
const ROUNDS = Math.ceil(HISTORIES / 7)
const SEED = Number(process.env.AUDIT_SEED ?? Date.now() % 2 ** 31)
const random = randomOf(SEED)
/** More than a history has findings of one invariant. */
const MANY = 1_000

const app = await startTestApp()
const { db, owner } = app
const members: TestUser[] = await Promise.all(['member01', 'member02', 'member03'].map((name) => findCaller(db, name)))
const agent: TestUser = await findCaller(db, 'agent01')
const office = [await findCaller(db, 'office01'), await findCaller(db, 'office02')] as const
for (const product_code of products)
  for (const bet_type of ['3top', '3roll', '1top'] as const)
    await changeAs(db, office[0].user_id, setQuota, {
      product_code,
      bet_type,
      full_satang: 20_000,
      half_satang: 10_000,
    })
const history = { periods: [], tickets: [], movements: new Map(), changes: [], corrections: [] }
const world: World = { node: openNode(app.url), owner, office, history, terms: new Map() }
const auditor: IntegrityChecker = openAuditor(app)
// It would refuse some of what is done by hand below.
await sql`alter table orders drop constraint orders_received_within_bet`.execute(owner)
await checkChanges(auditor)

/** One period with random events; the book, the noted balances and quotas go on in between. */
async function live(between: () => Promise<void> = audit): Promise<void> {
  await runHistory(world, random, members, () => agent, between)
  if (random() < 0.7) await followExposure(app.db)
  if (random() < 0.3) await saveBalanceCheckpoints(app.db)
  // Often below what was accepted.
  if (random() < 0.4)
    await changeAs(
      app.db,
      world.office[0].user_id,
      setQuota,
      {
        product_code: pick(random, products),
        bet_type: '3top',
        full_satang: 5_000 + below(random, 15_000),
        half_satang: 5_000,
      },
      'approved',
    )
}

async function audit(): Promise<void> {
  expect(await checkChanges(auditor), `AUDIT_SEED=${SEED}`).toEqual({ broken: [], whole: [] })
}

test(`${HISTORIES} honest histories are quiet`, async () => {
  for (let history = 0; history < HISTORIES; history += 1) {
    await live()
    if (random() < 0.5) await audit()
  }
  await audit()
  expect(await checkEverything(auditor), `AUDIT_SEED=${SEED}`).toEqual({ broken: [], whole: [] })
})

/** What somebody could do by hand to the ticket that was written last, and how it is undone. */
const tampers: Readonly<Record<string, (order_id: number) => readonly [RawBuilder<unknown>, RawBuilder<unknown>]>> = {
  received: (order_id) => bothWays('orders', 'received_satang', sql`order_id = ${order_id}`),
  bet: (order_id) => bothWays('orders', 'bet_satang', sql`order_id = ${order_id}`),
  win: (order_id) => bothWays('orders', 'win_satang', sql`order_id = ${order_id}`),
  cash: (order_id) =>
    bothWays(
      'accounts',
      'balance_satang',
      sql`kind = 'cash' and user_id = (select user_id from orders where order_id = ${order_id})`,
    ),
  held: (order_id) =>
    bothWays(
      'accounts',
      'balance_satang',
      sql`kind = 'held' and user_id = (select user_id from orders where order_id = ${order_id})`,
    ),
  period: (order_id) =>
    bothWays(
      'accounts',
      'balance_satang',
      sql`period_id = (select period_id from orders where order_id = ${order_id})`,
    ),
  'sums of a member': (order_id) =>
    bothWays(
      'member_periods',
      'discount_satang',
      sql`(user_id, period_id) = (select user_id, period_id from orders where order_id = ${order_id})`,
    ),
  'an entry': (order_id) => bothWays('entries', 'amount_satang', sql`order_id = ${order_id}`),
  'its time': (order_id) => [
    sql`update orders set placed_at = placed_at + interval '90 days' where order_id = ${order_id}`,
    sql`update orders set placed_at = placed_at - interval '90 days' where order_id = ${order_id}`,
  ],
  'an entry without a cause': (order_id) => [
    sql`insert into entries (kind, order_id, from_account_id, to_account_id, amount_satang)
      select 'adjustment', order_id, p.account_id, c.account_id, 300 from orders
        join accounts p on p.period_id = orders.period_id join accounts c on c.user_id = orders.user_id and c.kind = 'cash'
      where order_id = ${order_id}`,
    sql`delete from entries where kind = 'adjustment'`,
  ],
}

function bothWays(table: string, column: string, where: RawBuilder<unknown>) {
  const add = (amount: number) =>
    sql`update ${sql.table(table)} set ${sql.ref(column)} = ${sql.ref(column)} + ${sql.lit(amount)} where ${where}`
  return [add(100), add(-100)] as const
}

test.each(Object.keys(tampers))('what has changed and everything agree %s', async (name) => {
  for (let round = 0; round < ROUNDS; round += 1) {
    let last: { order_id: number } | undefined
    const first = await app.owner.selectFrom('orders').select('order_id').orderBy('order_id', 'desc').executeTakeFirst()
    while (!last || last.order_id === first?.order_id) {
      // Without a run in between: the records of its last ticket have changed since the run before.
      await live(async () => {})
      last = await app.owner.selectFrom('orders').select('order_id').orderBy('order_id', 'desc').executeTakeFirst()
    }
    const [change, undo] = tampers[name]!(last.order_id)
    await changeByHand(app.owner, change)
    await checkChanges(auditor)
    const { rows } = await app.asOwner<{ invariant: string; keys: number[] }>`
        select invariant, keys from invariant_breaks where whole_at is null`
    const found = new Map(rows.map(({ invariant, keys }) => [invariant, keys.toSorted((one, other) => one - other)]))
    const expected = new Map<string, number[]>()
    for (const code of invariantCodes) {
      if (invariants[code].onChange === null) continue
      const keys = new Set((await findViolations(app.owner, invariants[code], null, MANY)).map(({ key }) => key))
      if (keys.size > 0)
        expected.set(
          code,
          [...keys].toSorted((one, other) => one - other),
        )
    }
    expect(found, `AUDIT_SEED=${SEED}`).toEqual(expected)
    await changeByHand(app.owner, undo)
    expect((await checkChanges(auditor))!.whole.toSorted()).toEqual([...expected.keys()].toSorted())
    await audit()
  }
})
