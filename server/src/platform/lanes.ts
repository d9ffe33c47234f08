// Lanes for calls that change something, for lists, and for all other reads. Changes of one account wait for its row, each on a connection of its
// own: without lanes one user with a hundred small calls a second had every connection for calls. Lists share few connections: one user who asked for
// many had those of everybody. Other reads share the connections for calls with the look-ups of callers. An assistant is in the lane of its principal, and before it
// in two narrower ones: its own, and one of all assistants of the principal. So no assistant keeps the others waiting, and the places
// beyond those of the assistants, of which lists have none, are for the principal alone. Tickets are in no lane, because they have
// connections of their own, nor is what lasts or is limited otherwise (`serve.ts`).
// Lists and other reads have a budget of time besides: places alone would let whoever asks again at once keep as many processors busy.
// Lanes and budgets are of this node.

import { LRUCache } from 'lru-cache'
import type { Caller } from './caller.ts'
import { Refusal } from './refusal.ts'
import { createSemaphore, type Semaphore } from './semaphore.ts'
import { createTimeBudgets, type TimeBudgets } from './time-budgets.ts'

export interface Lanes {
  /**
   * Runs a call in the lane of its caller's principal, in order of arrival; of an assistant, after the lanes of assistants.
   * @param work gets whether it has waited: then the caller may no longer be what it was
   * @throws Refusal too_many_requests: too many calls of the caller, or of the principal, wait; unavailable: the caller has left
   */
  run: <Result>(caller: LaneCaller, work: (hasWaited: boolean) => Promise<Result>, call?: LaneCall) => Promise<Result>
  /**
   * Refuses a session that `run` refused within a second, while a lane of it is still full: nobody looks up its caller for that.
   * @throws Refusal too_many_requests
   */
  refuseKnown: (sessionToken: string) => void
}

interface LaneCall {
  sessionToken?: string | null
  /** Asked when its turn comes: nobody waits for the reply any more. */
  hasLeft?: () => boolean
}

type LaneCaller = Pick<Caller, 'actor_id' | 'principal_id' | 'session_id' | 'level' | 'pending_steps' | 'is_office'>

/** How many calls run at a time, how many wait besides, and how long they may run together. */
interface LaneSize {
  running: number
  waiting: number
  /** Its time budget, as a multiple of that of a member; 0: it has none. */
  time_factor: number
}
interface LaneSizes {
  member: LaneSize
  /** A console user with its assistants. */
  console: LaneSize
  /** All assistants of a principal. */
  assistants: LaneSize
  assistant: LaneSize
}

const writeSizes: LaneSizes = {
  // It has one screen.
  member: { running: 1, waiting: 8, time_factor: 0 },
  // Several tabs, and assistants: a change of many users in one tab does not hold up the others.
  console: { running: 3, waiting: 30, time_factor: 0 },
  assistants: { running: 2, waiting: 20, time_factor: 0 },
  assistant: { running: 1, waiting: 8, time_factor: 0 },
}

/**
 * One of the connections for lists stays for others. In the journeys up to five lists of one principal are asked for at once; news let every
 * tab of every assistant ask at one moment. There is room for many that wait, because they cost nobody else anything.
 */
const listSizes: LaneSizes = {
  member: { running: 2, waiting: 40, time_factor: 1 },
  console: { running: 2, waiting: 160, time_factor: 2 },
  assistants: { running: 2, waiting: 120, time_factor: 2 },
  assistant: { running: 1, waiting: 40, time_factor: 1 },
}
/** A page asks for six at once, each of which takes milliseconds and one connection. There is room for those of many tabs. */
const readSizes: LaneSizes = {
  member: { running: 3, waiting: 40, time_factor: 1 },
  console: { running: 4, waiting: 160, time_factor: 2 },
  assistants: { running: 3, waiting: 120, time_factor: 2 },
  assistant: { running: 2, waiting: 40, time_factor: 1 },
}
/** Look-ups of tickets wait seconds for writers that hang. They have lanes of their own, so that no other read of their caller waits with them. */
const lookUpSize: LaneSize = { running: 8, waiting: 60, time_factor: 0 }
/** How long a refused caller has to wait, in ms. */
const RETRY_AFTER_MS = 1_000
const MAX_REFUSED = 1_000

/** What one read is charged at most, in ms: where all stand still for a moment, nobody owes for it. */
const MAX_CHARGED_MS = 250

interface Lane {
  key: string
  size: LaneSize
  semaphore: Semaphore
  /** Those that run or wait. */
  calls: number
}

/** For calls that change something. */
export const createWriteLanes = (budgets?: TimeBudgets): Lanes => createLanes(writeSizes, { budgets })
/** For calls that read by the connections for lists. */
export const createListLanes = (readMsPerSecond: number, budgets?: TimeBudgets): Lanes =>
  createLanes(listSizes, { readMsPerSecond, steadyAtOnce: 1, budgets })
/** For reads that may wait for writers. They are of members. */
export const createLookUpLanes = (): Lanes =>
  createLanes({ member: lookUpSize, console: lookUpSize, assistants: lookUpSize, assistant: lookUpSize })
/** For all other calls that read. */
export const createReadLanes = (readMsPerSecond: number, budgets?: TimeBudgets): Lanes =>
  createLanes(readSizes, { readMsPerSecond, steadyAtOnce: 2, budgets })

/**
 * @param readMsPerSecond the time budget of a member
 * @param steadyAtOnce how many calls run at a time of all those who read all the time: many accounts of one person are none more
 */
function createLanes(
  sizes: LaneSizes,
  {
    readMsPerSecond = 0,
    steadyAtOnce = 1,
    budgets = createTimeBudgets(),
  }: {
    readMsPerSecond?: number
    steadyAtOnce?: number
    budgets?: TimeBudgets | undefined
  } = {},
): Lanes {
  const steady = createSemaphore(steadyAtOnce)
  const refillOf = ({ size }: Lane): number => size.time_factor * readMsPerSecond
  /** Those with calls that run or wait. */
  const lanes = new Map<string, Lane>()
  /** The callers of sessions that were refused last. */
  const refused = new LRUCache<string, LaneCaller>({ max: MAX_REFUSED, ttl: RETRY_AFTER_MS })

  function enter(lane: Lane): void {
    lane.calls += 1
    lanes.set(lane.key, lane)
  }

  function leave(lane: Lane): void {
    lane.calls -= 1
    if (lane.calls === 0) lanes.delete(lane.key)
  }

  const pathOf = (caller: LaneCaller): Lane[] =>
    lanesOf(caller, sizes).map(
      ([key, size]) => lanes.get(key) ?? { key, size, semaphore: createSemaphore(size.running), calls: 0 },
    )

  const isFull = ({ calls, size }: Lane): boolean => calls >= size.running + size.waiting
  const refusal = (): Refusal => new Refusal('too_many_requests', { wait_ms: RETRY_AFTER_MS })

  return {
    refuseKnown(sessionToken) {
      const caller = refused.get(sessionToken)
      if (caller && pathOf(caller).some(isFull)) throw refusal()
    },
    async run(caller, work, { sessionToken = null, hasLeft = () => false } = {}) {
      const path = pathOf(caller)
      if (path.some(isFull)) {
        if (sessionToken !== null) refused.set(sessionToken, caller)
        throw refusal()
      }
      for (const lane of path) enter(lane)
      const timed = timedLanesOf(caller, path)
      const runCharged = async (hasWaited: boolean) => {
        if (hasWaited && hasLeft()) throw new Refusal('unavailable')
        const startedMs = performance.now()
        try {
          return await work(hasWaited)
        } finally {
          const ms = Math.min(MAX_CHARGED_MS, performance.now() - startedMs)
          for (const lane of timed) budgets.charge(lane.key, refillOf(lane), ms)
        }
      }
      // With the places of all lanes: assistants who read all the time may keep those of their principal while they wait for the others.
      const begin = (hasWaited: boolean) =>
        timed.some((lane) => budgets.readsSteadily(lane.key, refillOf(lane)))
          ? steady.run((hasWaitedHere) => runCharged(hasWaited || hasWaitedHere))
          : runCharged(hasWaited)
      const waitForTime = async (lane: Lane): Promise<boolean> =>
        timed.includes(lane) && budgets.waitFor(lane.key, refillOf(lane))
      const runInPath = path.reduceRight(
        (runInRest, lane) => (hasWaited) =>
          lane.semaphore.run(async (hasWaitedHere) => {
            // With the place: those behind it wait as well.
            const hasWaitedForTime = await waitForTime(lane)
            return runInRest(hasWaited || hasWaitedHere || hasWaitedForTime)
          }),
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
 * Those of a caller's lanes whose time it uses: not that of its principal, which has to be able to end the session of an assistant who floods.
 * The office has no bound.
 */
function timedLanesOf({ is_office }: LaneCaller, path: readonly Lane[]): Lane[] {
  const own = path.length === 1 ? path : path.slice(0, -1)
  return is_office ? [] : own.filter(({ size }) => size.time_factor > 0)
}

/**
 * The lanes that a caller passes, the narrowest first. Whoever knows the password alone gets a lane of its session: it keeps nobody with
 * the second factor waiting.
 */
function lanesOf(
  { actor_id, principal_id, session_id, level, pending_steps }: LaneCaller,
  sizes: LaneSizes,
): [string, LaneSize][] {
  const size = level === 'member' ? sizes.member : sizes.console
  if (pending_steps.includes('second_factor')) return [[`session ${session_id}`, size]]
  const ofPrincipal: [string, LaneSize] = [`principal ${principal_id}`, size]
  if (actor_id === principal_id) return [ofPrincipal]
  return [[`assistant ${actor_id}`, sizes.assistant], [`assistants of ${principal_id}`, sizes.assistants], ofPrincipal]
}
