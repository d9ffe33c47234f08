// Goal: the tickets of one member in the report of wins and losses are read without those of others, also while no statistics know the
// period.

import { beforeAll, expect, test } from 'vitest'
import { countRead, fillNewPeriod, member_ids, NEW_PERIOD, TICKETS_OF_ONE } from '../../test/new-period.ts'
import { listTicketIds } from './win-loss.store.ts'

beforeAll(fillNewPeriod)

test('the tickets of one member are read without those of others', async () => {
  const read = await countRead(async (tx) => {
    const ids = await listTicketIds(tx, member_ids[0]!, NEW_PERIOD, 'loss_only', undefined, 1_000)
    expect(ids).toHaveLength(TICKETS_OF_ONE)
  })
  expect(read).toBeLessThan(3 * TICKETS_OF_ONE)
})
