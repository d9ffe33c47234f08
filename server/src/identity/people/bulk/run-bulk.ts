// One change of up to a thousand users in one transaction. Each row is decided by itself: refused rows change nothing and
// do not stop the others. A preview decides by the same code, and neither locks nor writes.

import { isDeepStrictEqual } from 'node:util'
import type { BulkOutcome, RefusalCode } from '@megalot/contract'
import { canAccess } from '../../../http/caller.ts'
import type { Db, Tx } from '../../../postgres/db.ts'
import { findOutcome, type IdempotentRequest, runOnce } from '../../../changes/idempotent-replay.ts'
import { Refusal } from '../../../lib/refusal.ts'
import { type AuditRecord, writeAudits } from '../../../changes/audit/index.ts'
import { verifyCaller } from '../../../changes/callers/index.ts'
import { type BulkUser, listBulkUsers } from './bulk.store.ts'
import type { PeopleActor } from '../new-person.service.ts'

/** What every call for many users holds. */
export interface BulkCall {
  request_id: string
  preview?: boolean | undefined
  reason: string
}

/** What a row would change, or why not. */
export type RowDecision =
  | {
      before: Record<string, unknown>
      after: Record<string, unknown>
      below_count?: number
      /** The row changes something even where `after` is as `before`. */
      isChanged?: boolean
    }
  | { code: RefusalCode; details?: Record<string, unknown> }

/** A row that is not refused for whom it names. */
export interface BulkRow<Row> {
  row: Row
  user: BulkUser
}

export interface AcceptedRow<Row> extends BulkRow<Row> {
  before: Record<string, unknown>
  after: Record<string, unknown>
  isChanged: boolean
}

export interface BulkChange<Row extends { user_id: number }> {
  /** The name of the change in the audit log, and a part of what the request id stands for. */
  action: string
  rows: readonly Row[]
  /** What is sent under the request id besides reason and rows; without passwords. */
  content: object
  /** Takes what locks the change needs on users whom the caller reaches, of whom there is one at least; they are read afterwards. */
  lock: (tx: Tx, users: readonly BulkUser[]) => Promise<unknown>
  /** One decision for each row, in their order, by the actor as it is after the wait for the locks. */
  decide: (db: Db, rows: readonly BulkRow<Row>[], actor: PeopleActor) => Promise<RowDecision[]>
  /** Writes rows that change something. @returns further audit records, for users who change with them */
  write: (tx: Tx, rows: readonly AcceptedRow<Row>[]) => Promise<AuditRecord[] | void>
}

/**
 * Carries out a change of many users, or previews it.
 * @throws Refusal bad_input (a user is named twice), request_id_reused. Rows are refused in their outcomes: not_found,
 * not_allowed (oneself, the company, an office user), changed_meanwhile, and what the change refuses
 */
export async function runBulk<Row extends { user_id: number }>(
  db: Db,
  actor: PeopleActor,
  call: BulkCall,
  change: BulkChange<Row>,
): Promise<BulkOutcome[]> {
  const ids = change.rows.map(({ user_id }) => user_id)
  if (new Set(ids).size < ids.length) throw new Refusal('bad_input', { fields: ['user_id'] })
  if (call.preview === true) return (await decideRows(db, actor, change, true)).outcomes
  const { outcomes } = await runOnce(db, requestOf(actor, call, change), async (tx) => {
    const { outcomes, accepted } = await decideRows(tx, actor, change, false)
    const changed = accepted.filter((row) => row.isChanged)
    if (changed.length === 0) return { outcomes }
    const others = (await change.write(tx, changed)) ?? []
    const { action } = change
    const records = changed.map(({ user, before, after }): AuditRecord => {
      return { actor_id: actor.actor_id, action, subject: `user:${user.user_id}`, before, after, reason: call.reason }
    })
    await writeAudits(tx, [...records, ...others])
    return { outcomes }
  })
  return outcomes
}

/** The outcomes of the same call, if it was carried out before. @throws Refusal request_id_reused */
export async function findBulkOutcomes<Row extends { user_id: number }>(
  db: Db,
  actor: PeopleActor,
  call: BulkCall,
  change: BulkChange<Row>,
): Promise<BulkOutcome[] | undefined> {
  return (await findOutcome<{ outcomes: BulkOutcome[] }>(db, requestOf(actor, call, change)))?.outcomes
}

function requestOf<Row extends { user_id: number }>(
  { actor_id }: PeopleActor,
  { request_id, reason }: BulkCall,
  { action, content }: BulkChange<Row>,
): IdempotentRequest {
  return { actor_id, request_id, action, content: { reason, ...content } }
}

async function decideRows<Row extends { user_id: number }>(
  db: Db,
  caller: PeopleActor,
  { rows, lock, decide }: BulkChange<Row>,
  isPreview: boolean,
): Promise<{ outcomes: BulkOutcome[]; accepted: AcceptedRow<Row>[] }> {
  const ids = rows.map(({ user_id }) => user_id)
  const lockedIds = new Set(isPreview ? ids : await lockReached(db as Tx, caller, ids, lock))
  const users = await listBulkUsers(db, ids)
  const actor = isPreview ? caller : await verifyCaller(db, caller)
  const inReach = rows.flatMap((row): BulkRow<Row>[] => {
    const user = users.get(row.user_id)
    return user && lockedIds.has(user.user_id) && refusalOf(actor, user) === undefined ? [{ row, user }] : []
  })
  const decisions = await decide(db, inReach, actor)
  const decisionOf = new Map(inReach.map(({ user }, index) => [user.user_id, decisions[index]!]))
  const accepted = inReach.flatMap(({ row, user }): AcceptedRow<Row>[] => {
    const decision = decisionOf.get(user.user_id)!
    if ('code' in decision) return []
    const { before, after, isChanged = false } = decision
    return [{ row, user, before, after, isChanged: isChanged || !isDeepStrictEqual(before, after) }]
  })
  const outcomes = rows.map(({ user_id }) =>
    // Whoever came into reach while the others were locked is not locked.
    toOutcome(
      user_id,
      decisionOf.get(user_id) ?? { code: refusalOf(actor, users.get(user_id)) ?? 'changed_meanwhile' },
    ),
  )
  return { outcomes, accepted }
}

/** Locks those whom the caller reaches, so that nobody of another line waits for the call. @returns who is locked */
async function lockReached(
  tx: Tx,
  caller: PeopleActor,
  user_ids: readonly number[],
  lock: (tx: Tx, users: readonly BulkUser[]) => Promise<unknown>,
): Promise<number[]> {
  const named = await listBulkUsers(tx, user_ids)
  const reached = [...named.values()].filter((user) => refusalOf(caller, user) === undefined)
  if (reached.length > 0) await lock(tx, reached)
  return reached.map(({ user_id }) => user_id)
}

/** Nobody acts on itself, on its uplines, on the company, or outside of its downline; office users are staff. */
function refusalOf(actor: PeopleActor, user: BulkUser | undefined): RefusalCode | undefined {
  if (!user || !canAccess(actor, user)) return 'not_found'
  return user.is_office || user.parent_id === null || user.user_id === actor.principal_id ? 'not_allowed' : undefined
}

function toOutcome(user_id: number, decision: RowDecision): BulkOutcome {
  if ('code' in decision)
    return { user_id, code: decision.code, details: decision.details ?? {}, before: {}, after: {}, below_count: 0 }
  const { before, after, below_count = 0 } = decision
  return { user_id, code: 'ok', details: {}, before, after, below_count }
}

export interface UserRow {
  user_id: number
}

export const toRows = (user_ids: readonly number[]): UserRow[] => user_ids.map((user_id) => ({ user_id }))

export function idsOf(rows: readonly { user: { user_id: number } }[]): number[] {
  return rows.map(({ user }) => user.user_id)
}

/** The users and their parents, each once. */
export function withParents(users: readonly { user_id: number; parent_id: number | null }[]): number[] {
  return [
    ...new Set(users.flatMap(({ user_id, parent_id }) => (parent_id === null ? [user_id] : [user_id, parent_id]))),
  ]
}
