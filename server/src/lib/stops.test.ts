// A node that is stopped while starting stops everything it has started, whatever its parts wait for.

import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createStops, StopRequested } from './stops.ts'

function makeStops() {
  const errors: unknown[] = []
  const stopped: string[] = []
  const stops = createStops((error) => errors.push(error))
  const part = (name: string) => async () => {
    stopped.push(name)
  }
  return { stops, errors, stopped, part }
}

test('the last started part stops first, and once', async () => {
  const { stops, stopped, part } = makeStops()
  for (const name of ['database', 'jobs', 'http']) stops.push(part(name))
  await Promise.all([stops.run(), stops.run()])
  expect(stopped).toEqual(['http', 'jobs', 'database'])
})

test('a failing stop does not prevent others', async () => {
  const { stops, errors, stopped, part } = makeStops()
  stops.push(part('database'))
  stops.push(() => Promise.reject(new Error('lost')))
  await stops.run()
  expect({ stopped, errors }).toEqual({ stopped: ['database'], errors: [new Error('lost')] })
})

// Defect: after a signal during the start, parts started later were not stopped, and the database pool waited 20 s for
// its connections.
test('a part that starts while the others stop is stopped at once, and its start ends', async () => {
  const { stops, stopped, part } = makeStops()
  let releaseConnection!: () => void
  const released = new Promise<void>((resolve) => (releaseConnection = resolve))
  stops.push(async () => {
    await released
    stopped.push('pool')
  })
  const all = stops.run()
  await setImmediate()
  expect(stops.isRunning()).toBe(true)
  expect(() =>
    stops.push(async () => {
      stopped.push('jobs')
      releaseConnection()
    }),
  ).toThrow(StopRequested)
  await all
  expect(stopped).toEqual(['jobs', 'pool'])
  expect(() => stops.push(part('late'))).toThrow(StopRequested)
})

test('the stops wait for a part that was stopped late', async () => {
  const { stops } = makeStops()
  let end!: () => void
  let hasEnded = false
  stops.push(() => new Promise<void>((resolve) => (end = resolve)))
  const all = stops.run().then(() => (hasEnded = true))
  let endLate!: () => void
  expect(() => stops.push(() => new Promise<void>((resolve) => (endLate = resolve)))).toThrow(StopRequested)
  end()
  await setImmediate()
  expect(hasEnded).toBe(false)
  endLate()
  await all
  expect(hasEnded).toBe(true)
})
