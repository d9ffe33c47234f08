import { executionAsyncId } from 'node:async_hooks'
import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { currentAddress, runFrom } from './call-origin.ts'

/** The address after some ticks of the event loop. */
async function findAddressLater(ticks: number): Promise<string | null> {
  for (let tick = 0; tick < ticks; tick++) await setImmediate()
  return currentAddress()
}

test('the address of a call is available to all its work, and to no other', async () => {
  const found = await Promise.all([
    runFrom('one', null, () => findAddressLater(1)),
    runFrom('two', null, () => findAddressLater(5)),
    runFrom('three', null, () => runFrom('four', null, () => findAddressLater(3))),
    findAddressLater(2),
  ])
  expect(found).toEqual(['one', 'two', 'four', null])
})

test('a failed call leaves no address behind', async () => {
  await expect(runFrom('one', null, () => Promise.reject(new Error('failed')))).rejects.toThrow('failed')
  expect(currentAddress()).toBe(null)
  expect(await runFrom('two', null, () => findAddressLater(1))).toBe('two')
})

test('promises are tracked while such a call runs, and not after it', async () => {
  // Node.js assigns promise ids only while it tracks promises.
  const isTracked = () => Promise.resolve().then(() => executionAsyncId() !== 0)
  const before = await isTracked()
  const during = await runFrom('one', null, () => isTracked())
  await setImmediate()
  expect([before, during, await isTracked()]).toEqual([false, true, false])
})
