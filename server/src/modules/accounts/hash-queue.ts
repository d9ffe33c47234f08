// Password hashing takes tens of milliseconds of processor time, by design. So that a flood of log-ins cannot take the
// processors from the tickets, hashes are computed a few at a time, and a queue of unknown callers alone is slowed down: after
// each of their hashes comes a pause, as long as no other lane has a task. Callers wait in four lanes. Each lane has positions in
// a schedule while all are busy: no kind of caller can keep another one from its log-in.
//
// Within a lane nobody takes the places of others. A user name and a known browser have few tasks at a time, a signed-in principal one. Once a
// lane of strangers is half full, no subnet takes more than its share of it: the honest users of a network that all share one may use all
// of a quiet lane. Where somebody would have more than that, a random one of its tasks or the newcomer is refused; where a lane is
// full, a random one of those who have the most tasks in it. So whoever fills a lane in one burst does not keep it.

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

/** Who waits for a hash. */
export type HashCaller =
  /** `device`: the token of the browser. */
  | { lane: 'known'; username: string; device: string }
  /** `subnet` from `subnetOf`. */
  | { lane: 'proven' | 'unknown'; subnet?: string }
  /** For its own password the user itself, otherwise the principal. */
  | { lane: 'signed_in'; owner_id: number }

export interface HashQueue {
  /**
   * Queues work and runs it. The work of a signed-in caller queues nothing of its own, which would wait for itself.
   * @throws Refusal too_many_requests where the caller has enough tasks of its own or the lane is full, also while it waits
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
  /** Tasks of a user name, and of a known browser, that wait or run. */
  maxPerName: number
  /** Tasks of one signed-in principal: the one in its lane or running, and those that wait for their turn outside of the lane. */
  maxPerPrincipal: number
  /** The pause after a task of an unknown caller while others wait, as a multiple of the task's duration. */
  pauseShare: number
  /** From 0, less than 1. */
  random?: () => number
}

/** A task that waits. */
interface Waiting {
  owners: readonly string[]
  run: () => Promise<void>
  /** Refuses it: its place is another's. */
  evict: () => void
}

/** The tasks of a principal, which run one after another: how many, and when the last one has ended. */
interface SerialTasks {
  count: number
  last: Promise<unknown>
}

/** The longest pause, in ms: a task may have waited for other things than a processor. */
const MAX_PAUSE_MS = 250
/** How long a refused caller has to wait, in ms. */
const RETRY_AFTER_MS = 2_000
/** Which lane is served first, task by task; where it is empty, the first of `laneNames` that is not. */
const schedule: readonly HashLane[] = ['known', 'proven', 'signed_in', 'known', 'unknown']

const tooMany = (): Refusal => new Refusal('too_many_requests', { wait_ms: RETRY_AFTER_MS })

/** For whom a task counts. */
function ownersOf(caller: HashCaller): readonly string[] {
  if (caller.lane === 'known') return [`name:${caller.username.toLowerCase()}`, `browser:${caller.device}`]
  if (caller.lane === 'signed_in') return [`owner:${caller.owner_id}`]
  return caller.subnet === undefined ? [] : [`subnet:${caller.subnet}`]
}

export function createHashQueue({
  maxRunning,
  maxWaiting,
  maxPerName,
  maxPerPrincipal,
  pauseShare,
  random = Math.random,
}: HashQueueOptions): HashQueue {
  const lanes: Record<HashLane, Waiting[]> = { known: [], signed_in: [], proven: [], unknown: [] }
  /** The tasks of a lane that wait or run, by their owners. */
  const tasksOf: Record<HashLane, Map<string, number>> = {
    known: new Map(),
    signed_in: new Map(),
    proven: new Map(),
    unknown: new Map(),
  }
  const serialTasksOf = new Map<number, SerialTasks>()
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

  const countOf = (lane: HashLane, owner: string): number => tasksOf[lane].get(owner) ?? 0

  function count(lane: HashLane, owners: readonly string[], change: 1 | -1): void {
    for (const owner of owners) {
      const tasks = countOf(lane, owner) + change
      if (tasks === 0) tasksOf[lane].delete(owner)
      else tasksOf[lane].set(owner, tasks)
    }
  }

  /** How many tasks an owner may have in a lane; a subnet, by how many others have some. */
  function limitOf(lane: HashLane, owner: string): number {
    if (lane === 'known') return maxPerName
    if (lane === 'signed_in' || lanes[lane].length < maxWaiting / 2) return Infinity
    const others = tasksOf[lane].size - (tasksOf[lane].has(owner) ? 1 : 0)
    return others === 0 ? Infinity : Math.ceil(maxWaiting / (others + 1))
  }

  /** Refuses a random one of the tasks that wait for a reason, or the newcomer. */
  function dropOne(lane: HashLane, isCandidate: (task: Waiting) => boolean, newcomerIsCandidate: boolean): void {
    const candidates = lanes[lane].filter(isCandidate)
    const dropped = candidates[Math.floor(random() * (candidates.length + (newcomerIsCandidate ? 1 : 0)))]
    if (dropped === undefined) throw tooMany()
    lanes[lane].splice(lanes[lane].indexOf(dropped), 1)
    count(lane, dropped.owners, -1)
    dropped.evict()
  }

  /** @throws Refusal too_many_requests: the newcomer has no place */
  function makeRoom(lane: HashLane, owners: readonly string[]): void {
    for (const owner of owners)
      while (countOf(lane, owner) >= limitOf(lane, owner)) dropOne(lane, (task) => task.owners.includes(owner), true)
    if (lanes[lane].length < maxWaiting) return
    const ownCounts = owners.map((owner) => countOf(lane, owner) + 1)
    const mostOf = (task: Waiting): number =>
      Math.max(1, ...task.owners.map((owner) => countOf(lane, owner) + (owners.includes(owner) ? 1 : 0)))
    const most = Math.max(1, ...ownCounts, ...lanes[lane].map(mostOf))
    dropOne(lane, (task) => mostOf(task) === most, Math.max(1, ...ownCounts) === most)
  }

  async function enqueue<Result>(
    lane: HashLane,
    owners: readonly string[],
    work: () => Promise<Result>,
  ): Promise<Result> {
    makeRoom(lane, owners)
    count(lane, owners, 1)
    return new Promise((resolve, reject) => {
      // The task runs when another call's ends: it keeps the context of its own call, such as the address.
      const run = AsyncResource.bind(() =>
        work()
          .finally(() => count(lane, owners, -1))
          .then(resolve, reject),
      )
      lanes[lane].push({ owners, run, evict: () => reject(tooMany()) })
      if (running < maxRunning) void runTasks()
    })
  }

  /** Runs the tasks of a principal one after another: however many it sends, one of them is in the lane. */
  async function runSerially<Result>(owner_id: number, run: () => Promise<Result>): Promise<Result> {
    const tasks = serialTasksOf.get(owner_id) ?? { count: 0, last: Promise.resolve() }
    if (tasks.count >= maxPerPrincipal) throw tooMany()
    serialTasksOf.set(owner_id, tasks)
    tasks.count += 1
    const task = tasks.count === 1 ? run() : tasks.last.then(run)
    tasks.last = task.catch(() => {})
    try {
      return await task
    } finally {
      tasks.count -= 1
      if (tasks.count === 0) serialTasksOf.delete(owner_id)
    }
  }

  return {
    countWaiting: (lane) => lanes[lane].length,
    run: (caller, work) => {
      const wait = () => enqueue(caller.lane, ownersOf(caller), work)
      return caller.lane === 'signed_in' ? runSerially(caller.owner_id, wait) : wait()
    },
  }
}

/** The queue of this node. */
const queue = createHashQueue({
  maxRunning: Math.max(1, Math.floor(availableParallelism() / 4)),
  maxWaiting: 32,
  maxPerName: 2,
  maxPerPrincipal: 4,
  pauseShare: 7,
})
export const runInHashQueue: HashQueue['run'] = queue.run
export const countWaitingHashes: HashQueue['countWaiting'] = queue.countWaiting
