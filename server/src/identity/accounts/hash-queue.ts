// Password hashing takes tens of milliseconds of processor time, by design. So that a flood of log-ins cannot take the processors from
// the tickets, hashes are computed a few at a time. Each kind of caller has a queue of its own, and the queues take turns. A queue is
// short: where it is full, one of those with the most tasks in it is refused.

import { AsyncResource } from 'node:async_hooks'
import { availableParallelism } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { Refusal } from '../../lib/refusal.ts'

/**
 * Known: a log-in from a browser on which the user has logged in before. Signed in: a user who changes its own password or
 * gives somebody a new one. Proven: an unknown browser that came with a proof of work harder than a picture. Unknown: everybody else.
 */
export type HashKind = 'known' | 'signed_in' | 'proven' | 'unknown'

/** Who waits for a hash. */
export type HashCaller =
  /** `device`: the token of the browser. */
  | { kind: 'known'; username: string; device: string }
  /** `subnet` from `subnetOf`. */
  | { kind: 'proven' | 'unknown'; subnet?: string }
  /** For its own password the user itself, otherwise the principal. */
  | { kind: 'signed_in'; owner_id: number }

export interface HashQueue {
  /**
   * Queues work and runs it. The work queues nothing of its own, which would wait for itself.
   * @throws Refusal too_many_requests where the caller has enough tasks of its own or the queue is full, also while it waits
   */
  run: <Result>(caller: HashCaller, work: () => Promise<Result>) => Promise<Result>
  /** How many tasks of a kind wait. */
  countWaiting: (kind: HashKind) => number
}

export interface HashQueueOptions {
  /** Tasks that run at the same time. */
  maxRunning: number
  /** Waiting tasks of each kind. */
  maxWaiting: number
  /** Tasks of a user name or a known browser, and of a signed-in principal, that wait or run. */
  maxOfOne: Readonly<Record<'known' | 'signed_in', number>>
  /** The pause after a task of an unknown caller while others wait, as a multiple of the task's duration. */
  pauseShare: number
  /** From 0, less than 1. */
  random?: () => number
}

interface Task {
  owners: readonly string[]
  run: () => Promise<void>
  refuse: () => void
}

/** The longest pause, in ms: a task may have waited for other things than a processor. */
const MAX_PAUSE_MS = 250
/** How long a refused caller has to wait, in ms. */
const RETRY_AFTER_MS = 2_000
/** Whose turn it is, task by task. */
const turns: readonly HashKind[] = ['known', 'proven', 'signed_in', 'known', 'unknown']

const tooMany = (): Refusal => new Refusal('too_many_requests', { wait_ms: RETRY_AFTER_MS })

/** For whom a task counts: by name and browser first, and by subnet where neither is known. */
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

  /** Adds a task, or refuses one of those whose owner has the most. */
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
        // The task runs when another call's ends: it keeps the context of its own call, such as the address.
        const run = AsyncResource.bind(() => work().then(resolve, reject))
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
