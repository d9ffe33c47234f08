// Group commit. An item whose queue has no batch in flight starts one at once, or waits only for the semaphore that all
// queues share. Items that arrive while a batch of their queue is in flight form the next batch, so batches grow under
// load. There is no timer.

import { setImmediate } from 'node:timers/promises'
import type { Semaphore } from './semaphore.ts'

/** The result of one item of a batch. */
export type ItemResult<Value> = { value: Value } | { error: unknown }

export interface BatcherOptions<Item, Value> {
  maxBatchSize: number
  /** Batches of one queue that may be in flight at once. */
  maxInFlight: number
  /** Every further batch has a fixed cost: with fewer items than this they wait for the batch in flight. */
  minFurtherBatch: number
  /** Items with the same key are never in flight in two batches of a queue at once. */
  exclusiveKey?: (item: Item) => unknown
  /** Shared by all queues. */
  semaphore?: Semaphore
  /** Never throws. @returns a result for each item, in their order */
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

interface Queue<Item, Value> {
  waiting: Entry<Item, Value>[]
  runners: number
  inFlight: Set<unknown>
}

export function createBatcher<Item, Value>(options: BatcherOptions<Item, Value>): Batcher<Item, Value> {
  const { maxInFlight, minFurtherBatch, semaphore } = options
  const queues = new Map<string, Queue<Item, Value>>()

  /** Runs batches until nothing is left that this runner may take. */
  async function run(name: string, queue: Queue<Item, Value>): Promise<void> {
    queue.runners += 1
    for (;;) {
      if (queue.waiting.length < (queue.runners > 1 ? minFurtherBatch : 1)) break
      const runNext = () => runNextBatch(options, name, queue)
      const hasRun = await (semaphore ? semaphore.run(runNext) : runNext())
      // All waiting items are excluded by the other runner's batch.
      if (!hasRun) break
    }
    queue.runners -= 1
    if (queue.runners > 0) return
    // Items may have arrived between two runners that end in the same tick.
    if (queue.waiting.length > 0) void run(name, queue)
    else queues.delete(name)
  }

  return {
    add: (name, item) =>
      new Promise((resolve, reject) => {
        const queue = queues.get(name) ?? { waiting: [], runners: 0, inFlight: new Set() }
        queues.set(name, queue)
        queue.waiting.push({ item, resolve, reject })
        if (queue.runners === 0 || (queue.runners < maxInFlight && queue.waiting.length >= minFurtherBatch))
          void run(name, queue)
      }),
    countWaiting: () => {
      let count = 0
      for (const { waiting } of queues.values()) count += waiting.length
      return count
    },
  }
}

/** @returns false where there was nothing to run */
async function runNextBatch<Item, Value>(
  options: BatcherOptions<Item, Value>,
  name: string,
  queue: Queue<Item, Value>,
): Promise<boolean> {
  const batch = takeBatch(options, queue)
  if (batch.length === 0) return false
  const { exclusiveKey } = options
  const keys = exclusiveKey ? batch.map(({ item }) => exclusiveKey(item)) : []
  for (const key of keys) queue.inFlight.add(key)
  const results = await options.runBatch(
    name,
    batch.map(({ item }) => item),
  )
  for (const key of keys) queue.inFlight.delete(key)
  void passOn(batch, results)
  return true
}

/** Takes the next items in order of arrival, without those excluded by a batch in flight. */
function takeBatch<Item, Value>(
  { maxBatchSize, exclusiveKey }: BatcherOptions<Item, Value>,
  queue: Queue<Item, Value>,
): Entry<Item, Value>[] {
  const taken: Entry<Item, Value>[] = []
  const left: Entry<Item, Value>[] = []
  for (const entry of queue.waiting) {
    const isExcluded = exclusiveKey !== undefined && queue.inFlight.has(exclusiveKey(entry.item))
    ;(taken.length < maxBatchSize && !isExcluded ? taken : left).push(entry)
  }
  queue.waiting = left
  return taken
}

async function passOn<Item, Value>(
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
