// Hashing a password takes a processor for tens of milliseconds, by design. So that nobody can keep the house from its
// tickets by knocking at the door, hashes are made a few at a time, strangers wait behind those who are known, and while
// strangers queue up there is a rest between their hashes.

import { availableParallelism } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { Refusal } from '../../platform/refusal.ts'

/** Known: a signed-in user, or a browser on which the user has logged in before. */
export type HashLane = 'known' | 'stranger'

export interface HashQueue {
  /** Runs work in its turn. @throws Refusal too_many_requests where the lane is full */
  take: <Result>(lane: HashLane, work: () => Promise<Result>) => Promise<Result>
  /** For those whose turn could not come: nothing else has to be done for them. @throws Refusal too_many_requests */
  refuseWhenFull: (lane: HashLane) => void
}

export interface HashQueueOptions {
  /** Turns at a time. */
  mostAtOnce: number
  /** In each lane; who comes after them is refused at once. */
  mostWaiting: number
  /** The rest after a stranger's turn while others wait, as a share of the turn. */
  restShare: number
}

/** The longest rest, in ms: a turn may have waited for other things than a processor. */
const LONGEST_REST_MS = 250
/** What who finds the queue full is told to wait, in ms. */
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
