// Group commit. An item whose queue has no batch in flight starts one at once, or waits only for the semaphore that all
// queues share. Items that arrive while the batch of their queue is in flight form the next batch, so batches grow under
// load. There is no timer.

import { setImmediate } from 'node:timers/promises'
import type { Semaphore } from '../lib/semaphore.ts'

/** The result of one item of a batch. */
export type ItemResult<Value> = { value: Value } | { error: unknown }

export interface BatcherOptions<Item, Value> {
  maxBatchSize: number
  /** Shared by all queues. */
  semaphore: Semaphore
  /** @returns a result for each item, in their order; where it throws, every item gets that error */
  runBatch(queue: string, items: readonly Item[]): Promise<readonly ItemResult<Value>[]>
}

export interface Batcher<Item, Value> {
  add(queue: string, item: Item): Promise<Value>
  /** How many items of all queues wait for a batch. */
  countWaiting(): number
}

/**
 * How many results are delivered in one tick of the event loop, so that the next batch does not wait for all of them.
 */
const RESULTS_PER_TICK = 32

interface Entry<Item, Value> {
  item: Item
  resolve: (value: Value) => void
  reject: (error: unknown) => void
}

export function createBatcher<Item, Value>(options: BatcherOptions<Item, Value>): Batcher<Item, Value> {
  const { maxBatchSize, semaphore } = options
  /** The items that wait, by queue; a queue is in it while a batch of it is in flight. */
  const queues = new Map<string, Entry<Item, Value>[]>()

  async function runNext(name: string, waiting: Entry<Item, Value>[]): Promise<void> {
    const batch = waiting.splice(0, maxBatchSize)
    const items = batch.map(({ item }) => item)
    // A queue whose batch throws would wait for ever.
    const results = await options.runBatch(name, items).catch((error: unknown) => items.map(() => ({ error })))
    void deliver(batch, results)
  }

  /** Runs batches until nothing waits. */
  async function run(name: string, waiting: Entry<Item, Value>[]): Promise<void> {
    while (waiting.length > 0) await semaphore.run(() => runNext(name, waiting))
    queues.delete(name)
  }

  return {
    add: (name, item) =>
      new Promise((resolve, reject) => {
        const entry = { item, resolve, reject }
        const waiting = queues.get(name)
        if (waiting) {
          waiting.push(entry)
          return
        }
        const first = [entry]
        queues.set(name, first)
        void run(name, first)
      }),
    countWaiting: () => {
      let count = 0
      for (const waiting of queues.values()) count += waiting.length
      return count
    },
  }
}

async function deliver<Item, Value>(
  batch: readonly Entry<Item, Value>[],
  results: readonly ItemResult<Value>[],
): Promise<void> {
  for (const [index, { resolve, reject }] of batch.entries()) {
    if (index % RESULTS_PER_TICK === 0) await setImmediate()
    const result = results[index]!
    if ('value' in result) resolve(result.value)
    else reject(result.error)
  }
}
