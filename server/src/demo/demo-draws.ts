// A running demo gets results automatically, a minute after each draw, as if two office users had entered them. Periods
// that people created by hand, entered a result for, or requested to void, are left to them.

import { sql } from 'kysely'
import { writeAudit } from '../changes/audit/index.ts'
import { getProduct, lockPeriod, setOutcome } from '../markets/index.ts'
import type { Db, Tx } from '../postgres/db.ts'
import { generateResult } from './demo-results.ts'
import { GOVERNMENT_PRODUCT, type PastDraw } from './past-draws.ts'

/** Minutes after the draw. Office users may be faster. */
const AFTER_DRAW_MINUTES = 1

/** Periods without a result, in order of their draws. */
export async function listUndrawnPeriods(db: Db, limit: number): Promise<string[]> {
  const { rows } = await sql<{ period_code: string }>`
    select period_code from periods
    where outcome = 'pending' and draw_at <= clock_timestamp() - ${AFTER_DRAW_MINUTES} * interval '1 minute'
      and close_at <= clock_timestamp()
      and not exists (select 1 from awards where awards.period_id = periods.period_id)
      and 'period:' || period_code not in (select subject from waiting_period_voids)
      and not is_manual
    order by draw_at, period_id limit ${limit}`.execute(db)
  return rows.map((row) => row.period_code)
}

/**
 * Enters the result of a period: the real one if it is known, otherwise a generated, marked one. It is settled
 * afterwards.
 * @param owner only the owner may mark a result
 * @returns false if someone else was faster
 */
export async function enterDemoResult(owner: Db, period_code: string, known: readonly PastDraw[]): Promise<boolean> {
  return owner.transaction().execute(async (tx) => {
    const period = (await lockPeriod(tx, period_code))!
    const { period_id, product_code, period_date } = period
    const { rows } = await sql<{ is_taken: boolean }>`
      select exists (select 1 from awards where period_id = ${period_id})
        or exists (select 1 from waiting_period_voids where subject = ${`period:${period_code}`}) as is_taken`.execute(
      tx,
    )
    const office = await listOfficeIds(tx)
    if (period.outcome !== 'pending' || rows[0]!.is_taken || office.length < 2) return false
    const { result_form } = await getProduct(tx, product_code)
    const real = product_code === GOVERNMENT_PRODUCT ? known.find(({ date }) => date === period_date) : undefined
    const result = real?.result ?? generateResult(period_code, result_form)
    const [entered_by, repeated_by] = office as [number, number]
    const text = JSON.stringify(result)
    await sql`
      insert into awards (period_id, state, result, is_demo, entered_by, repeated_by, repeated_result, repeated_at)
      values (${period_id}, 'agreed', ${text}::jsonb, ${!real}, ${entered_by}, ${repeated_by}, ${text}::jsonb,
        clock_timestamp())`.execute(tx)
    await setOutcome(tx, period_id, 'settling')
    const subject = `period:${period_code}`
    await writeAudit(tx, { actor_id: entered_by, action: 'award_entered', subject, after: result })
    await writeAudit(tx, { actor_id: repeated_by, action: 'award_agreed', subject, after: result })
    return true
  })
}

/** The two office users of the demo. */
async function listOfficeIds(tx: Tx): Promise<number[]> {
  const rows = await tx
    .selectFrom('users')
    .select('user_id')
    .where('username', 'in', ['office01', 'office02'])
    .where('is_demo', '=', true)
    .orderBy('username')
    .execute()
  return rows.map((row) => row.user_id)
}
