// Password hashing takes tens of milliseconds of processor time, by design. So that a flood of log-ins cannot take the
// processors from the tickets, hashes are computed a few at a time, unknown callers wait behind known ones, and there
// is a pause between the hashes of unknown callers while they queue up.

import { availableParallelism } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { Refusal } from '../../platform/refusal.ts'

/** Known: a signed-in user, or a browser on which the user has logged in before. */
export type HashLane = 'known' | 'stranger'

export interface HashQueue {
  /** Queues work and runs it. @throws Refusal too_many_requests where the lane is full */
  take: <Result>(lane: HashLane, work: () => Promise<Result>) => Promise<Result>
  /** Refuses early, before any other work is done for the caller. @throws Refusal too_many_requests */
  refuseWhenFull: (lane: HashLane) => void
}

export interface HashQueueOptions {
  /** Tasks that run at the same time. */
  mostAtOnce: number
  /** Waiting tasks in each lane; further ones are refused at once. */
  mostWaiting: number
  /** The pause after a task of an unknown caller while others wait, as a multiple of the task's duration. */
  restShare: number
}

/** The longest pause, in ms: a task may have waited for other things than a processor. */
const LONGEST_REST_MS = 250
/** How long a refused caller is told to wait, in ms. */
const COME_AGAIN_MS = 2_000

export function createHashQueue({ mostAtOnce, mostWaiting, restShare }: HashQueueOptions): HashQueue {
  const lanes: Record<HashLane, (() => Promise<void>)[]> = { known: [], stranger: [] }
  let running = 0

  async function runTurns(): Promise<void> {
    running += 1
    for (;;) {
      const lane = lanes.known.length > 0 ? 'known' : 'stranger'
      const turn = lanes[lane].shift()
      if (!turn) break
      const startedAtMs = performance.now()
      await turn()
      if (lane === 'stranger' && lanes.stranger.length > 0 && lanes.known.length === 0)
        await pause(Math.min((performance.now() - startedAtMs) * restShare, LONGEST_REST_MS))
    }
    running -= 1
  }

  const refuseWhenFull = (lane: HashLane): void => {
    if (lanes[lane].length >= mostWaiting) throw new Refusal('too_many_requests', { wait_ms: COME_AGAIN_MS })
  }

  return {
    refuseWhenFull,
    take: async (lane, work) => {
      refuseWhenFull(lane)
      return new Promise((resolve, reject) => {
        lanes[lane].push(() => work().then(resolve, reject))
        if (running < mostAtOnce) void runTurns()
      })
    },
  }
}

/** The queue of this node. */
const queue = createHashQueue({
  mostAtOnce: Math.max(1, Math.floor(availableParallelism() / 4)),
  mostWaiting: 32,
  restShare: 3,
})
export const takeHashTurn: HashQueue['take'] = queue.take
export const refuseWhenHashesWait: HashQueue['refuseWhenFull'] = queue.refuseWhenFull
