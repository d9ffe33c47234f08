// Goal: a ticket that has waited too long at a node is refused and never placed, because its sender may have had the answer that there is
// none.

import { TICKET_CALLER_MS, TICKET_ENDED_MS, TICKET_WAIT_MS } from '@megalot/contract'
import { beforeEach, expect, test } from 'vitest'
import { findCaller, type TestUser } from '../../../test/nodes.ts'
import { countWrites, makeTicket, openPeriod, toNewTicket } from '../../../test/scenes.ts'
import { cloneDatabase } from '../../../test/test-database.ts'
import { CONNECT_MS, SILENCE_MS } from '../../postgres/db.ts'
import type { NewTicket } from '../ticket.ts'
import { createIntake, type Intake } from './intake.ts'
import { placeByReading } from './place-by-reading.ts'
import { attempts, placeBatch } from './testing/attempts.ts'

let period_code: string
let intake: Intake
let nowMs = 0

const database = await cloneDatabase()
const member: TestUser = await findCaller(database.db, 'member01')
beforeEach(async () => {
  period_code = await openPeriod(database.owner)
  nowMs = 1_000_000
  intake = createIntake(database.batches, undefined, () => nowMs)
})

const newTicket = (waitedMs: number): NewTicket => ({
  ...toNewTicket(member, makeTicket(period_code)),
  arrived_ms: nowMs - waitedMs,
})
const refused = { error: { code: 'unavailable' } }

test('what the browser counts on is at least what a node may take', () => {
  expect(TICKET_CALLER_MS + TICKET_WAIT_MS + CONNECT_MS + SILENCE_MS).toBeLessThanOrEqual(TICKET_ENDED_MS)
})

test.each([
  ['from the cache', placeBatch],
  ['by reading', placeByReading],
])('%s a late ticket is refused, and the others of its batch are placed', async (_name, place) => {
  await placeBatch(intake, period_code, [newTicket(0), newTicket(0)])
  const before = await countWrites(database.db)
  expect(await place(intake, period_code, [newTicket(TICKET_WAIT_MS + 1)])).toMatchObject([refused])
  expect(await countWrites(database.db)).toEqual(before)
  const outcomes = await place(intake, period_code, [newTicket(TICKET_WAIT_MS + 1), newTicket(TICKET_WAIT_MS)])
  expect(outcomes).toMatchObject([refused, { value: {} }])
})

// Defect: the attempts that read wait for locks, and then write what was in time when they began.
test.each(['read', 'readLocked', 'single'] as const)('%s writes nothing that became late meanwhile', async (name) => {
  await placeBatch(intake, period_code, [newTicket(0)])
  const before = await countWrites(database.db)
  const ticket = newTicket(0)
  const placing = attempts[name](intake, period_code, [ticket])
  nowMs += TICKET_WAIT_MS + 1
  expect(await placing).toMatchObject([refused])
  expect(await countWrites(database.db)).toEqual(before)
})
