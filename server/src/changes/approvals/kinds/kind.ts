// What a kind of proposal consists of. Each kind has a file of its own; `kinds.ts` lists them.

import type { ApprovalKind, PayloadOf, Permission, proposalPayloads } from '@megalot/contract'
import { sql } from 'kysely'
import type { Caller } from '../../../http/caller.ts'
import type { Tx } from '../../../postgres/db.ts'
import type { SplitPassword } from '../../../identity/accounts/index.ts'

/** Who proposes or approves. */
export type Decider = Pick<Caller, 'actor_id' | 'principal_id' | 'is_office' | 'permissions' | 'admission'>

/** What a proposal leads to, for whoever decides. */
export interface Consequence {
  /** What it concerns, as in the audit log. */
  subject: string
  /** The market that it concerns; null where it concerns none. */
  product_code: string | null
  /** The present state. While it is the same, the proposal is what was shown. */
  before: object | null
  after: object
  /** Further figures. */
  figures: object & {
    /**
     * What a line below the company gets back of its stakes at most, in hundredths of a percent: by this two people decide, so a proposal
     * with which it has risen since is not approved. Absent: nothing of it changes.
     */
    return_rate?: number
  }
  /**
   * What each of the two needs besides the permission of the kind: whatever the user may do, or will be able to do, whom they decide
   * about. Absent: nothing.
   */
  needs?: readonly Permission[]
  /**
   * Whether the execution gives its user a one-time password, of which the proposer gets one half and the approver the
   * other. Absent: no.
   */
  gives_password?: boolean
}

export interface Kind<K extends ApprovalKind> {
  payload: (typeof proposalPayloads)[K]
  /** Proposer and approver both need it. */
  permission: Permission
  /** Whether it locks a market, and so the standing rules before it. Absent: no. */
  locks_market?: true
  /** Refuses what could not be executed now. @throws Refusal of the kind */
  validate: (tx: Tx, payload: PayloadOf<K>, proposer: Decider, reason: string) => Promise<void>
  /** Reads what it concerns, and locks it until the transaction ends. @throws Refusal of the kind */
  describe: (tx: Tx, payload: PayloadOf<K>, decider: Decider) => Promise<Consequence>
  /**
   * Executes it for the approver, validated again, in the approving transaction.
   * @param password for a consequence with `gives_password`; absent where it is only tried out
   * @throws Refusal of the kind
   */
  execute: (tx: Tx, payload: PayloadOf<K>, approver: Decider, reason: string, password?: SplitPassword) => Promise<void>
}

/** Does something and takes it back: whatever would refuse it refuses it now. */
export async function tryOut(tx: Tx, act: () => Promise<unknown>): Promise<void> {
  await sql`savepoint try_out`.execute(tx)
  await act()
  await sql`rollback to savepoint try_out`.execute(tx)
}
