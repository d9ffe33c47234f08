// Goal: what a member has bet in a period is read without the tickets of others, also while no statistics know the period.

import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { countRead, fillNewPeriod, member_ids, NEW_PERIOD, TICKETS_OF_ONE } from '../../../test/new-period.ts'
import { sumStakes } from './intake.store.ts'

beforeAll(fillNewPeriod)

test('the bets of one member are read without those of others', async () => {
  const asInBatches = sql`set local plan_cache_mode = force_generic_plan`
  const read = await countRead(async (tx) => {
    expect((await sumStakes(tx, NEW_PERIOD, [{ user_id: member_ids[0]!, after_id: 0, waiting_ids: [] }])).size).toBe(1)
  }, asInBatches)
  expect(read).toBeLessThan(3 * TICKETS_OF_ONE)
})
