import { executionAsyncId } from 'node:async_hooks'
import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { currentAddress, runFrom, verifyCallerAgain } from './call-origin.ts'
import type { Tx } from '../postgres/db.ts'

/** The address after some ticks of the event loop. */
async function findAddressLater(ticks: number): Promise<string | null> {
  for (let tick = 0; tick < ticks; tick++) await setImmediate()
  return currentAddress()
}

test('the address of a call is that of all its work, and of no other', async () => {
  const found = await Promise.all([
    runFrom('one', () => findAddressLater(1)),
    runFrom('two', () => findAddressLater(5)),
    runFrom('three', () => runFrom('four', () => findAddressLater(3))),
    findAddressLater(2),
  ])
  expect(found).toEqual(['one', 'two', 'four', null])
})

test('the caller of a call is verified again in the transaction of its work, and that of no other', async () => {
  const verified: string[] = []
  const tx = {} as Tx
  const verifyAs = (name: string) => (given: Tx) => {
    verified.push(given === tx ? name : 'elsewhere')
    return Promise.reject(new Error(`${name} has ended`))
  }
  const verifyLater = async () => {
    await setImmediate()
    await verifyCallerAgain(tx)
  }
  const found = await Promise.allSettled([
    runFrom('address', verifyLater, verifyAs('one')),
    runFrom('address', verifyLater, verifyAs('two')),
    runFrom('command', verifyLater),
    verifyLater(),
  ])
  expect(found.map((one) => one.status)).toEqual(['rejected', 'rejected', 'fulfilled', 'fulfilled'])
  expect(found.slice(0, 2)).toMatchObject([
    { reason: { message: 'one has ended' } },
    { reason: { message: 'two has ended' } },
  ])
  expect(verified).toEqual(['one', 'two'])
})

test('a call that fails leaves no address behind', async () => {
  await expect(runFrom('one', () => Promise.reject(new Error('failed')))).rejects.toThrow('failed')
  expect(currentAddress()).toBe(null)
  expect(await runFrom('two', () => findAddressLater(1))).toBe('two')
})

test('promises are tracked while such a call runs, and not after it', async () => {
  // Node.js gives an id to a promise only while it tracks promises.
  const isTracked = () => Promise.resolve().then(() => executionAsyncId() !== 0)
  const before = await isTracked()
  const during = await runFrom('one', () => isTracked())
  await setImmediate()
  expect([before, during, await isTracked()]).toEqual([false, true, false])
})
