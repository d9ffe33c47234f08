// Further nodes of the application in one test, each with its own connections and sharing only the database.

import { randomBytes } from 'node:crypto'
import { findUser, permissionsOf } from '../src/identity/accounts/index.ts'
import { createIntake, type Intake } from '../src/betting/index.ts'
import { type Caller, completeSessionFields } from '../src/http/caller.ts'
import { type DatabaseHandles, type Db, openDatabase } from '../src/postgres/db.ts'
import { Refusal } from '../src/lib/refusal.ts'
import { closeAtFileEnd } from './file-end.ts'
import { runSql } from './start-postgres.ts'

export interface Node extends Pick<DatabaseHandles, 'db' | 'batches'> {
  intake: Intake
  close(): Promise<void>
  /** Ends it like a crash: the database closes its connections in any state. */
  kill(): Promise<void>
}

/** A node with the role `megalot_app` on this database, until it is closed or killed or the test file ends. */
export function openNode(url: string): Node {
  const name = `node-${randomBytes(6).toString('hex')}`
  const named = new URL(url)
  named.searchParams.set('application_name', name)
  const database = openDatabase({ url: named.toString(), role: 'megalot_app', maxConnections: 8 })
  let closed: Promise<void> | undefined
  const close = () => (closed ??= database.close())
  closeAtFileEnd(close)
  const kill = async () => {
    await runSql(url, `select pg_terminate_backend(pid) from pg_stat_activity where application_name = '${name}'`)
    await close()
  }
  const { db, batches } = database
  return { db, batches, intake: createIntake(batches), close, kill }
}

/** A caller who acts for itself, or for its principal. */
export interface TestUser extends Caller {
  /** The same as `actor_id`. */
  user_id: number
}

/** The user of this name, as a caller of the services. */
export async function findCaller(db: Db, username: string): Promise<TestUser> {
  const user = (await findUser(db, { username }))!
  const { user_id, principal_id, level, is_office, status } = user
  const ids = { user_id, actor_id: user_id, principal_id: principal_id ?? user_id }
  return {
    ...ids,
    session_id: 0,
    username,
    level,
    is_office,
    status,
    permissions: permissionsOf(user),
    ...completeSessionFields,
  }
}

/** How often each outcome occurred: `ok`, or the code of a refusal. @throws any other error */
export function countOutcomes(results: readonly PromiseSettledResult<unknown>[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const result of results) {
    if (result.status === 'rejected' && !(result.reason instanceof Refusal)) throw result.reason
    const name = result.status === 'fulfilled' ? 'ok' : (result.reason as Refusal).code
    counts[name] = (counts[name] ?? 0) + 1
  }
  return counts
}

/** The most repeats of a race, as a multiple, until all outcomes have occurred. */
const MAX_EXTENSION = 20

/**
 * Runs all repeats of a race, some concurrently, so that the repeats also interfere and take less time.
 * @param isComplete whether every outcome of the race has occurred. Which side wins is random, so the race continues
 * beyond its repeats until then, within a bound. The test asserts the outcomes itself.
 * @returns how many repeats ran
 */
export async function repeat(
  times: number,
  lanes: number,
  run: (repeat: number) => Promise<void>,
  isComplete: () => boolean = () => true,
): Promise<number> {
  let next = 0
  const work = async () => {
    while (next < times || (next < times * MAX_EXTENSION && !isComplete())) {
      const mine = next
      next += 1
      await run(mine)
    }
  }
  await Promise.all(Array.from({ length: lanes }, work))
  return next
}
