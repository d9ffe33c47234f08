// Goal: whoever has the application's log-in changes credit, terms, shares and quotas only with a row of the audit log that says the
// new value.

import { type RawBuilder, sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { findCaller } from './nodes.ts'
import { openPeriod } from './scenes.ts'
import { cloneDatabase, type TestDatabase } from './test-database.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await cloneDatabase()
})

const audit = (subject: string, after: object, action = 'change_credit_limit') => {
  const record = { actor_id: null, action, subject, after }
  return sql`select write_audit(${JSON.stringify([record])}::jsonb)`
}

describe('the application’s role changes only with an audit row that says so', () => {
  test('a credit limit', async () => {
    const { user_id } = await findCaller(database.db, 'member03')
    const raise = (limit_satang: number, after: object | null, subject = `user:${user_id}`) =>
      database.db.transaction().execute(async (tx) => {
        await sql`update accounts set floor_satang = ${-limit_satang} where user_id = ${user_id} and kind = 'cash'`.execute(
          tx,
        )
        if (after) await audit(subject, after).execute(tx)
      })
    const refused = { constraint: 'credit_limits_are_audited' }
    await expect(raise(777_700, null)).rejects.toMatchObject(refused)
    await expect(raise(777_700, { credit_limit_satang: 777_600 })).rejects.toMatchObject(refused)
    await expect(raise(777_700, { credit_limit_satang: 777_700 }, `user:${user_id + 1}`)).rejects.toMatchObject(refused)
    await raise(777_700, { credit_limit_satang: 777_700 })
    // A row of an earlier transaction is no reason for another change.
    await raise(777_800, { credit_limit_satang: 777_800 })
    await expect(raise(777_700, null)).rejects.toMatchObject(refused)
  })

  test('a rate', async () => {
    const change = (rate: number, after: object | null, action = 'change_game_config') =>
      database.db.transaction().execute(async (tx) => {
        await sql`update package_terms set rate = ${rate} from packages
          where packages.package_id = package_terms.package_id and product_code = 'thai-government' and package_code = '70'
            and bet_type = '3top'`.execute(tx)
        if (after) await audit('package:thai-government/70', after, action).execute(tx)
      })
    const { rows } = await sql<{ terms: object }>`
      select to_json(package_terms) as terms from package_terms join packages using (package_id)
      where product_code = 'thai-government' and package_code = '70' and bet_type = '3top'`.execute(database.db)
    const refused = { constraint: 'terms_are_audited' }
    const terms = { ...rows[0]!.terms, rate: 54_900 }
    await expect(change(54_900, null)).rejects.toMatchObject(refused)
    await expect(change(54_900, { bet_types: [{ ...terms, rate: 54_800 }] })).rejects.toMatchObject(refused)
    await expect(change(54_900, { bet_types: [{ ...terms, bet_type: '3roll' }] })).rejects.toMatchObject(refused)
    await expect(change(54_900, { bet_types: [terms] }, 'log_in')).rejects.toMatchObject(refused)
    await change(54_900, { bet_types: [terms] })
  })

  // Defect: the application's log-in changed shares without a row of the audit log.
  test('shares', async () => {
    const { user_id } = await findCaller(database.db, 'agent01')
    const shares = { position_rate: 500, line_rate: 1000, commission_rate: 200 }
    const change = (after: object | null, action = 'change_share_terms', subject = `user:${user_id}`) =>
      database.db.transaction().execute(async (tx) => {
        await tx
          .insertInto('share_terms')
          .values({ user_id, ...shares })
          .execute()
        if (after) await audit(subject, after, action).execute(tx)
      })
    const refused = { constraint: 'shares_are_audited' }
    await expect(change(null)).rejects.toMatchObject(refused)
    await expect(change({ ...shares, commission_rate: 0 })).rejects.toMatchObject(refused)
    await expect(change(shares, 'log_in')).rejects.toMatchObject(refused)
    await expect(change(shares, 'change_share_terms', `user:${user_id + 1}`)).rejects.toMatchObject(refused)
    await change(shares)
    await change(shares, 'add_user')
  })

  // Defect: it raised the quota of a market, too.
  test('the quota of a market', async () => {
    const quota = { product_code: 'egypt', bet_type: '3top', full_satang: 1000, half_satang: 0 } as const
    const write = (full_satang: number, after: object | null, subject = 'product:egypt') =>
      database.db.transaction().execute(async (tx) => {
        await sql`insert into market_quotas (product_code, bet_type, full_satang, half_satang)
          values (${quota.product_code}, ${quota.bet_type}, ${full_satang}, ${quota.half_satang})
          on conflict (product_code, bet_type) do update set full_satang = excluded.full_satang`.execute(tx)
        if (after) await audit(subject, after, 'set_quota').execute(tx)
      })
    const refused = { constraint: 'quotas_are_audited' }
    await expect(write(1000, null)).rejects.toMatchObject(refused)
    await write(1000, quota)
    await expect(write(2000, null)).rejects.toMatchObject(refused)
    await expect(write(2000, quota)).rejects.toMatchObject(refused)
    await expect(write(2000, { ...quota, full_satang: 2000 }, 'product:gsb')).rejects.toMatchObject(refused)
    await write(2000, { ...quota, full_satang: 2000 })
  })

  test('the quota of a period, and its end', async () => {
    const period_code = await openPeriod(database.owner)
    const quota = { bet_type: '3top', full_satang: 1000, half_satang: 0 }
    const run = (statement: RawBuilder<unknown>, after: object | null) =>
      database.db.transaction().execute(async (tx) => {
        await statement.execute(tx)
        if (after) await audit(`period:${period_code}`, after, 'set_period_quota').execute(tx)
      })
    const ofPeriod = sql`period_id = (select period_id from periods where period_code = ${period_code})`
    const insert = sql`insert into period_quotas (period_id, bet_type, full_satang, half_satang)
      select period_id, '3top', 1000, 0 from periods where period_code = ${period_code}`
    const raise = sql`update period_quotas set full_satang = 2000 where ${ofPeriod}`
    const end = sql`delete from period_quotas where ${ofPeriod}`
    const refused = { constraint: 'quotas_are_audited' }
    await expect(run(insert, null)).rejects.toMatchObject(refused)
    await run(insert, quota)
    await expect(run(raise, quota)).rejects.toMatchObject(refused)
    await run(raise, { ...quota, full_satang: 2000 })
    await expect(run(end, null)).rejects.toMatchObject(refused)
    // Defect: the quota ended, and the log said that there was one.
    await expect(run(end, { ...quota, full_satang: 2000 })).rejects.toMatchObject(refused)
    await run(end, { bet_type: '3top' })
  })
})

// Defect: a quota that was moved to another market or period ended where it had been, with an audit row for the other one alone.
test.each(['market_quotas', 'period_quotas', 'package_quotas', 'period_package_quotas'])(
  'the application’s role may not move a row of %s',
  async (table) => {
    const move = sql`update ${sql.table(table)} set bet_type = '1top'`
    await expect(move.execute(database.db)).rejects.toMatchObject({ code: '42501' })
  },
)
