// Goal: a member with many large tickets at once has no more lines in batches than one large ticket, in order of arrival, and others
// wait for none of its tickets.

import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { findCaller } from '../../../../test/nodes.ts'
import { makeLine, makeTicket, openPeriod, toNewTicket } from '../../../../test/scenes.ts'
import { cloneDatabase } from '../../../../test/test-database.ts'
import { createMemberLines } from './member-lines.ts'
import { createIntake } from './queue.ts'

const ENDLESS = 1_000_000

/** Tickets that are placed when the test says so. */
function makePlacing() {
  const lines = createMemberLines()
  const running: string[] = []
  const ends = new Map<string, () => void>()
  const place = (user_id: number, name: string, count: number) =>
    lines.run(user_id, count, async () => {
      running.push(name)
      await new Promise<void>((resolve) => ends.set(name, resolve))
      running.splice(running.indexOf(name), 1)
      return name
    })
  const end = async (name: string): Promise<void> => {
    ends.get(name)!()
    await setImmediate()
  }
  return { place, end, running }
}

test('large tickets of a member run one at a time, in order of arrival', async () => {
  const { place, end, running } = makePlacing()
  const placed = ['first', 'second', 'third'].map((name) => place(1, name, 500))
  await setImmediate()
  expect(running).toEqual(['first'])
  await end('first')
  expect(running).toEqual(['second'])
  await end('second')
  await end('third')
  expect(await Promise.all(placed)).toEqual(['first', 'second', 'third'])
})

test('small tickets of a member run together, up to the lines of a large one', async () => {
  const { place, end, running } = makePlacing()
  for (let ticket = 0; ticket < 60; ticket += 1) void place(1, `small ${ticket}`, 10)
  await setImmediate()
  expect(running).toHaveLength(50)
  await end('small 0')
  expect(running).toHaveLength(50)
  expect(running).toContain('small 50')
})

test('a small ticket does not overtake a large one that waits', async () => {
  const { place, end, running } = makePlacing()
  for (const [name, lines] of [
    ['small', 10],
    ['large', 500],
    ['late', 10],
  ] as const)
    void place(1, name, lines)
  await setImmediate()
  expect(running).toEqual(['small'])
  await end('small')
  expect(running).toEqual(['large'])
  await end('large')
  expect(running).toEqual(['late'])
})

test('another member waits for nothing', async () => {
  const { place, running } = makePlacing()
  for (const name of ['first', 'second']) void place(1, name, 500)
  void place(2, 'of another', 500)
  await setImmediate()
  expect(running).toEqual(['first', 'of another'])
})

test('a ticket of more lines than any other runs alone', async () => {
  const { place, end, running } = makePlacing()
  void place(1, 'endless', ENDLESS)
  void place(1, 'small', 10)
  await setImmediate()
  expect(running).toEqual(['endless'])
  await end('endless')
  expect(running).toEqual(['small'])
})

test('beyond forty large tickets that wait a further one is refused, until there is room', async () => {
  const { place, end } = makePlacing()
  for (let ticket = 0; ticket <= 40; ticket += 1) void place(1, `${ticket}`, 500)
  await expect(place(1, 'refused', 1)).rejects.toMatchObject({ code: 'too_many_requests' })
  await end('0')
  const placed = place(1, 'placed', 500)
  await expect(place(1, 'refused', 1)).rejects.toMatchObject({ code: 'too_many_requests' })
  for (let ticket = 1; ticket <= 40; ticket += 1) await end(`${ticket}`)
  await end('placed')
  expect(await placed).toBe('placed')
})

test('a ticket that fails makes room for the next', async () => {
  const lines = createMemberLines()
  const failed = lines.run(1, 500, () => Promise.reject(new Error('away')))
  const next = lines.run(1, 500, () => Promise.resolve('placed'))
  await expect(failed).rejects.toThrow('away')
  expect(await next).toBe('placed')
})

// Defect: a hundred large tickets were one batch, for which everybody waited.
test('large tickets of a member that are sent at once are written by a transaction each', async () => {
  const { owner, db, batches } = await cloneDatabase()
  const member = await findCaller(db, 'member01')
  const period_code = await openPeriod(owner)
  const items = Array.from({ length: 500 }, (_, number) => makeLine('3top', String(number).padStart(3, '0'), 5))
  const intake = createIntake(batches)
  await Promise.all(
    Array.from({ length: 6 }, () => intake.placeTicket(toNewTicket(member, makeTicket(period_code, { items })))),
  )
  const { rows } = await sql<{ transactions: number; tickets: number }>`
    select count(distinct orders.created_at)::int as transactions, count(*)::int as tickets
    from orders join periods using (period_id) where period_code = ${period_code}`.execute(db)
  expect(rows).toEqual([{ transactions: 6, tickets: 6 }])
})
