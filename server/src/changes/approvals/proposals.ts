// Changes by two people: one proposes, and another one's approval carries the change out in the same transaction, once.

import { isDeepStrictEqual } from 'node:util'
import { type ApprovalKind, kindsOfAgents } from '@megalot/contract'
import * as z from 'zod/mini'
import { refuseMoreThanOwn } from '../../http/caller.ts'
import { Refusal } from '../../lib/refusal.ts'
import type { Db, Tx } from '../../postgres/db.ts'
import { sql } from 'kysely'
import { writeAudits } from '../audit/index.ts'
import { type AuditRow, type ChangeCaller, type Decision, defineChange, type ProposalFacts } from '../change.ts'
import { findOutcome } from '../idempotent-replay.ts'
import type { Lock } from '../locks.ts'
import { isOnePerson, isStillPermitted, listStillPermitted, lockOfHierarchy, lockOfPeople } from '../people.ts'
import {
  countWaitingOf,
  expireProposals,
  findProposal,
  insertProposal,
  isWaitingAbout,
  lockProposal,
  lockProposals,
  type ProposalRecord,
  saveDecision,
} from '../proposals.store.ts'
import { applyChange, applyOnce, findFor, requestOf, type Stored } from '../run-change.ts'
import { changeOf, permissionOf } from './kinds.ts'

/** The maximum number of pending proposals of a person and its assistants, because another person has to read them all. */
export const MAX_WAITING_OF_PERSON = 100

export interface GivenProposal {
  kind: ApprovalKind
  payload: unknown
  reason: string
  request_id: string
}

/** `password_half` is in this reply only. */
interface Proposed {
  approval_id: number
  password_half: string | null
}

/**
 * Proposes a change that one person may not make alone. The same request_id with the same content is the same proposal.
 * @throws Refusal not_allowed, request_id_reused, too_many_proposals, already_proposed, and refusals of the change
 */
export async function propose(
  db: Db,
  caller: ChangeCaller,
  { kind, payload, reason, request_id }: GivenProposal,
): Promise<Proposed> {
  const change = changeOf(kind)
  requirePermission(caller, kind)
  if (!caller.is_office && !kindsOfAgents.some((each) => each === kind)) throw new Refusal('not_allowed')
  const call = { caller, input: payload, reason, request_id }
  const request = { ...requestOf(change, call)!, action: `propose ${kind}` }
  const earlier = await findOutcome<Stored<Proposed>>(db, request)
  if (earlier) return earlier.outcome!
  const found = await findFor(db, change, call)
  const proposed = await applyOnce<Proposed>(db, request, (tx) =>
    applyChange(tx, change, call, found, {
      // Anyone who takes the caller's rights waits for this proposal, and then ends it.
      locks: [lockOfOwnProposals(caller), lockOfPeople([caller.actor_id])],
      async check() {
        if (!(await isStillPermitted(tx, caller.actor_id, permissionOf(kind)))) throw new Refusal('not_allowed')
        if ((await countWaitingOf(tx, caller.principal_id)) >= MAX_WAITING_OF_PERSON)
          throw new Refusal('too_many_proposals', { most: MAX_WAITING_OF_PERSON })
      },
      async run({ by }, decision, write) {
        const { subject, onlyOne, noTrial, alsoNeeds, givesPassword, ...facts } = factsOf(decision)
        refuseMoreThanOwn(by.caller, alsoNeeds)
        if (!noTrial) await tryOut(tx, () => write(undefined))
        if (onlyOne && (await isWaitingAbout(tx, kind, subject))) throw new Refusal('already_proposed')
        const first = givesPassword ? change.halves!.makeFirst() : null
        const given = { kind, payload: payload as object, reason, proposed_by: by.caller.actor_id, subject, ...facts }
        const approval_id = await insertProposal(tx, { ...given, first_half_hash: first?.hash ?? null })
        const { before, after } = facts
        const row = rowOf({ approval_id, kind, subject }, 'propose_approval', before, { ...after, payload })
        return {
          outcome: { approval_id, password_half: null as string | null },
          rows: [row],
          ...(first && { secret: { password_half: first.half } }),
        }
      },
    }),
  )
  return proposed!
}

/**
 * Approves a proposal and carries it out, once. The approver is another person than the proposer.
 * @throws Refusal not_found, not_allowed, approval_decided, approval_expired, approval_same_person, approval_outdated (the
 * subject has changed, the return has risen, or the proposer may no longer propose it), and refusals of the change; the
 * proposal then stays pending
 */
export async function approve(
  db: Db,
  caller: ChangeCaller,
  approval_id: number,
  decision_reason: string | null = null,
): Promise<Proposed> {
  const known = await findWaiting(db, caller, approval_id)
  const { kind, reason, proposed_by, first_half_hash } = known
  await requireSecondPerson(db, known, caller)
  const change = changeOf(kind)
  const read = change.input.safeParse(known.payload)
  // Proposed in an older version of the application, with other fields.
  if (!read.success) throw new Refusal('approval_outdated', { changed: 'payload' })
  const call = { caller, input: read.data, reason, proposed_by }
  const found = await findFor(db, change, call)
  const second = first_half_hash && (await change.halves!.makeSecond(caller, first_half_hash))
  const people = [caller.actor_id, proposed_by]
  const approved = await applyOnce<Proposed>(db, undefined, (tx) =>
    applyChange(tx, change, call, found, {
      // From here on roles and statuses stay the same.
      locks: [lockOfHierarchy, lockOfProposal(approval_id), lockOfPeople(people)],
      async check() {
        refuseDecided((await findProposal(tx, approval_id))!)
        const permitted = await listStillPermitted(tx, people, permissionOf(kind))
        if (!permitted.has(caller.actor_id)) throw new Refusal('not_allowed')
        if (!permitted.has(proposed_by)) throw new Refusal('approval_outdated', { changed: 'proposer' })
      },
      async run(at, decision, write) {
        const { before, figures, alsoNeeds, givesPassword } = factsOf(decision)
        if (!(await isStillPermitted(tx, proposed_by, alsoNeeds)))
          throw new Refusal('approval_outdated', { changed: 'proposer' })
        if (!isSameJson(known.state_before, before))
          throw new Refusal('approval_outdated', { changed: 'subject', now: before })
        refuseRisenReturn(known, figures)
        // The permissions of a role have changed since the proposal.
        if (givesPassword !== (second !== null)) throw new Refusal('approval_outdated', { changed: 'payload' })
        // First, because the database allows some writes only with an executed proposal.
        await saveDecision(tx, approval_id, { state: 'executed', decided_by: at.by.caller.actor_id, decision_reason })
        const { rows = [] } = await write(second?.ready)
        const after = { ...known.state_after, payload: known.payload, proposed_by }
        const row = rowOf(known, 'approve_approval', known.state_before, after)
        return {
          outcome: { approval_id, password_half: second?.half ?? null },
          rows: [...rows, { ...row, reason: decision_reason ?? reason }],
        }
      },
    }),
  )
  return approved!
}

/** A change that ends a proposal without carrying it out. Its outcome is the `approval_id`. */
function endProposal(
  name: 'reject_approval' | 'withdraw_approval',
  state: 'rejected' | 'withdrawn',
  refuse: (db: Db, proposal: ProposalRecord, caller: ChangeCaller) => Promise<void>,
) {
  return defineChange({
    name,
    needs: null,
    input: z.strictObject({ approval_id: z.int() }),
    async find(db, { approval_id }, caller) {
      await refuse(db, await findWaiting(db, caller, approval_id), caller)
      return caller
    },
    locks: ({ approval_id }, { actor_id }) => [lockOfHierarchy, lockOfProposal(approval_id), lockOfPeople([actor_id])],
    async load({ tx, by }, { approval_id }) {
      const proposal = (await findProposal(tx, approval_id))!
      if (!(await isStillPermitted(tx, by.caller.actor_id, permissionOf(proposal.kind))))
        throw new Refusal('not_allowed')
      refuseDecided(proposal)
      return proposal
    },
    decide: (proposal) => ({ plan: proposal, rows: [rowOf(proposal, name, { state: 'waiting' }, { state })] }),
    async write({ tx, by: { caller, reason = null } }, { approval_id }) {
      await saveDecision(tx, approval_id, { state, decided_by: caller.actor_id, decision_reason: reason })
      return { outcome: approval_id }
    },
  })
}

/**
 * Rejects another person's proposal. Nobody rejects a proposal about themselves, or an owner could keep two others from
 * taking its role.
 * @throws Refusal not_found, not_allowed, approval_decided, approval_expired, approval_same_person
 */
export const rejectProposal = endProposal('reject_approval', 'rejected', async (db, proposal, caller) => {
  await requireSecondPerson(db, proposal, caller)
  const user_id = /^user:(\d+)$/.exec(proposal.subject)?.[1]
  if (user_id !== undefined && (await isOnePerson(db, Number(user_id), caller.actor_id)))
    throw new Refusal('not_allowed')
})

/**
 * Withdraws a proposal of the caller or another user of the same person.
 * @throws Refusal not_found, not_allowed, approval_decided, approval_expired, approval_not_own
 */
export const withdrawProposal = endProposal('withdraw_approval', 'withdrawn', async (db, { proposed_by }, caller) => {
  if (!(await isOnePerson(db, proposed_by, caller.actor_id))) throw new Refusal('approval_not_own')
})

/**
 * Expires every pending proposal.
 * @param owner a transaction of the owner
 * @returns how many
 */
export async function endEveryProposal(owner: Tx, reason: string, address: string): Promise<number> {
  const ended = await expireProposals(owner)
  await writeAudits(
    owner,
    ended.map(({ approval_id, kind, subject, proposed_by }) => ({
      ...{ actor_id: null, address, action: 'end_request', subject: `approval:${approval_id}`, reason },
      after: { kind, subject, state: 'expired', proposed_by },
    })),
  )
  return ended.length
}

const lockOfProposal = (approval_id: number): Lock => ({
  rank: 'proposal',
  key: String(approval_id),
  take: (tx) => lockProposal(tx, approval_id),
})

const lockOfOwnProposals = ({ principal_id }: ChangeCaller): Lock => ({
  rank: 'ownProposals',
  key: String(principal_id),
  take: (tx) => lockProposals(tx, principal_id),
})

/**
 * A proposal of any kind; outside the office only one of the caller or its assistants.
 * @throws Refusal not_found; not_allowed outside the office
 */
export async function findVisible(db: Db, caller: ChangeCaller, approval_id: number): Promise<ProposalRecord> {
  const proposal = await findProposal(db, approval_id)
  const isOwn = proposal !== undefined && (await isOnePerson(db, proposal.proposed_by, caller.actor_id))
  if (!caller.is_office && !isOwn) throw new Refusal('not_allowed')
  if (!proposal) throw new Refusal('not_found')
  return proposal
}

/** @throws Refusal not_found, not_allowed, approval_decided, approval_expired */
async function findWaiting(db: Db, caller: ChangeCaller, approval_id: number): Promise<ProposalRecord> {
  const proposal = await findVisible(db, caller, approval_id)
  requirePermission(caller, proposal.kind)
  refuseDecided(proposal)
  return proposal
}

function requirePermission({ permissions }: ChangeCaller, kind: ApprovalKind): void {
  if (!permissions.has(permissionOf(kind))) throw new Refusal('not_allowed')
}

function refuseDecided({ state }: ProposalRecord): void {
  if (state === 'expired') throw new Refusal('approval_expired')
  if (state !== 'waiting') throw new Refusal('approval_decided', { state })
}

async function requireSecondPerson(db: Db, { proposed_by }: ProposalRecord, { actor_id }: ChangeCaller): Promise<void> {
  if (await isOnePerson(db, proposed_by, actor_id)) throw new Refusal('approval_same_person')
}

/** The data shown to the second person, with defaults. */
function factsOf({ rows: [row] = [], proposal = {} }: Decision<unknown>) {
  return {
    subject: row?.subject ?? '',
    product_code: null,
    before: row?.before ?? null,
    after: row?.after ?? {},
    figures: {} as NonNullable<ProposalFacts['figures']>,
    alsoNeeds: [],
    givesPassword: false,
    ...proposal,
  }
}

function isSameJson(stored: unknown, value: unknown): boolean {
  return isDeepStrictEqual(stored, JSON.parse(JSON.stringify(value)))
}

/** @throws Refusal approval_outdated (the return is higher than the approver was shown) */
function refuseRisenReturn({ figures }: ProposalRecord, { return_rate }: { return_rate?: number }): void {
  const shown = figures['return_rate']
  if (return_rate !== undefined && !(typeof shown === 'number' && return_rate <= shown))
    throw new Refusal('approval_outdated', { changed: 'return', return_rate })
}

/** Runs and rolls back, so that the proposal is refused with whatever would refuse the change now. */
async function tryOut(tx: Tx, act: () => Promise<unknown>): Promise<void> {
  await sql`savepoint try_out`.execute(tx)
  await act()
  await sql`rollback to savepoint try_out`.execute(tx)
}

function rowOf(
  { approval_id, kind, subject }: Pick<ProposalRecord, 'approval_id' | 'kind' | 'subject'>,
  action: string,
  before: object | null,
  after: object,
): AuditRow {
  return { action, subject: `approval:${approval_id}`, ...(before && { before }), after: { ...after, kind, subject } }
}
