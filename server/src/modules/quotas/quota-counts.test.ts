// Goal: whoever adds to quotas and whoever holds them take turns; none waits in a circle.

import { sql } from 'kysely'
import { beforeAll, expect, test, vi } from 'vitest'
import { openPeriod } from '../../../test/scenes.ts'
import { cloneDatabase, type TestDatabase } from '../../../test/test-database.ts'
import { createQuotaMemory, makeAndHoldQuotas } from './quota-counts.service.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await cloneDatabase()
})

test('one who holds quotas waits for another who is the first to bet on the same numbers', async () => {
  const { db, owner } = database
  const period_code = await openPeriod(owner)
  const bet = { bet_type: '3top' as const, number: '123' }
  const holding: Promise<number>[] = []
  await db.transaction().execute(async (tx) => {
    const quotas = await createQuotaMemory()(tx, period_code, [bet])
    holding.push(
      db.transaction().execute(async (other) => {
        const held = await makeAndHoldQuotas(other, period_code, [bet])
        return held.find(bet).accepted_satang
      }),
    )
    await vi.waitUntil(async () => {
      const { rows } = await sql`
        select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(owner)
      return rows.length > 0
    })
    quotas.add(bet, 1_000)
    await quotas.save()
  })
  expect(await holding[0]).toBe(1_000)
})
