// Goal: whoever waits for the lock of a period that a timetable removes meanwhile is refused, or has locked the one that was made of the
// same code.

import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { changeAs } from '../../test/changes.ts'
import { changeWhileLocked, codeOf, openPeriod } from '../../test/scenes.ts'
import { startTestApp } from '../../test/test-app.ts'
import { advisoryLocks, takeLock } from '../postgres/advisory-locks.ts'
import type { Tx } from '../postgres/db.ts'
import { rebuildExposure } from '../exposure/index.ts'
import { movePeriod } from './period-changes.ts'
import { getPeriodRecord, lockPeriod, lockPeriods, type PeriodRecord } from './periods.ts'

let period: PeriodRecord

const app = await startTestApp()
const office = await app.logIn('office01')
beforeEach(async () => {
  const opensAt = new Date(Date.now() + 3_600_000)
  period = await getPeriodRecord(app.db, await openPeriod(app.owner, 'thai-government', 7_200_000, opensAt))
})

async function remove(): Promise<void> {
  const { rows } = await app.asOwner<{ is_removed: boolean }>`
    select remove_unopened_period(${period.period_id}) as is_removed`
  expect(rows).toEqual([{ is_removed: true }])
}

async function remake(): Promise<void> {
  await remove()
  await app.asOwner`
    insert into periods (period_code, product_code, period_date, round, open_at, close_at, draw_at)
    values (${period.period_code}, ${period.product_code}, ${period.period_date}, ${period.round}, ${period.open_at},
      ${period.close_at}, ${period.draw_at})`
}

/** Makes a call that waits for the lock of the period while this happens. */
function callMeanwhile<Reply>(call: () => Promise<Reply>, change: () => Promise<void>): Promise<Reply> {
  const lock = sql`select ${takeLock('period', sql.lit(period.period_id))}`
  return changeWhileLocked(app.owner, lock, call, change)
}

const inTransaction =
  <Result>(run: (tx: Tx) => Promise<Result>) =>
  () =>
    app.db.transaction().execute(run)

async function holdsLockOf(tx: Tx, period_id: number): Promise<boolean> {
  const { rows } = await sql`
    select 1 from pg_locks where pid = pg_backend_pid() and locktype = 'advisory' and granted
      and classid = ${sql.lit(advisoryLocks.period)} and objid = ${sql.lit(period_id)}`.execute(tx)
  return rows.length > 0
}

// Defect: the period that was returned was not the one that was locked.
test.each([
  ['one', (tx: Tx) => lockPeriod(tx, period.period_code)],
  ['several', async (tx: Tx) => (await lockPeriods(tx, [period.period_code]))[0]],
])('a period that was made anew meanwhile is locked: %s', async (_name, lock) => {
  const call = inTransaction(async (tx) => {
    const locked = (await lock(tx))!
    return { period_id: locked.period_id, isLocked: await holdsLockOf(tx, locked.period_id) }
  })
  const { period_id, isLocked } = await callMeanwhile(call, remake)
  expect(period_id).toBe((await getPeriodRecord(app.db, period.period_code)).period_id)
  expect([period_id === period.period_id, isLocked]).toEqual([false, true])
})

test('a period that is gone is not there', async () => {
  const call = inTransaction((tx) => lockPeriod(tx, period.period_code))
  expect(await callMeanwhile(call, remove)).toBeUndefined()
})

// Defect: it was answered as an internal error.
test.each([
  [
    'a quota',
    async () =>
      codeOf(
        await office.post('/api/admin/game_config/quota/period', {
          period_code: period.period_code,
          bet_type: '3top',
          quota: { full_satang: 100, half_satang: 0 },
          reason: 'less',
        }),
      ),
  ],
  [
    'a number',
    async () =>
      codeOf(
        await office.post(`/api/admin/game_config/limit_number/${period.period_code}`, {
          bet_type: '3top',
          number: '123',
          set_to: 'closed',
        }),
      ),
  ],
])('%s of a period that is gone is refused', async (_name, call) => {
  expect(await callMeanwhile(call, remove)).toBe('unknown_period')
})

test.each([
  [
    'a move',
    () =>
      changeAs(
        app.db,
        office.user_id,
        movePeriod,
        {
          period_code: period.period_code,
          close_at: period.close_at.toISOString(),
          draw_at: period.draw_at.toISOString(),
        },
        'approved',
      ),
  ],
  ['a book that is built anew', () => rebuildExposure(app.db, period.period_code)],
])('%s of a period that is gone is refused', async (_name, call) => {
  await expect(callMeanwhile<unknown>(call, remove)).rejects.toMatchObject({ code: 'unknown_period' })
})
