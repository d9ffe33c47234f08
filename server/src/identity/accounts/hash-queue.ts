// Password hashing takes tens of milliseconds of CPU, by design. Hashes are computed a few at a time, so that a flood
// of log-ins cannot take the CPU from tickets. Each kind of caller has its own queue, and the queues take turns. Queues
// are short: a full queue refuses a task of the caller with the most tasks in it.

import { availableParallelism } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { Refusal } from '../../lib/refusal.ts'

/**
 * `known`: a log-in from a browser on which the user has logged in before. `signed_in`: a user who changes its own
 * password or gives a new one to another. `proven`: an unknown browser with a proof of work harder than a picture.
 * `unknown`: all others.
 */
export type HashKind = 'known' | 'signed_in' | 'proven' | 'unknown'

/** The caller of a hash. */
export type HashCaller =
  /** `device`: the browser's token. */
  | { kind: 'known'; username: string; device: string }
  /** `subnet` from `subnetOf`. */
  | { kind: 'proven' | 'unknown'; subnet?: string }
  /** The user for its own password, otherwise the principal. */
  | { kind: 'signed_in'; owner_id: number }

export interface HashQueue {
  /**
   * Queues work and runs it. The work must not queue anything itself, or it would wait for itself.
   * @throws Refusal too_many_requests if the caller has too many tasks or the queue is full, also while waiting
   */
  run: <Result>(caller: HashCaller, work: () => Promise<Result>) => Promise<Result>
  /** Number of waiting tasks of a kind. */
  countWaiting: (kind: HashKind) => number
}

export interface HashQueueOptions {
  /** Concurrent tasks. */
  maxRunning: number
  /** Waiting tasks per kind. */
  maxWaiting: number
  /** Waiting and running tasks of a username or known browser, and of a signed-in principal. */
  maxOfOne: Readonly<Record<'known' | 'signed_in', number>>
  /** The pause after an unknown caller's task while others wait, as a multiple of the task's duration. */
  pauseShare: number
  /** From 0, less than 1. */
  random?: () => number
}

interface Task {
  owners: readonly string[]
  run: () => Promise<void>
  refuse: () => void
}

/** The longest pause, in ms, because a task may have waited for something other than the CPU. */
const MAX_PAUSE_MS = 250
/** How long a refused caller has to wait, in ms. */
const RETRY_AFTER_MS = 2_000
/** The order in which the kinds take turns. */
const turns: readonly HashKind[] = ['known', 'proven', 'signed_in', 'known', 'unknown']

const tooMany = (): Refusal => new Refusal('too_many_requests', { wait_ms: RETRY_AFTER_MS })

/** The owners a task counts for: name and browser if known, otherwise the subnet. */
function ownersOf(caller: HashCaller): readonly string[] {
  if (caller.kind === 'known') return [`name:${caller.username.toLowerCase()}`, `browser:${caller.device}`]
  if (caller.kind === 'signed_in') return [`owner:${caller.owner_id}`]
  return caller.subnet === undefined ? [] : [`subnet:${caller.subnet}`]
}

export function createHashQueue(options: HashQueueOptions): HashQueue {
  const { maxRunning, maxWaiting, maxOfOne, pauseShare, random = Math.random } = options
  const queues: Record<HashKind, Task[]> = { known: [], signed_in: [], proven: [], unknown: [] }
  const running = new Set<Task>()
  let workers = 0
  let turn = 0

  function takeNext(): { kind: HashKind; task: Task } | undefined {
    for (let skipped = 0; skipped < turns.length; skipped += 1) {
      const kind = turns[turn++ % turns.length]!
      const task = queues[kind].shift()
      if (task) return { kind, task }
    }
    return undefined
  }

  async function runTasks(): Promise<void> {
    workers += 1
    for (let next = takeNext(); next; next = takeNext()) {
      const { kind, task } = next
      const startedAtMs = performance.now()
      running.add(task)
      await task.run()
      running.delete(task)
      const { unknown, ...others } = queues
      if (kind === 'unknown' && unknown.length > 0 && Object.values(others).every(({ length }) => length === 0))
        await pause(Math.min((performance.now() - startedAtMs) * pauseShare, MAX_PAUSE_MS))
    }
    workers -= 1
  }

  function countOf(tasks: readonly Task[], owners: readonly string[]): number {
    return tasks.filter((task) => task.owners.some((owner) => owners.includes(owner))).length
  }

  /** Adds a task; if the queue is full, refuses one of the owner with the most tasks. */
  function add(kind: HashKind, task: Task): void {
    const queue = queues[kind]
    queue.push(task)
    if (queue.length <= maxWaiting) return
    const counts = queue.map(({ owners }) => countOf(queue, owners))
    const most = Math.max(...counts)
    const candidates = queue.filter((_, index) => counts[index] === most)
    const refused = candidates[Math.floor(random() * candidates.length)]!
    queue.splice(queue.indexOf(refused), 1)
    refused.refuse()
  }

  return {
    countWaiting: (kind) => queues[kind].length,
    run: async (caller, work) => {
      const { kind } = caller
      const owners = ownersOf(caller)
      if (kind === 'known' || kind === 'signed_in')
        if (countOf([...queues[kind], ...running], owners) >= maxOfOne[kind]) throw tooMany()
      return new Promise((resolve, reject) => {
        const run = () => work().then(resolve, reject)
        add(kind, { owners, run, refuse: () => reject(tooMany()) })
        if (workers < maxRunning) void runTasks()
      })
    },
  }
}

/** The queue of this node. */
const queue = createHashQueue({
  maxRunning: Math.max(1, Math.floor(availableParallelism() / 4)),
  maxWaiting: 32,
  maxOfOne: { known: 2, signed_in: 4 },
  pauseShare: 7,
})
export const runInHashQueue: HashQueue['run'] = queue.run
export const countWaitingHashes: HashQueue['countWaiting'] = queue.countWaiting
