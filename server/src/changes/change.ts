// The form of a change: what a person does to the house, on one page. `run-change.ts` carries it out.

import type { Permission, RefusalCode } from '@megalot/contract'
import type { AuditRecord } from './audit/index.ts'
import type { Caller } from '../http/caller.ts'
import type { Constraint } from '../postgres/constraints.ts'
import type { Db, Tx } from '../postgres/db.ts'
import type { Lock, LockOrder } from './locks.ts'

/** Who makes a change. */
export type ChangeCaller = Pick<Caller, 'actor_id' | 'principal_id' | 'is_office' | 'permissions' | 'admission'>

export interface By {
  caller: ChangeCaller
  reason?: string | undefined
}

/** Where a change reads and writes. */
export interface At {
  tx: Tx
  locks: LockOrder
  by: By
}

/** A row of the audit log; the runner adds actor and reason, and the name of the change where `action` is absent. */
export type AuditRow = Omit<AuditRecord, 'actor_id' | 'action' | 'reason'> & { action?: string }

/** What a second person is shown beyond the audit row. */
export interface ProposalFacts {
  /** As in the audit log; absent: that of the first audit row. */
  subject?: string
  /** The market that it concerns. */
  product_code?: string
  /** The present state, and the one after; absent: those of the first audit row. */
  before?: object | null
  after?: object
  figures?: object & { return_rate?: number }
  /** What each of the two needs besides `needs`. */
  alsoNeeds?: readonly Permission[]
}

export interface Decision<Plan> {
  plan: Plan
  rows?: readonly AuditRow[]
  /** Details of `approval_needed` where one person alone may not do it. */
  needsTwo?: object | false | undefined
  proposal?: ProposalFacts
}

export interface Written<Outcome> {
  outcome?: Outcome
  /** Fields of the outcome that only this call gets: they are stored nowhere. */
  secret?: Partial<Outcome>
  /** Rows that are known only now, as they name an id. */
  rows?: readonly AuditRow[]
}

/** A schema of Zod. */
interface Schema<Value> {
  parse(value: unknown): Value
  safeParse(value: unknown): { success: true; data: Value } | { success: false }
}

export interface Change<Input, Found, State, Plan, Ready, Outcome> {
  /** Also the action in the audit log, and the kind of a proposal. */
  name: string
  /** The action in the audit log where it is not the name. */
  action?: string
  /** Null: `find` and `decide` refuse a caller who may not. */
  needs: Permission | null
  /** Reads stored proposals; calls are read by their route. */
  input: Schema<Input>
  /** What a request id stands for; absent: the input. Passwords are left out, since a stored hash could give them away. */
  withoutSecrets?(input: Input): object
  /** Reads without a lock what never changes, so that a refused caller waits for nobody. @throws Refusal */
  find?(db: Db, input: Input, caller: ChangeCaller): Promise<Found>
  locks(input: Input, found: Found): readonly Lock[]
  load(at: At, input: Input, found: Found): Promise<State>
  /** Decides without I/O, for the preview, the proposal and the deed. @throws Refusal */
  decide(state: State, input: Input, by: By): Decision<Plan>
  /** What takes long, as the hash of a password: before the transaction, and only where the caller may carry out the plan. */
  prepare?(plan: Plan, input: Input, by: By): Promise<Ready>
  write(at: At, plan: Plan, by: By, ready: Ready): Promise<Written<Outcome> | void>
  /** By the constraint of the database that a write may violate. */
  refusals?: Partial<Readonly<Record<Constraint, RefusalCode>>>
  /** The session of the caller may end with it, so it is not verified again after the write. */
  endsOwnSession?: true
}

/** Types a change: each member follows from those before it. */
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
