// Goal: the metrics say which attempt decided a ticket, and what the database rejected an attempt for.

import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { findCaller } from '../../../test/nodes.ts'
import { makeTicket, openPeriod, toNewTicket } from '../../../test/scenes.ts'
import { cloneDatabase } from '../../../test/test-database.ts'
import { attemptsTotal, decidedTicketsTotal, violationsTotal } from '../../lib/metrics.ts'
import { createIntake } from './intake.ts'
import { placeBatch } from './testing/attempts.ts'

const counters = [attemptsTotal, decidedTicketsTotal, violationsTotal]

// Test files before this one count in the same process.
for (const counter of counters) counter.reset()

async function readCounts(): Promise<Record<string, number>> {
  const metrics = await Promise.all(counters.map((each) => each.get()))
  return Object.fromEntries(
    metrics.flatMap(({ name, values }) =>
      values
        .filter(({ value }) => value > 0)
        .map(({ labels, value }) => [`${name.split('_')[2]} ${Object.values(labels).join(' ')}`, value]),
    ),
  )
}

test('each attempt of a batch is counted, with its tickets and the precondition that it violated', async () => {
  const { db, batches, owner } = await cloneDatabase()
  const member = await findCaller(db, 'member01')
  const period_code = await openPeriod(owner)
  // Nothing grows old, however busy the machine is.
  const intake = createIntake(batches, undefined, () => 0)
  const place = (count: number) =>
    placeBatch(
      intake,
      period_code,
      Array.from({ length: count }, () => toNewTicket(member, makeTicket(period_code))),
    )

  await place(4)
  expect(await readCounts()).toEqual({ 'attempts cached': 1, 'attempts read': 1, 'decided read': 4 })
  await place(2)
  await sql`update users set own_status = 'DISABLED_BET' where user_id = ${member.user_id}`.execute(owner)
  await place(1)
  expect(await readCounts()).toEqual({
    'attempts cached': 3,
    'attempts read': 2,
    'decided cached': 2,
    'decided read': 5,
    'violations cached members_may_bet': 1,
  })
})
