// Lanes for calls that change something. Changes of one account wait for its row, each on a connection of its own: without lanes one
// user with a hundred small calls a second had every connection for calls. An assistant is in the lane of its principal. Reads and tickets
// are in no lane: tickets have connections of their own. The lanes are of this node.

import type { Caller } from './caller.ts'
import { Refusal } from './refusal.ts'
import { createSemaphore } from './semaphore.ts'

export interface WriteLanes {
  /**
   * Runs a change in the lane of its caller's principal, in order of arrival.
   * @param work gets whether it has waited: then the caller may no longer be what it was
   * @param hasLeft asked when its turn comes: nobody waits for the reply any more
   * @throws Refusal too_many_requests: too many changes of the principal wait; unavailable: the caller has left
   */
  run: <Result>(
    caller: LaneCaller,
    work: (hasWaited: boolean) => Promise<Result>,
    hasLeft?: () => boolean,
  ) => Promise<Result>
}

type LaneCaller = Pick<Caller, 'principal_id' | 'session_id' | 'level' | 'pending_steps'>

/** How many changes of one principal run at a time, and how many wait besides. */
interface LaneSize {
  running: number
  waiting: number
}
/** A member has one screen. */
const MEMBER_LANE: LaneSize = { running: 1, waiting: 8 }
/** Several tabs, and assistants: a change of many users in one tab does not hold up the others. */
const CONSOLE_LANE: LaneSize = { running: 3, waiting: 30 }
/** How long a refused caller has to wait, in ms. */
const RETRY_AFTER_MS = 1_000

export function createWriteLanes(): WriteLanes {
  /** Those with changes that run or wait. */
  const lanes = new Map<string, { semaphore: ReturnType<typeof createSemaphore>; calls: number }>()
  return {
    async run(caller, work, hasLeft = () => false) {
      const { running, waiting } = caller.level === 'member' ? MEMBER_LANE : CONSOLE_LANE
      const key = keyOf(caller)
      const lane = lanes.get(key) ?? { semaphore: createSemaphore(running), calls: 0 }
      if (lane.calls >= running + waiting) throw new Refusal('too_many_requests', { wait_ms: RETRY_AFTER_MS })
      lanes.set(key, lane)
      const hasWaited = lane.calls >= running
      lane.calls += 1
      try {
        return await lane.semaphore.run(async () => {
          if (hasWaited && hasLeft()) throw new Refusal('unavailable')
          return work(hasWaited)
        })
      } finally {
        lane.calls -= 1
        if (lane.calls === 0) lanes.delete(key)
      }
    },
  }
}

/** Whoever knows the password alone gets a lane of its session: it keeps nobody with the second factor waiting. */
function keyOf({ principal_id, session_id, pending_steps }: LaneCaller): string {
  return pending_steps.includes('second_factor') ? `session ${session_id}` : `principal ${principal_id}`
}
