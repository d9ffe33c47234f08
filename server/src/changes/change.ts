// The form of a change: everything about one write by a person, in one place. `run-change.ts` carries it out.

import type { Permission, RefusalCode } from '@megalot/contract'
import type { AuditRecord } from './audit/index.ts'
import type { Caller } from '../http/caller.ts'
import type { Constraint } from '../postgres/constraints.ts'
import type { Db, Tx } from '../postgres/db.ts'
import type { Lock, LockOrder } from './locks.ts'

/** Who makes a change. */
export type ChangeCaller = Pick<Caller, 'actor_id' | 'principal_id' | 'is_office' | 'permissions' | 'admission'> &
  Partial<Pick<Caller, 'has_factor' | 'factor_age_ms'>>

export interface By {
  caller: ChangeCaller
  reason?: string | undefined
  /** The actor who proposed the change, if the caller approves it. */
  proposed_by?: number
}

/** The transaction, and the time, of a change. */
export interface At {
  tx: Tx
  locks: LockOrder
  by: By
}

/** An audit row. The runner adds the actor, and by default the change's name and the call's reason. */
export type AuditRow = Omit<AuditRecord, 'actor_id' | 'action'> & { action?: string }

/** Data shown to the second person beyond the audit row. */
export interface ProposalFacts {
  /** As in the audit log; defaults to the first audit row's. */
  subject?: string
  /** The market that it concerns. */
  product_code?: string
  /** The current state and the one after; default to the first audit row's. */
  before?: object | null
  after?: object
  /** `return_rate` in hundredths of a percent: a proposal is not approved if it has risen since. */
  figures?: object & { return_rate?: number }
  /** Further permissions that the proposer must still have at the approval. `decide` checks its caller itself. */
  alsoNeeds?: readonly Permission[]
  /** Allows one pending proposal per subject. */
  onlyOne?: true
  /** Skips the trial at the proposal: the database allows the write only in the transaction of its approval. */
  noTrial?: true
  /** Sets a password of which each of the two people learns one half (`halves`). */
  givesPassword?: boolean
}

export interface Decision<Plan> {
  plan: Plan
  rows?: readonly AuditRow[]
  /** Details of `approval_needed`, if one person may not do it alone; `{}` where that always takes two. */
  needsTwo?: object | false | undefined
  proposal?: ProposalFacts
}

export interface Written<Outcome> {
  outcome?: Outcome
  /** Fields of the outcome that only this call gets; never stored. */
  secret?: Partial<Outcome>
  /** Rows known only now, because they contain a new id. */
  rows?: readonly AuditRow[]
}

/** Makes a password of which two people learn one half each. */
export interface Halves<Ready> {
  /** The proposer's half, and its hash, which is stored with the proposal. */
  makeFirst(): { half: string; hash: Buffer }
  /** The approver's half, and the argument of `write`. Slow, so it runs before the transaction. */
  makeSecond(approver: ChangeCaller, first_half_hash: Buffer): Promise<{ half: string; ready: Ready }>
}

/** A schema of Zod. */
interface Schema<Value> {
  parse(value: unknown): Value
  safeParse(value: unknown): { success: true; data: Value } | { success: false }
}

export interface Change<Input, Found, State, Plan, Ready, Outcome> {
  /** Also the action in the audit log, and the kind of a proposal. */
  name: string
  /** The action in the audit log, if it differs from the name. */
  action?: string
  /** Null if `find` and `decide` refuse callers without permission. */
  needs: Permission | null
  /** Parses stored proposals; calls are parsed by their route. */
  input: Schema<Input>
  /**
   * The content that a request id stands for; defaults to the input. Leaves out passwords, because a stored hash could
   * reveal them.
   */
  withoutSecrets?(input: Input): object
  /**
   * Reads immutable data without a lock, so that a refused caller does not wait.
   * @throws Refusal
   */
  find?(db: Db, input: Input, caller: ChangeCaller): Promise<Found>
  locks(input: Input, found: Found): readonly Lock[]
  load(at: At, input: Input, found: Found): Promise<State>
  /**
   * Decides without I/O, for the preview, the proposal and the execution.
   * @throws Refusal
   */
  decide(state: State, input: Input, by: By): Decision<Plan>
  /**
   * Slow work, such as hashing a password. Runs before the transaction, and only if the caller may carry out the plan.
   */
  prepare?(plan: Plan, input: Input, by: By): Promise<Ready>
  /** Replaces `prepare` if two people set a password. The trial of a proposal runs without it. */
  halves?: Halves<Ready>
  write(at: At, plan: Plan, by: By, ready: Ready): Promise<Written<Outcome> | void>
  /** Refusals by the database constraint that a write may violate. */
  refusals?: Partial<Readonly<Record<Constraint, RefusalCode>>>
  /** The change may end the caller's session, so it is not verified again after the write. */
  endsOwnSession?: true
}

/** Types a change: the type of each member follows from earlier ones. */
export function defineChange<
  Input,
  Found = undefined,
  State = unknown,
  Plan = unknown,
  Ready = undefined,
  Outcome = undefined,
>(change: Change<Input, Found, State, Plan, Ready, Outcome>): Change<Input, Found, State, Plan, Ready, Outcome> {
  return change
}
