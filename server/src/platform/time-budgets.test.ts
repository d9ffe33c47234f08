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

// Defect: whoever asked again as soon as it was answered kept two processors busy for ever.
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

// Defect: whoever read at the pace of its budget was never among those of whom one list runs at a time.
test('an account that reads all the time is known for it, and for half a minute after it has ended', async () => {
  const { budgets, read, pass } = openBudgets()
  // A page is opened every ten seconds: six reads of 30 ms.
  for (let each = 0; each < 60; each += 1) {
    await read('a', 30)
    if (each % 6 === 5) pass(10_000)
    expect(budgets.readsSteadily('a', 250)).toBe(false)
  }
  // As fast as it is answered.
  for (let each = 0; each < 100; each += 1) await read('a', 100)
  expect(budgets.readsSteadily('a', 250)).toBe(true)
  pass(29_000)
  expect(budgets.readsSteadily('a', 250)).toBe(true)
  pass(2_000)
  expect(budgets.readsSteadily('a', 250)).toBe(false)
})
