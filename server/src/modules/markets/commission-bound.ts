// What a stake returns to those below the company: the theoretical return of its terms, and the commission of the line. The
// company pays both. Above 100 % somebody could win by betting alone, so two people decide, as about the terms themselves.
//
// A ticket has the terms of when it is placed, and its period the commission of when it opened. So a commission that is raised is
// compared with the terms of now, and terms that are raised with the commissions of all periods that take bets.

import type { ApprovalKind } from '@megalot/contract'
import { boundOfReturn, MAX_RETURN, type Bottom3Set, type BetTypeTerms, theoreticalReturn } from '@megalot/rules'
import type { Tx } from '../../platform/db.ts'
import type { DecisionAuthority } from '../../platform/decision-authority.ts'
import { Refusal } from '../../platform/refusal.ts'
import { lockShares } from '../accounts/index.ts'
import { findHighestCommission } from './markets.store.ts'

/**
 * The highest commission with which bets on a market are paid, now or in a period that takes bets. The caller has locked the market.
 * No share changes until the transaction ends.
 */
export async function lockHighestCommission(tx: Tx, product_code: string): Promise<number> {
  await lockShares(tx)
  return findHighestCommission(tx, product_code)
}

/**
 * Terms of a market that return more than before, with its highest commission. The caller has locked the market.
 * @throws Refusal return_too_high (above 120 % together), approval_needed (one person alone, above 100 %)
 */
export async function refuseReturnsWithCommission(
  tx: Tx,
  { before, changed }: { before: readonly BetTypeTerms[]; changed: readonly BetTypeTerms[] },
  { product_code, bottom3_set }: { product_code: string; bottom3_set: Bottom3Set },
  authority: DecisionAuthority,
): Promise<void> {
  const returnOf = (terms: BetTypeTerms | undefined): number =>
    terms?.is_on ? theoreticalReturn(terms, { bottom3_set }) : 0
  const raised = changed
    .map((terms) => ({ bet_type: terms.bet_type, return_rate: returnOf(terms), terms }))
    .filter(({ terms, return_rate }) => return_rate > returnOf(before.find((old) => old.bet_type === terms.bet_type)))
  if (raised.length === 0) return
  const commission_rate = await lockHighestCommission(tx, product_code)
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
