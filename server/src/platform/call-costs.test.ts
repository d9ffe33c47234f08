// Goal: nobody, with its assistants, can keep the connections of reports or the event loop from the others.

import { expect, test } from 'vitest'
import { createCallCosts } from './call-costs.ts'

const refused = { code: 'too_many_requests' }

/** Work that ends on demand. */
function hold() {
  let end: () => void = () => {}
  const ended = new Promise<void>((resolve) => (end = resolve))
  return { work: () => ended, end }
}

test('a principal’s second export is refused while the first one runs, and another’s is not', async () => {
  const costs = createCallCosts(1_000)
  const first = hold()
  const running = costs.run(1, 'export', first.work)
  await expect(costs.run(1, 'export', async () => {})).rejects.toMatchObject(refused)
  expect(await costs.run(2, 'export', async () => 'done')).toBe('done')
  first.end()
  await running
  expect(await costs.run(1, 'export', async () => 'done')).toBe('done')
})

test('one report of a principal runs at a time, some wait, and the others are refused', async () => {
  const costs = createCallCosts(1_000)
  const held = hold()
  let started = 0
  const calls = Array.from({ length: 20 }, () =>
    costs.run(1, 'report', () => {
      started += 1
      return held.work()
    }),
  )
  const settled = Promise.allSettled(calls)
  await new Promise(setImmediate)
  expect(started).toBe(1)
  // Nobody else waits for it.
  expect(await costs.run(2, 'report', async () => 'done')).toBe('done')
  held.end()
  const results = await settled
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(7)
  expect(started).toBe(7)
})

test('a report whose caller has left before its turn is not made', async () => {
  const costs = createCallCosts(1_000)
  const held = hold()
  const first = costs.run(1, 'report', held.work)
  let hasLeft = false
  let isMade = false
  const second = costs.run(
    1,
    'report',
    async () => void (isMade = true),
    () => hasLeft,
  )
  hasLeft = true
  held.end()
  await first
  await expect(second).rejects.toMatchObject({ code: 'unavailable' })
  expect(isMade).toBe(false)
  expect(await costs.run(1, 'report', async () => 'done')).toBe('done')
})

test('a report knows that it has waited', async () => {
  const costs = createCallCosts(1_000)
  const held = hold()
  const waits: boolean[] = []
  const ask = () =>
    costs.run(1, 'report', async (hasWaited) => {
      waits.push(hasWaited)
      await held.work()
    })
  const calls = [ask(), ask()]
  held.end()
  await Promise.all(calls)
  expect(waits).toEqual([false, true])
})

test('a call that fails frees its place', async () => {
  const costs = createCallCosts(1_000)
  await expect(costs.run(1, 'export', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
  expect(await costs.run(1, 'export', async () => 'done')).toBe('done')
})

test('the budget is spent by reports, exports and refused tickets, and comes back with time', async () => {
  let nowMs = 0
  const costs = createCallCosts(60, () => nowMs)
  for (let each = 0; each < 10; each += 1) await costs.run(1, 'export', async () => {})
  for (let each = 0; each < 10; each += 1) await costs.run(1, 'report', async () => {})
  await expect(costs.run(1, 'report', async () => {})).rejects.toMatchObject({ details: { wait_ms: 1_000 } })
  expect(() => costs.refuseSpent(1)).toThrow('too_many_requests')
  expect(() => costs.refuseSpent(2)).not.toThrow()
  nowMs = 10_000
  costs.refuseSpent(1)
  costs.chargeRefused(1, 20 * 16 * 1_024)
  expect(() => costs.refuseSpent(1)).toThrow('too_many_requests')
  // Ten units too many were taken: ten seconds.
  nowMs = 20_001
  costs.refuseSpent(1)
})
