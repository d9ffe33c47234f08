// Proposals on the wire, as one caller sees them.

import type { Approval, ApprovalPerson } from '@megalot/contract'
import type { ProposalRecord } from '../proposals.store.ts'
import type { PersonRecord } from './approvals.store.ts'
import type { ChangeCaller } from '../change.ts'
import { permissionOf } from './kinds.ts'

export type People = ReadonlyMap<number, PersonRecord>

export function toPerson(people: People, user_id: number): ApprovalPerson {
  const { person_id: _, ...person } = people.get(user_id)!
  return person
}

/** Whether a user is the caller as a person: itself, its principal, its assistant, or another assistant of its principal. */
export function isCallerAsPerson(
  people: People,
  user_id: number,
  { principal_id }: Pick<ChangeCaller, 'principal_id'>,
) {
  return people.get(user_id)!.person_id === principal_id
}

export function presentApproval(record: ProposalRecord, people: People, caller: ChangeCaller): Approval {
  const { proposed_by, proposed_at, expires_at, decided_by, decided_at, state_before, state_after, ...others } = record
  const { first_half_hash: _, ...rest } = others
  const isWaiting = record.state === 'waiting'
  const isOwn = isCallerAsPerson(people, proposed_by, caller)
  const isOwnDecision = decided_by !== null && isCallerAsPerson(people, decided_by, caller)
  return {
    ...rest,
    before: state_before,
    after: state_after,
    proposed_by: toPerson(people, proposed_by),
    proposed_at: proposed_at.toISOString(),
    expires_at: expires_at.toISOString(),
    decided_by: decided_by === null || !(caller.is_office || isOwnDecision) ? null : toPerson(people, decided_by),
    decided_at: decided_at?.toISOString() ?? null,
    may_decide: isWaiting && !isOwn && caller.is_office && caller.permissions.has(permissionOf(record.kind)),
    may_withdraw: isWaiting && isOwn,
  }
}
