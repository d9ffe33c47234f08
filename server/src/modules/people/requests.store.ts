// Requests that were sent with a `request_id`: each is carried out once.

import { hash } from 'node:crypto'
import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/db.ts'

export interface RequestKey {
  actor_id: number
  request_id: string
}

interface StoredRequest {
  content_hash: Buffer
  /** Null while it is carried out. */
  outcome: unknown
}

/** SHA-256 of what is sent under a request id; without passwords, which a hash of theirs could give away. */
export function hashContent(content: object): Buffer {
  return hash('sha256', JSON.stringify(content), 'buffer')
}

/**
 * Claims a request id for this transaction. A concurrent claim of the same id waits until this transaction ends.
 * @returns whether it was free
 */
export async function claimRequest(
  tx: Tx,
  { actor_id, request_id }: RequestKey,
  content_hash: Buffer,
): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    insert into people_requests (actor_id, request_id, content_hash) values (${actor_id}, ${request_id}, ${content_hash})
    on conflict do nothing`.execute(tx)
  return numAffectedRows > 0n
}

export async function findRequest(db: Db, { actor_id, request_id }: RequestKey): Promise<StoredRequest | undefined> {
  const { rows } = await sql<StoredRequest>`
    select content_hash, outcome from people_requests where actor_id = ${actor_id} and request_id = ${request_id}`.execute(
    db,
  )
  return rows[0]
}

export async function saveOutcome(tx: Tx, { actor_id, request_id }: RequestKey, outcome: object): Promise<void> {
  await sql`
    update people_requests set outcome = ${JSON.stringify(outcome)}::jsonb
    where actor_id = ${actor_id} and request_id = ${request_id}`.execute(tx)
}

export async function deleteOldRequests(db: Db): Promise<void> {
  await sql`delete from people_requests where at < clock_timestamp() - interval '30 days'`.execute(db)
}
