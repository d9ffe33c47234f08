// Password hashing takes tens of milliseconds of processor time, by design. So that a flood of log-ins cannot take the
// processors from the tickets, hashes are computed a few at a time, and a queue of unknown callers alone is slowed down: after
// each of their hashes comes a pause, as long as no other lane has a task. Callers wait in four lanes. Each lane has positions in
// a schedule while all are busy: no kind of caller can keep another one from its log-in. Once a lane of strangers is
// half full, no subnet takes more than its share of it: the honest users of a network that all share one may use all of a quiet lane.
// Where such a lane is full, a random one of those who wait and the newcomer is refused: whoever fills it in one burst does not keep it.

import { AsyncResource } from 'node:async_hooks'
import { availableParallelism } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { Refusal } from '../../platform/refusal.ts'

const laneNames = ['known', 'signed_in', 'proven', 'unknown'] as const
/**
 * Known: a log-in from a browser on which the user has logged in before. Signed in: a user who changes its own password or
 * gives somebody a new one. Proven: an unknown browser that came with a proof of work harder than a picture. Unknown: everybody else.
 */
export type HashLane = (typeof laneNames)[number]

/** Who waits for a hash. Of one signed-in user only a few tasks are queued or run at a time, whatever it calls. */
export type HashCaller =
  | { lane: 'known' }
  /** `subnet` from `subnetOf`. */
  | { lane: 'proven' | 'unknown'; subnet?: string }
  | { lane: 'signed_in'; actor_id: number }

export interface HashQueue {
  /**
   * Queues work and runs it.
   * @throws Refusal too_many_requests where the lane is full, also while it waits, or the signed-in caller has enough tasks of its own
   */
  run: <Result>(caller: HashCaller, work: () => Promise<Result>) => Promise<Result>
  /** How many tasks wait in a lane. */
  countWaiting: (lane: HashLane) => number
}

export interface HashQueueOptions {
  /** Tasks that run at the same time. */
  maxRunning: number
  /** Waiting tasks in each lane. */
  maxWaiting: number
  /** Tasks of one signed-in user that wait or run. */
  maxPerActor: number
  /** The pause after a task of an unknown caller while others wait, as a multiple of the task's duration. */
  pauseShare: number
  /** From 0, less than 1. */
  random?: () => number
}

/** A task that waits. */
interface Waiting {
  run: () => Promise<void>
  /** Refuses it: its place is another's. */
  evict: () => void
}

/** The longest pause, in ms: a task may have waited for other things than a processor. */
const MAX_PAUSE_MS = 250
/** How long a refused caller has to wait, in ms. */
const RETRY_AFTER_MS = 2_000
/** Which lane is served first, task by task; where it is empty, the first of `laneNames` that is not. */
const schedule: readonly HashLane[] = ['known', 'proven', 'signed_in', 'known', 'unknown']

const tooMany = (): Refusal => new Refusal('too_many_requests', { wait_ms: RETRY_AFTER_MS })

function refuse(): never {
  throw tooMany()
}

/** Counts a task of a user or a subnet until it has ended. */
async function countTask<Key, Result>(
  tasksOf: Map<Key, number>,
  key: Key,
  most: number,
  run: () => Promise<Result>,
): Promise<Result> {
  const count = tasksOf.get(key) ?? 0
  if (count >= most) refuse()
  tasksOf.set(key, count + 1)
  try {
    return await run()
  } finally {
    const left = tasksOf.get(key)! - 1
    if (left === 0) tasksOf.delete(key)
    else tasksOf.set(key, left)
  }
}

export function createHashQueue({
  maxRunning,
  maxWaiting,
  maxPerActor,
  pauseShare,
  random = Math.random,
}: HashQueueOptions): HashQueue {
  const lanes: Record<HashLane, Waiting[]> = { known: [], signed_in: [], proven: [], unknown: [] }
  const tasksOfActor = new Map<number, number>()
  /** Of strangers, by subnet. */
  const tasksOfSubnet = { proven: new Map<string, number>(), unknown: new Map<string, number>() }
  let running = 0
  let position = 0

  function nextLane(): HashLane | undefined {
    const first = schedule[position % schedule.length]!
    position += 1
    return [first, ...laneNames].find((lane) => lanes[lane].length > 0)
  }

  async function runTasks(): Promise<void> {
    running += 1
    for (let lane = nextLane(); lane; lane = nextLane()) {
      const task = lanes[lane].shift()!
      const startedAtMs = performance.now()
      await task.run()
      const isOnlyUnknown = lanes.known.length + lanes.signed_in.length + lanes.proven.length === 0
      if (lane === 'unknown' && lanes.unknown.length > 0 && isOnlyUnknown)
        await pause(Math.min((performance.now() - startedAtMs) * pauseShare, MAX_PAUSE_MS))
    }
    running -= 1
  }

  function evictWhereFull(lane: HashLane): void {
    const waiting = lanes[lane]
    if (waiting.length < maxWaiting) return
    const isOfStrangers = lane === 'unknown' || lane === 'proven'
    const [evicted] = isOfStrangers ? waiting.splice(Math.floor(random() * (waiting.length + 1)), 1) : []
    // The newcomer itself is one of those who may be refused.
    if (evicted === undefined) refuse()
    evicted.evict()
  }

  /** How many tasks a subnet may have among strangers, by how many others have some. */
  function shareOf(lane: 'proven' | 'unknown', subnet: string): number {
    if (lanes[lane].length < maxWaiting / 2) return Infinity
    const others = tasksOfSubnet[lane].size - (tasksOfSubnet[lane].has(subnet) ? 1 : 0)
    return others === 0 ? Infinity : Math.ceil(maxWaiting / (others + 1))
  }

  async function enqueue<Result>(lane: HashLane, work: () => Promise<Result>): Promise<Result> {
    evictWhereFull(lane)
    return new Promise((resolve, reject) => {
      // The task runs when another call's ends: it keeps the context of its own call, such as the address.
      const run = AsyncResource.bind(() => work().then(resolve, reject))
      lanes[lane].push({ run, evict: () => reject(tooMany()) })
      if (running < maxRunning) void runTasks()
    })
  }

  return {
    countWaiting: (lane) => lanes[lane].length,
    run: (caller, work) => {
      const wait = () => enqueue(caller.lane, work)
      if (caller.lane === 'signed_in') return countTask(tasksOfActor, caller.actor_id, maxPerActor, wait)
      if (caller.lane === 'known' || caller.subnet === undefined) return wait()
      const { lane, subnet } = caller
      return countTask(tasksOfSubnet[lane], subnet, shareOf(lane, subnet), wait)
    },
  }
}

/** The queue of this node. */
const queue = createHashQueue({
  maxRunning: Math.max(1, Math.floor(availableParallelism() / 4)),
  maxWaiting: 32,
  maxPerActor: 4,
  pauseShare: 3,
})
export const runInHashQueue: HashQueue['run'] = queue.run
export const countWaitingHashes: HashQueue['countWaiting'] = queue.countWaiting
