// A change that two people make is a kind of proposal by itself.

import type { ApprovalKind, PayloadOf } from '@megalot/contract'
import { carryOutApproved, type Change, decideChange } from '../../index.ts'
import type { Tx } from '../../../postgres/db.ts'
import { type Decider, type Kind, tryOut } from './kind.ts'

interface Options<Outcome> {
  locks_market?: true
  /** What follows the change in another room. */
  after?: (tx: Tx, outcome: Outcome) => Promise<unknown>
}

/** @param change its input is the payload of the kind */
export function kindOfChange<K extends ApprovalKind, Input, Found, State, Plan, Ready, Outcome>(
  change: Change<Input, Found, State, Plan, Ready, Outcome>,
  { locks_market, after }: Options<Outcome> = {},
): Kind<K> {
  const plan = (tx: Tx, payload: PayloadOf<K>, caller: Decider) =>
    decideChange(tx, change, { caller, input: payload as unknown as Input })
  const execute: Kind<K>['execute'] = async (tx, payload, caller, reason) => {
    const outcome = await carryOutApproved(tx, change, { caller, input: payload as unknown as Input, reason })
    await after?.(tx, outcome as Outcome)
  }
  return {
    payload: change.input as unknown as Kind<K>['payload'],
    permission: change.needs!,
    ...(locks_market && { locks_market }),
    validate: (tx, payload, proposer, reason) => tryOut(tx, () => execute(tx, payload, proposer, reason)),
    async describe(tx, payload, caller) {
      const { rows: [row] = [], proposal = {} } = await plan(tx, payload, caller)
      const { subject = row?.subject ?? '', product_code = null, figures = {}, alsoNeeds } = proposal
      const { before = row?.before ?? null, after: state_after = row?.after ?? {} } = proposal
      return { subject, product_code, before, after: state_after, figures, ...(alsoNeeds && { needs: alsoNeeds }) }
    },
    execute,
  }
}
