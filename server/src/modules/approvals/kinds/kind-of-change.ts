// A change that two people make is a kind of proposal by itself.

import type { ApprovalKind, PayloadOf } from '@megalot/contract'
import { carryOutApproved, type Change, decideChange } from '../../../changes/index.ts'
import { type Kind, tryOut } from './kind.ts'

/** @param change its input is the payload of the kind */
export function kindOfChange<K extends ApprovalKind, Input, Found, State, Plan, Outcome>(
  change: Change<Input, Found, State, Plan, Outcome>,
): Kind<K> {
  const inputOf = (payload: PayloadOf<K>) => payload as unknown as Input
  const execute: Kind<K>['execute'] = async (tx, payload, caller, reason) => {
    await carryOutApproved(tx, change, { caller, input: inputOf(payload), reason })
  }
  return {
    payload: change.input as unknown as Kind<K>['payload'],
    permission: change.needs,
    validate: (tx, payload, proposer, reason) => tryOut(tx, () => execute(tx, payload, proposer, reason)),
    async describe(tx, payload, caller) {
      const { rows = [], proposal = {} } = await decideChange(tx, change, { caller, input: inputOf(payload) })
      const [row] = rows
      const { before = row?.before ?? null, after = row?.after ?? {}, figures = {}, alsoNeeds } = proposal
      const subject = row?.subject ?? ''
      const product_code = proposal.product_code ?? null
      return { subject, product_code, before, after, figures, ...(alsoNeeds && { needs: alsoNeeds }) }
    },
    execute,
  }
}
