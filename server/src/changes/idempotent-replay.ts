// Idempotent replay: a call with a `request_id` is carried out once. Sent again it gets the same reply, whatever has happened
// since, and other content under the same id is refused: a lost reply never doubles a change.
//
// `runOnce` keeps what a call has done in `idempotent_requests`. Where the row that a call writes holds its `request_id` itself
// (tickets, report files), the hash of the content stands in that row, and `refuseOtherContent` compares it: for as long as there is
// the row.

import { hash } from 'node:crypto'
import { sql } from 'kysely'
import type { Db, Tx } from '../postgres/db.ts'
import { commitEmptyRecord } from '../postgres/durable.ts'
import { Refusal } from '../lib/refusal.ts'

export interface IdempotentRequest {
  actor_id: number
  request_id: string
  /** What is done: the same content of another action is other content. */
  action: string
  /** What is sent under the id, without passwords, which a hash of theirs could give away. */
  content: object
}

/** For how many days `runOnce` knows a request. Sent again later it is a new one, and is carried out again. */
const REPLAY_DAYS = 30

interface StoredRequest {
  content_hash: Buffer
  /** Null while it is carried out. */
  outcome: unknown
}

/**
 * Carries a request out in a transaction, or returns the outcome of its first run. A concurrent call with the same id waits
 * until the first has ended.
 * @throws Refusal request_id_reused, and what `run` throws: then the id is free again
 */
export async function runOnce<Outcome extends object>(
  db: Db,
  request: IdempotentRequest,
  run: (tx: Tx) => Promise<Outcome>,
): Promise<Outcome> {
  return db.transaction().execute(async (tx) => {
    if (!(await claimRequest(tx, request))) return (await findOutcome<Outcome>(tx, request))!
    const outcome = await run(tx)
    await saveOutcome(tx, request, outcome)
    return outcome
  })
}

/**
 * The outcome of an earlier run, if there was one, once it is durable: for calls that prepare something expensive before they run.
 * @throws Refusal request_id_reused
 */
export async function findOutcome<Outcome extends object>(
  db: Db,
  request: IdempotentRequest,
): Promise<Outcome | undefined> {
  const { actor_id, request_id } = request
  const { rows } = await sql<StoredRequest>`
    select content_hash, outcome from idempotent_requests
    where actor_id = ${actor_id} and request_id = ${request_id}`.execute(db)
  const [stored] = rows
  if (!stored) return undefined
  refuseOtherContent(stored.content_hash, hashRequest(request))
  await commitEmptyRecord(db)
  return stored.outcome as Outcome
}

/** @throws Refusal request_id_reused where something else was sent under the id */
export function refuseOtherContent(stored: Buffer, sent: Buffer): void {
  if (!stored.equals(sent)) throw new Refusal('request_id_reused')
}

/** SHA-256 of what is sent under a request id; the order of its keys does not count. */
export function hashContent(content: object): Buffer {
  return hash('sha256', JSON.stringify(content, sortKeys), 'buffer')
}

function sortKeys(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)))
}

function hashRequest({ action, content }: IdempotentRequest): Buffer {
  return hashContent({ action, content })
}

/** @returns whether the id was free; it is claimed until the transaction ends */
async function claimRequest(tx: Tx, request: IdempotentRequest): Promise<boolean> {
  const { actor_id, request_id } = request
  const { numAffectedRows = 0n } = await sql`
    insert into idempotent_requests (actor_id, request_id, content_hash)
    values (${actor_id}, ${request_id}, ${hashRequest(request)}) on conflict do nothing`.execute(tx)
  return numAffectedRows > 0n
}

async function saveOutcome(tx: Tx, { actor_id, request_id }: IdempotentRequest, outcome: object): Promise<void> {
  await sql`
    update idempotent_requests set outcome = ${JSON.stringify(outcome)}::jsonb
    where actor_id = ${actor_id} and request_id = ${request_id}`.execute(tx)
}

/** Removes requests beyond the replay window. */
export async function removeOldRequests(db: Db): Promise<void> {
  await sql`delete from idempotent_requests where at < clock_timestamp() - make_interval(days => ${REPLAY_DAYS})`.execute(
    db,
  )
}
