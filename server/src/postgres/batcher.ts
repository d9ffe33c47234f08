// Group commit. An item whose queue has no batch in flight starts one at once, or waits only for the semaphore that all
// queues share. Items that arrive while the batch of their queue is in flight form the next batch, so batches grow under
// load. There is no timer.

import { setImmediate } from 'node:timers/promises'
import { createSemaphore, type Semaphore } from '../lib/semaphore.ts'

/** The result of one item of a batch. */
export type ItemResult<Value> = { value: Value } | { error: unknown }

interface Entry<Item, Value> {
  item: Item
  resolve: (value: Value | undefined) => void
  reject: (error: unknown) => void
}

export interface BatchQueues<Item, Value> {
  maxBatchSize: number
  /** Shared by all queues. */
  semaphore: Semaphore
  /** The items that wait, by queue; a queue is in it while a batch of it is in flight. */
  waiting: Map<string, Entry<Item, Value>[]>
}

/** @param atOnce how many queues have a batch in flight at a time */
export function createBatchQueues<Item, Value>(maxBatchSize: number, atOnce: number): BatchQueues<Item, Value> {
  return { maxBatchSize, semaphore: createSemaphore(atOnce), waiting: new Map() }
}

/**
 * How many results are delivered in one tick of the event loop, so that the next batch does not wait for all of them.
 */
const RESULTS_PER_TICK = 32

/** @returns a result for each item, in their order; where it throws, every item gets that error */
type RunBatch<Item, Value> = (items: readonly Item[]) => Promise<readonly (ItemResult<Value> | undefined)[]>

/** Adds an item to a queue. @param runBatch the same for all items of a queue @returns the result of the item */
export function addToBatch<Item, Value>(
  queues: BatchQueues<Item, Value>,
  name: string,
  item: Item,
  runBatch: RunBatch<Item, Value>,
): Promise<Value | undefined> {
  return new Promise((resolve, reject) => {
    const entry = { item, resolve, reject }
    const waiting = queues.waiting.get(name)
    if (waiting) waiting.push(entry)
    else {
      queues.waiting.set(name, [entry])
      void runQueue(queues, name, runBatch)
    }
  })
}

/** How many items of all queues wait for a batch. */
export function countWaiting({ waiting }: BatchQueues<unknown, never>): number {
  return [...waiting.values()].reduce((count, entries) => count + entries.length, 0)
}

/** Runs batches until nothing waits. */
async function runQueue<Item, Value>(
  { waiting, semaphore, maxBatchSize }: BatchQueues<Item, Value>,
  name: string,
  runBatch: RunBatch<Item, Value>,
): Promise<void> {
  const entries = waiting.get(name)!
  while (entries.length > 0)
    await semaphore.run(async () => {
      const batch = entries.splice(0, maxBatchSize)
      const items = batch.map(({ item }) => item)
      // A queue whose batch throws would wait for ever.
      const results = await runBatch(items).catch((error: unknown) => items.map(() => ({ error })))
      void deliver(batch, results)
    })
  waiting.delete(name)
}

async function deliver<Item, Value>(
  batch: readonly Entry<Item, Value>[],
  results: readonly (ItemResult<Value> | undefined)[],
): Promise<void> {
  for (const [index, { resolve, reject }] of batch.entries()) {
    if (index % RESULTS_PER_TICK === 0) await setImmediate()
    const result = results[index]
    if (result && 'error' in result) reject(result.error)
    else resolve(result?.value)
  }
}
