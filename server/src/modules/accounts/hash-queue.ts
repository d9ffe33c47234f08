// Password hashing takes tens of milliseconds of processor time, by design. So that a flood of log-ins cannot take the
// processors from the tickets, hashes are computed a few at a time, unknown callers wait behind known ones, and there
// is a pause between the hashes of unknown callers while they queue up.

import { AsyncResource } from 'node:async_hooks'
import { availableParallelism } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { Refusal } from '../../platform/refusal.ts'

/** Known: a signed-in user, or a browser on which the user has logged in before. */
export type HashLane = 'known' | 'unknown'

export interface HashQueue {
  /** Queues work and runs it. @throws Refusal too_many_requests where the lane is full */
  run: <Result>(lane: HashLane, work: () => Promise<Result>) => Promise<Result>
  /** Refuses early, before any other work is done for the caller; `run` checks again. @throws Refusal too_many_requests */
  refuseWhenFull: (lane: HashLane) => void
}

export interface HashQueueOptions {
  /** Tasks that run at the same time. */
  maxRunning: number
  /** Waiting tasks in each lane; further ones are refused at once. */
  maxWaiting: number
  /** The pause after a task of an unknown caller while others wait, as a multiple of the task's duration. */
  pauseShare: number
}

/** The longest pause, in ms: a task may have waited for other things than a processor. */
const MAX_PAUSE_MS = 250
/** How long a refused caller has to wait, in ms. */
const RETRY_AFTER_MS = 2_000

export function createHashQueue({ maxRunning, maxWaiting, pauseShare }: HashQueueOptions): HashQueue {
  const lanes: Record<HashLane, (() => Promise<void>)[]> = { known: [], unknown: [] }
  let running = 0

  async function runTasks(): Promise<void> {
    running += 1
    for (;;) {
      const lane = lanes.known.length > 0 ? 'known' : 'unknown'
      const task = lanes[lane].shift()
      if (!task) break
      const startedAtMs = performance.now()
      await task()
      if (lane === 'unknown' && lanes.unknown.length > 0 && lanes.known.length === 0)
        await pause(Math.min((performance.now() - startedAtMs) * pauseShare, MAX_PAUSE_MS))
    }
    running -= 1
  }

  const refuseWhenFull = (lane: HashLane): void => {
    if (lanes[lane].length >= maxWaiting) throw new Refusal('too_many_requests', { wait_ms: RETRY_AFTER_MS })
  }

  return {
    refuseWhenFull,
    run: async (lane, work) => {
      refuseWhenFull(lane)
      return new Promise((resolve, reject) => {
        // The task runs when another call's ends: it keeps the context of its own call, such as the address.
        lanes[lane].push(AsyncResource.bind(() => work().then(resolve, reject)))
        if (running < maxRunning) void runTasks()
      })
    },
  }
}

/** The queue of this node. */
const queue = createHashQueue({
  maxRunning: Math.max(1, Math.floor(availableParallelism() / 4)),
  maxWaiting: 32,
  pauseShare: 3,
})
export const runInHashQueue: HashQueue['run'] = queue.run
export const refuseWhenHashQueueFull: HashQueue['refuseWhenFull'] = queue.refuseWhenFull
