// A request of the console is carried out once under its `request_id`. Sent again it gets the same outcome, whatever has
// happened since: a lost reply never doubles a change.

import type { Db, Tx } from '../../platform/db.ts'
import { Refusal } from '../../platform/refusal.ts'
import {
  claimRequest,
  deleteOldRequests,
  findRequest,
  hashContent,
  type RequestKey,
  saveOutcome,
} from './requests.store.ts'

/**
 * Carries a request out in a transaction, or returns the outcome of its first run.
 * @param content what is sent under the id, without passwords
 * @throws Refusal request_id_used (the id was sent with other content), and what `run` throws: then the id is free again
 */
export async function runOnce<Outcome extends object>(
  db: Db,
  key: RequestKey,
  content: object,
  run: (tx: Tx) => Promise<Outcome>,
): Promise<Outcome> {
  const content_hash = hashContent(content)
  return db.transaction().execute(async (tx) => {
    if (!(await claimRequest(tx, key, content_hash))) return readOutcome<Outcome>(tx, key, content_hash)
    const outcome = await run(tx)
    await saveOutcome(tx, key, outcome)
    return outcome
  })
}

/**
 * The outcome of an earlier run, if there was one: for requests that prepare something expensive before they run.
 * @throws Refusal request_id_used
 */
export async function findOutcome<Outcome extends object>(
  db: Db,
  key: RequestKey,
  content: object,
): Promise<Outcome | undefined> {
  return (await findRequest(db, key)) && readOutcome<Outcome>(db, key, hashContent(content))
}

async function readOutcome<Outcome extends object>(db: Db, key: RequestKey, content_hash: Buffer): Promise<Outcome> {
  const stored = await findRequest(db, key)
  if (!stored?.content_hash.equals(content_hash)) throw new Refusal('request_id_used')
  return stored.outcome as Outcome
}

/** Removes requests that nobody sends again. */
export async function removeOldRequests(db: Db): Promise<void> {
  await deleteOldRequests(db)
}
