// What a stake returns to those below the company: the theoretical return of its terms, and the commission of the line. The
// company pays both. Above 100 % somebody could win by betting alone, so two people decide, as about the terms themselves.

import type { ApprovalKind } from '@megalot/contract'
import { boundOfReturn, MAX_RETURN, type Bottom3Set, type BetTypeTerms, theoreticalReturn } from '@megalot/rules'
import type { Tx } from '../../platform/db.ts'
import type { DecisionAuthority } from '../../platform/decision-authority.ts'
import { Refusal } from '../../platform/refusal.ts'
import { lockHighestCommission } from '../accounts/index.ts'

/**
 * Terms that return more than before, with the highest commission of the house. Shares stay as they are until the
 * transaction ends.
 * @throws Refusal return_too_high (above 120 % together), approval_needed (one person alone, above 100 %)
 */
export async function refuseReturnsWithCommission(
  tx: Tx,
  { before, changed }: { before: readonly BetTypeTerms[]; changed: readonly BetTypeTerms[] },
  bottom3_set: Bottom3Set,
  authority: DecisionAuthority,
): Promise<void> {
  const returnOf = (terms: BetTypeTerms | undefined): number =>
    terms?.is_on ? theoreticalReturn(terms, { bottom3_set }) : 0
  const raised = changed
    .map((terms) => ({ bet_type: terms.bet_type, return_rate: returnOf(terms), terms }))
    .filter(({ terms, return_rate }) => return_rate > returnOf(before.find((old) => old.bet_type === terms.bet_type)))
  if (raised.length === 0) return
  const commission_rate = await lockHighestCommission(tx)
  const beyond = (bound: string) =>
    raised
      .filter(({ return_rate }) => boundOfReturn(return_rate + commission_rate) === bound)
      .map(({ bet_type, return_rate }) => ({ bet_type, return_rate }))
  const details = { commission_rate, max_return_rate: MAX_RETURN }
  const refused = beyond('refused')
  if (refused.length > 0) throw new Refusal('return_too_high', { returns: refused, ...details })
  const toApprove = beyond('approved')
  const kind: ApprovalKind = 'change_terms'
  if (toApprove.length > 0 && authority === 'alone')
    throw new Refusal('approval_needed', { kind, returns: toApprove, commission_rate })
}
