// An agent's exposure is read without reading all tickets of the period for each member, even while statistics do not
// know the period.

import { beforeAll, expect, test } from 'vitest'
import { agent_id, countRead, fillNewPeriod, NEW_PERIOD, TICKETS } from '../../test/new-period.ts'
import { listDownlineSlots } from './board.store.ts'

beforeAll(fillNewPeriod)

test('each ticket of the members below the agent is read once', async () => {
  const read = await countRead(async (tx) => {
    const slots = await listDownlineSlots(tx, NEW_PERIOD, agent_id)
    expect(slots.reduce((sum, { lines }) => sum + lines, 0)).toBe(TICKETS)
  })
  expect(read).toBeLessThan(3 * TICKETS)
})
