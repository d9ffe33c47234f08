// Proposals: one person makes one, another approves it, and the approval executes it in the same transaction, once.

import { isDeepStrictEqual } from 'node:util'
import type { Approval, ApprovalKind, ApprovalWithPassword, PayloadOf, Permission, Proposal } from '@megalot/contract'
import { refuseMoreThanOwn } from '../../http/caller.ts'
import type { Db, Tx } from '../../postgres/db.ts'
import { runOnce } from '../idempotent-replay.ts'
import { Refusal } from '../../lib/refusal.ts'
import {
  countWaitingOf,
  expireProposals,
  findProposal,
  insertProposal,
  isOnePerson,
  isStillPermitted,
  lockProposal,
  lockProposals,
  type ProposalRecord,
  saveDecision,
} from '../index.ts'
import { lockHierarchy } from '../../identity/accounts/index.ts'
import { writeAudit, writeAudits } from '../audit/index.ts'
import { verifyCaller } from '../callers/index.ts'
import { makeFirstHalf, makeSecondHalf, type PasswordHalf } from '../../identity/credentials/index.ts'
import { shareStandingRules } from '../../markets/index.ts'
import { type ApprovalFilter, countApprovalRecords, listApprovalRecords, listPeople } from './approvals.store.ts'
import type { Consequence, Decider } from './kinds/kind.ts'
import { kindOf, listVisibleKinds } from './kinds/kinds.ts'
import { presentApproval } from './present-approval.ts'

/** How many proposals of one person, its assistants included, wait at a time: another person has to read all of them. */
export const MAX_WAITING_OF_PERSON = 100

/**
 * Proposes what one person may not do alone. The same request_id with the same content answers with the same proposal, without
 * the password half, which is not stored.
 * @throws Refusal not_allowed (without the permission of the kind), request_id_reused, too_many_proposals (`MAX_WAITING_OF_PERSON`),
 * and what the kind refuses
 */
export async function proposeApproval(db: Db, proposer: Decider, proposal: Proposal): Promise<ApprovalWithPassword> {
  const { kind, request_id, reason } = proposal
  const { permission, validate, describe } = kindOf(kind)
  requirePermission(proposer, permission)
  const payload = proposal.payload as PayloadOf<ApprovalKind>
  let password_half: string | null = null
  const content = { kind, payload, reason }
  const request = { actor_id: proposer.actor_id, request_id, action: 'propose_approval', content }
  const { approval_id } = await runOnce(db, request, async (tx) => {
    // Before all other locks: an approval takes those in an order of its own, and not this one.
    await lockProposals(tx, proposer.principal_id)
    if ((await countWaitingOf(tx, proposer.principal_id)) >= MAX_WAITING_OF_PERSON)
      throw new Refusal('too_many_proposals', { most: MAX_WAITING_OF_PERSON })
    const consequence = await inPayload(async () => {
      await validate(tx, payload, proposer, reason)
      return describe(tx, payload, proposer)
    })
    // Its rows are locked: whoever takes its power waits for this proposal, and then ends it too.
    const isPermitted = await isStillPermitted(tx, proposer.actor_id, permission)
    // After the wait for the locks.
    const caller = await verifyCaller(tx, proposer)
    requirePermission(caller, permission)
    if (!isPermitted) throw new Refusal('not_allowed')
    refuseMoreThanOwn(caller, consequence.needs ?? [])
    const first = consequence.gives_password ? makeFirstHalf() : undefined
    password_half = first?.half ?? null
    const first_half_hash = first?.hash ?? null
    const { subject, product_code, before, after, figures } = consequence
    const given = { kind, payload, reason, proposed_by: caller.actor_id, first_half_hash }
    const approval_id = await insertProposal(tx, { ...given, subject, product_code, before, after, figures })
    await auditStep(
      tx,
      caller,
      { approval_id, kind, subject },
      { step: 'propose', before, after: { ...after, payload }, reason },
    )
    return { approval_id }
  })
  return { ...(await getApproval(db, proposer, approval_id)), password_half }
}

function isSameJson(stored: unknown, value: unknown): boolean {
  return isDeepStrictEqual(stored, JSON.parse(JSON.stringify(value)))
}

/** Problems of a payload name fields of the whole call. */
async function inPayload<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'bad_input') throw error
    const problems = (error.details.problems as { path: string }[]).map((problem) => ({
      ...problem,
      path: `/payload${problem.path}`,
    }))
    throw new Refusal('bad_input', { problems })
  }
}

/** Which proposals; every part narrows the list. */
interface ApprovalQuery extends Omit<ApprovalFilter, 'kinds'> {
  kind?: ApprovalKind | undefined
}

/** Proposals of the kinds that the caller may see, newest first, and how many there are. */
export async function listApprovals(
  db: Db,
  caller: Decider,
  { kind, ...rest }: ApprovalQuery,
  limit: number,
  offset: number,
): Promise<{ approvals: Approval[]; total_count: number }> {
  const kinds = listVisibleKinds(caller).filter((one) => kind === undefined || one === kind)
  const filter = { ...rest, kinds }
  const approvals = await presentRecords(db, caller, await listApprovalRecords(db, filter, limit, offset))
  return { approvals, total_count: await countApprovalRecords(db, filter) }
}

/** @throws Refusal not_found, not_allowed (a kind that the caller may not see) */
export async function getApproval(db: Db, caller: Decider, approval_id: number): Promise<Approval> {
  const record = await findProposal(db, approval_id)
  if (!record) throw new Refusal('not_found')
  if (!listVisibleKinds(caller).includes(record.kind)) throw new Refusal('not_allowed')
  return (await presentRecords(db, caller, [record]))[0]!
}

/** Proposals on the wire, as one caller sees them. */
export async function presentRecords(db: Db, caller: Decider, records: readonly ProposalRecord[]): Promise<Approval[]> {
  const people = await listPeople(
    db,
    records.flatMap(({ proposed_by, decided_by }) => [proposed_by, decided_by ?? proposed_by]),
  )
  return records.map((record) => presentApproval(record, people, caller))
}

/**
 * Approves a proposal and executes it, once. The approver is another person than the proposer, and no assistant or principal
 * of it.
 * @throws Refusal not_found, not_allowed (without the permission of the kind), approval_decided, approval_expired,
 * approval_same_person, approval_outdated (what it concerns has changed, its return has risen, or the proposer may no longer propose it), and
 * what the kind refuses: the proposal then goes on waiting
 */
export async function approveProposal(
  db: Db,
  approver: Decider,
  approval_id: number,
  decision_reason: string | null = null,
): Promise<ApprovalWithPassword> {
  const second = await makeSecondHalfFor(db, approver, approval_id)
  const callerBefore = second?.actor ?? approver
  const isGiven = await db.transaction().execute(async (tx) => {
    const { record, caller } = await lockWaiting(tx, callerBefore, approval_id)
    await requireSecondPerson(tx, record, caller)
    const { kind, proposed_by, reason, first_half_hash } = record
    await requireProposer(tx, proposed_by, kindOf(kind).permission)
    const { describe, execute } = kindOf(kind)
    const read = kindOf(kind).payload.safeParse(record.payload)
    // Proposed under an older version of the application, which knew other fields.
    if (!read.success) throw new Refusal('approval_outdated', { changed: 'payload' })
    const payload = read.data as PayloadOf<ApprovalKind>
    const { before, figures, needs = [], gives_password = false } = await describe(tx, payload, caller)
    await requireProposer(tx, proposed_by, needs)
    if (!isSameJson(record.state_before, before))
      throw new Refusal('approval_outdated', { changed: 'subject', now: before })
    refuseRisenReturn(record, figures)
    // What a role may do is another than when it was proposed.
    if (gives_password !== (first_half_hash !== null)) throw new Refusal('approval_outdated', { changed: 'payload' })
    // First: the database lets a period be moved only by a proposal that is executed.
    await saveDecision(tx, approval_id, { state: 'executed', decided_by: caller.actor_id, decision_reason })
    const password = gives_password ? { first_half_hash: first_half_hash!, password_hash: second!.hash } : undefined
    await execute(tx, payload, caller, reason, password)
    // Last: each step waits for locks. What concerns the approver may have ended its own sessions.
    if (!(await isAbout(tx, record, caller))) await verifyCaller(tx, caller)
    await auditStep(tx, caller, record, {
      step: 'approve',
      before: record.state_before,
      after: { ...record.state_after, payload: record.payload, proposed_by },
      reason: decision_reason ?? reason,
    })
    return gives_password
  })
  return { ...(await getApproval(db, callerBefore, approval_id)), password_half: isGiven ? second!.half : null }
}

/** @throws Refusal approval_outdated (more is given back than the approver was shown) */
function refuseRisenReturn({ figures }: ProposalRecord, { return_rate }: Consequence['figures']): void {
  const shown = figures['return_rate']
  if (return_rate !== undefined && !(typeof shown === 'number' && return_rate <= shown))
    throw new Refusal('approval_outdated', { changed: 'return', return_rate })
}

/** The approver's half of a password, for a proposal that gives one. */
async function makeSecondHalfFor(
  db: Db,
  approver: Decider,
  approval_id: number,
): Promise<(PasswordHalf<string> & { actor: Decider }) | undefined> {
  const record = await findProposal(db, approval_id)
  return record?.state === 'waiting' && record.first_half_hash !== null ? makeSecondHalf(db, approver) : undefined
}

/**
 * Nobody rejects what concerns themselves: an owner whose role two others take could reject each of their proposals.
 * @throws Refusal not_found, not_allowed, approval_decided, approval_expired, approval_same_person
 */
export async function rejectProposal(
  db: Db,
  callerBefore: Decider,
  approval_id: number,
  reason: string,
): Promise<Approval> {
  await db.transaction().execute(async (tx) => {
    const { record, caller } = await lockWaiting(tx, callerBefore, approval_id)
    await requireSecondPerson(tx, record, caller)
    if (await isAbout(tx, record, caller)) throw new Refusal('not_allowed')
    await decide(tx, caller, record, 'rejected', reason)
  })
  return getApproval(db, callerBefore, approval_id)
}

/** Takes back a proposal of the caller as a person. @throws Refusal not_found, not_allowed, approval_decided, approval_expired, approval_not_own */
export async function withdrawProposal(
  db: Db,
  callerBefore: Decider,
  approval_id: number,
  reason: string,
): Promise<Approval> {
  await db.transaction().execute(async (tx) => {
    const { record, caller } = await lockWaiting(tx, callerBefore, approval_id)
    if (!(await isOnePerson(tx, record.proposed_by, caller.actor_id))) throw new Refusal('approval_not_own')
    await decide(tx, caller, record, 'withdrawn', reason)
  })
  return getApproval(db, callerBefore, approval_id)
}

/** Ends every proposal that waits for a second person: it has expired. @param owner in its transaction @returns how many */
export async function endEveryProposal(owner: Tx, reason: string): Promise<number> {
  const ended = await expireProposals(owner)
  await writeAudits(
    owner,
    ended.map(({ approval_id, kind, subject, proposed_by }) => ({
      ...{ actor_id: null, action: 'end_request', subject: `approval:${approval_id}`, reason },
      after: { kind, subject, state: 'expired', proposed_by },
    })),
  )
  return ended.length
}

async function decide(
  tx: Tx,
  caller: Decider,
  record: ProposalRecord,
  state: 'rejected' | 'withdrawn',
  decision_reason: string,
): Promise<void> {
  await saveDecision(tx, record.approval_id, { state, decided_by: caller.actor_id, decision_reason })
  const step = state === 'rejected' ? 'reject' : 'withdraw'
  await auditStep(tx, caller, record, { step, before: { state: 'waiting' }, after: { state }, reason: decision_reason })
}

/**
 * The proposal, locked, and its caller as it is after that wait: it has the permission of the kind now, not only when its call began. */
async function lockWaiting(
  tx: Tx,
  callerBefore: Decider,
  approval_id: number,
): Promise<{ record: ProposalRecord; caller: Decider }> {
  const kind = (await findProposal(tx, approval_id))?.kind
  // Nobody who registers waits with the approval for a large rule.
  if (kind && kindOf(kind).locks_market) await shareStandingRules(tx)
  // Before any row lock: roles and statuses stay as they are from here on.
  await lockHierarchy(tx)
  const record = await lockProposal(tx, approval_id)
  if (!record) throw new Refusal('not_found')
  const { permission } = kindOf(record.kind)
  // It waits for the caller's row, which is locked by whoever ends the caller's session.
  if (!(await isStillPermitted(tx, callerBefore.actor_id, permission))) throw new Refusal('not_allowed')
  const caller = await verifyCaller(tx, callerBefore)
  requirePermission(caller, permission)
  if (record.state === 'expired') throw new Refusal('approval_expired')
  if (record.state !== 'waiting') throw new Refusal('approval_decided', { state: record.state })
  return { record, caller }
}

async function requireSecondPerson(tx: Tx, { proposed_by }: ProposalRecord, caller: Decider): Promise<void> {
  if (await isOnePerson(tx, proposed_by, caller.actor_id)) throw new Refusal('approval_same_person')
}

/** Whether a proposal concerns the caller, or the principal for whom it acts. */
async function isAbout(tx: Tx, { subject }: ProposalRecord, { actor_id }: Decider): Promise<boolean> {
  const user_id = /^user:(\d+)$/.exec(subject)?.[1]
  return user_id !== undefined && isOnePerson(tx, Number(user_id), actor_id)
}

/** Who was suspended, or may no longer decide about such a user, has lost its proposals as well. */
async function requireProposer(tx: Tx, proposed_by: number, needs: Permission | readonly Permission[]): Promise<void> {
  if (!(await isStillPermitted(tx, proposed_by, needs))) throw new Refusal('approval_outdated', { changed: 'proposer' })
}

function requirePermission({ permissions }: Decider, permission: Permission): void {
  if (!permissions.has(permission)) throw new Refusal('not_allowed')
}

interface Step {
  step: 'propose' | 'approve' | 'reject' | 'withdraw'
  before: object | null
  after: object
  reason: string
}

function auditStep(
  tx: Tx,
  { actor_id }: Decider,
  { approval_id, kind, subject }: Pick<ProposalRecord, 'approval_id' | 'kind' | 'subject'>,
  { step, before, after, reason }: Step,
): Promise<void> {
  const record = { actor_id, action: `${step}_approval`, subject: `approval:${approval_id}`, reason }
  return writeAudit(tx, { ...record, ...(before ? { before } : {}), after: { ...after, kind, subject } })
}
