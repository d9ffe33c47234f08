// Goal: a caller reads as much at once as a page needs, and as long as its budget allows after that.

import { expect, test } from 'vitest'
import { createTimeBudgets } from './time-budgets.ts'

function openBudgets() {
  let nowMs = 0
  const waits: number[] = []
  const budgets = createTimeBudgets(
    () => nowMs,
    async (ms) => {
      waits.push(Math.round(ms))
      nowMs += ms
    },
  )
  const read = async (key: string, ms: number): Promise<boolean> => {
    const hasWaited = await budgets.waitFor(key, 250)
    nowMs += ms
    budgets.charge(key, 250, ms)
    return hasWaited
  }
  return { budgets, waits, read, pass: (ms: number) => (nowMs += ms) }
}

test('four seconds of the budget are used ahead, and a read waits until what was used beyond them has come back', async () => {
  const { waits, read, pass } = openBudgets()
  // 1,000 ms ahead, and a quarter of the time that passes since the first one: 14 reads use 1,400 ms, and 325 come back.
  for (let each = 0; each < 14; each += 1) expect(await read('a', 100)).toBe(false)
  expect(await read('a', 100)).toBe(true)
  expect(waits).toEqual([300])
  expect(await read('b', 100)).toBe(false)
  pass(60_000)
  expect(await read('a', 100)).toBe(false)
})

test('one long read is waited for five seconds at most', async () => {
  const { waits, read } = openBudgets()
  await read('a', 60_000)
  await read('a', 1)
  expect(waits).toEqual([5_000])
})

test('an account that has used more than half of what it may use ahead has used most', async () => {
  const { budgets, read, pass } = openBudgets()
  expect(budgets.hasUsedMost('a', 250)).toBe(false)
  await read('a', 400)
  expect(budgets.hasUsedMost('a', 250)).toBe(false)
  await read('a', 400)
  expect(budgets.hasUsedMost('a', 250)).toBe(true)
  pass(10_000)
  expect(budgets.hasUsedMost('a', 250)).toBe(false)
})
