// Idempotent replay: a call with a `request_id` is carried out once. A repeat gets the same reply, whatever has
// happened since, and other content under the same id is refused. A lost reply never doubles a change.
// `runOnce` keeps outcomes in `idempotent_requests`. If the row that a call writes has a `request_id` itself (tickets,
// report files), that row also has the content's hash, which `refuseOtherContent` compares as long as the row exists.

import { hash } from 'node:crypto'
import { sql } from 'kysely'
import type { Db, Tx } from '../postgres/db.ts'
import { commitEmptyRecord } from '../postgres/durable.ts'
import { Refusal } from '../lib/refusal.ts'

export interface IdempotentRequest {
  actor_id: number
  request_id: string
  /** The same content for another action counts as other content. */
  action: string
  /** The content under the id, without passwords, which a stored hash could reveal. */
  content: object
}

/** How many days `runOnce` remembers a request. A later repeat is carried out again. */
const REPLAY_DAYS = 30

interface StoredRequest {
  content_hash: Buffer
  /** Null while in progress. */
  outcome: unknown
}

/**
 * Carries a request out in a transaction, or returns the outcome of its first run. A concurrent call with the same id
 * waits until the first has ended.
 * @throws Refusal request_id_reused, and whatever `run` throws, which frees the id
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
 * The durable outcome of an earlier run, if there was one: for calls that prepare something expensive before they run.
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

/** @throws Refusal request_id_reused if something else was sent under the id */
export function refuseOtherContent(stored: Buffer, sent: Buffer): void {
  if (!stored.equals(sent)) throw new Refusal('request_id_reused')
}

/** SHA-256 of the content under a request id, independent of key order. */
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

/**
 * Claims the id until the transaction ends.
 * @returns whether it was free
 */
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
