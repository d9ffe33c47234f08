// Integrity checks in tests: their connection, and violations created by hand.

import { type RawBuilder, sql } from 'kysely'
import { type IntegrityChecker, checkPiece, requestFullCheck } from '../src/oversight/invariants/index.ts'
import { type Db, openIntegrityReader, type Tx } from '../src/postgres/db.ts'
import { closeAtFileEnd } from './file-end.ts'
import type { TestDatabase } from './test-database.ts'

export function openAuditor(
  { url, owner }: TestDatabase,
  targets: IntegrityChecker['targets'] = { mails: [], hasWebhook: false },
): IntegrityChecker {
  const connection = openIntegrityReader({ url })
  closeAtFileEnd(() => connection.close())
  return { reader: connection.reader, owner, targets }
}

/**
 * Checks everything.
 * @returns new violations, and those resolved since
 */
export async function checkEverything(auditor: IntegrityChecker): Promise<{ broken: string[]; whole: string[] }> {
  const found = { broken: [] as string[], whole: [] as string[] }
  await requestFullCheck(auditor.owner)
  for (;;) {
    const step = await checkPiece(auditor)
    if (!step) throw new Error('another node audits')
    found.broken.push(...step.broken)
    found.whole.push(...step.whole)
    if (step.isDone) return found
  }
}

/** Removes the seed's hundreds of unused periods, because each full check reads all of them. */
export async function removeSeededPeriods(owner: Db): Promise<void> {
  await changeByHand(
    owner,
    sql`delete from accounts where period_id is not null`,
    sql`delete from awards`,
    sql`delete from periods`,
  )
}

/** Does something while another node runs the check. */
export function withAuditorLocked<Result>(owner: Db, work: (lock: Tx) => Promise<Result>): Promise<Result> {
  return owner.transaction().execute(async (tx) => {
    await sql`lock table auditor_state in share update exclusive mode`.execute(tx)
    return work(tx)
  })
}

/** Runs statements bypassing triggers and checks, as someone with control of the server could. */
export async function changeByHand(owner: Db, ...statements: RawBuilder<unknown>[]): Promise<void> {
  await owner.transaction().execute(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx)
    for (const statement of statements) await statement.execute(tx)
  })
}

/** Counts everything committed so far as in time, as if it had been long ago. */
export const countCommitsFromNow = sql`update auditor_state set commits_count_after = clock_timestamp()`

/** The same in one step, so that no test waits. */
export const passOverCommits = (owner: Db) => changeByHand(owner, countCommitsFromNow)
