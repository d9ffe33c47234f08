// Goal: calls that ask for the same in one moment cost as much as one or two of them, and none relies on a run that began before it asked.

import { expect, test } from 'vitest'
import { shareRuns } from './share-runs.ts'

test('who asks while the work runs gets the next run, which all others share that ask until it begins', async () => {
  const ends: (() => void)[] = []
  let runs = 0
  const ask = shareRuns(async () => {
    const run = (runs += 1)
    await new Promise<void>((resolve) => ends.push(resolve))
    return run
  })
  const first = ask()
  await new Promise(setImmediate)
  const others = Array.from({ length: 50 }, () => ask())
  ends[0]!()
  expect(await first).toBe(1)
  while (ends.length < 2) await new Promise(setImmediate)
  ends[1]!()
  expect(new Set(await Promise.all(others))).toEqual(new Set([2]))
  expect(runs).toBe(2)
})

test('a run that fails is the failure of those who share it, and the next one is tried', async () => {
  let runs = 0
  const ask = shareRuns(async () => {
    runs += 1
    if (runs === 1) throw new Error('away')
    return runs
  })
  await expect(ask()).rejects.toThrow('away')
  expect(await ask()).toBe(2)
})
