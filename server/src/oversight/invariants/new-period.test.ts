// Goal: what members have in a period is checked without reading all of its tickets for each of them, also while no statistics know it.

import { beforeAll, expect, test } from 'vitest'
import { countRead, fillNewPeriod, member_ids, NEW_PERIOD, TICKETS } from '../../../test/new-period.ts'
import { findViolations } from './invariant.ts'
import { invariants } from './invariants.ts'

beforeAll(fillNewPeriod)

test('the auditor reads each ticket of the members once', async () => {
  const keys = member_ids.map((user_id) => user_id * 10_000_000 + NEW_PERIOD)
  const read = await countRead(async (tx) => {
    expect(await findViolations(tx, invariants.member_period_sums, keys, 10)).toEqual([])
  })
  expect(read).toBeLessThan(3 * TICKETS)
})
