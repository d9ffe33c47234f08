// Lanes for calls that change something. Changes of one account wait for its row, each on a connection of its own: without lanes one
// user with a hundred small calls a second had every connection for calls. An assistant is in the lane of its principal, and before it
// in two narrower ones: its own, and one of all assistants of the principal. So no assistant keeps the others waiting, and the places
// beyond those of the assistants are for the principal alone. Reads and tickets are in no lane: tickets have connections of their own.
// The lanes are of this node.

import type { Caller } from './caller.ts'
import { Refusal } from './refusal.ts'
import { createSemaphore, type Semaphore } from './semaphore.ts'

export interface WriteLanes {
  /**
   * Runs a change in the lane of its caller's principal, in order of arrival; of an assistant, after the lanes of assistants.
   * @param work gets whether it has waited: then the caller may no longer be what it was
   * @param hasLeft asked when its turn comes: nobody waits for the reply any more
   * @throws Refusal too_many_requests: too many changes of the caller, or of the principal, wait; unavailable: the caller has left
   */
  run: <Result>(
    caller: LaneCaller,
    work: (hasWaited: boolean) => Promise<Result>,
    hasLeft?: () => boolean,
  ) => Promise<Result>
}

type LaneCaller = Pick<Caller, 'actor_id' | 'principal_id' | 'session_id' | 'level' | 'pending_steps'>

/** How many changes run at a time, and how many wait besides. */
interface LaneSize {
  running: number
  waiting: number
}
/** A member has one screen. */
const MEMBER_LANE: LaneSize = { running: 1, waiting: 8 }
/** Several tabs, and assistants: a change of many users in one tab does not hold up the others. */
const CONSOLE_LANE: LaneSize = { running: 3, waiting: 30 }
/** All assistants of a principal. */
const ASSISTANTS_LANE: LaneSize = { running: 2, waiting: 20 }
const ASSISTANT_LANE: LaneSize = { running: 1, waiting: 8 }
/** How long a refused caller has to wait, in ms. */
const RETRY_AFTER_MS = 1_000

interface Lane {
  key: string
  size: LaneSize
  semaphore: Semaphore
  /** Those that run or wait. */
  calls: number
}

export function createWriteLanes(): WriteLanes {
  /** Those with changes that run or wait. */
  const lanes = new Map<string, Lane>()

  function enter(lane: Lane): void {
    lane.calls += 1
    lanes.set(lane.key, lane)
  }

  function leave(lane: Lane): void {
    lane.calls -= 1
    if (lane.calls === 0) lanes.delete(lane.key)
  }

  return {
    async run(caller, work, hasLeft = () => false) {
      const path = lanesOf(caller).map(
        ([key, size]) => lanes.get(key) ?? { key, size, semaphore: createSemaphore(size.running), calls: 0 },
      )
      if (path.some(({ calls, size }) => calls >= size.running + size.waiting))
        throw new Refusal('too_many_requests', { wait_ms: RETRY_AFTER_MS })
      for (const lane of path) enter(lane)
      const begin = async (hasWaited: boolean) => {
        if (hasWaited && hasLeft()) throw new Refusal('unavailable')
        return work(hasWaited)
      }
      const runInPath = path.reduceRight(
        (runInRest, { semaphore }) =>
          (hasWaited) =>
            semaphore.run((hasWaitedHere) => runInRest(hasWaited || hasWaitedHere)),
        begin,
      )
      try {
        return await runInPath(false)
      } finally {
        for (const lane of path) leave(lane)
      }
    },
  }
}

/**
 * The lanes that a caller passes, the narrowest first. Whoever knows the password alone gets a lane of its session: it keeps nobody with
 * the second factor waiting.
 */
function lanesOf({ actor_id, principal_id, session_id, level, pending_steps }: LaneCaller): [string, LaneSize][] {
  const size = level === 'member' ? MEMBER_LANE : CONSOLE_LANE
  if (pending_steps.includes('second_factor')) return [[`session ${session_id}`, size]]
  const ofPrincipal: [string, LaneSize] = [`principal ${principal_id}`, size]
  if (actor_id === principal_id) return [ofPrincipal]
  return [[`assistant ${actor_id}`, ASSISTANT_LANE], [`assistants of ${principal_id}`, ASSISTANTS_LANE], ofPrincipal]
}
