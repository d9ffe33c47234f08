// Credit limits of many users, by the rule for one (`changeCreditLimit`).

import * as contract from '@megalot/contract'
import * as z from 'zod/mini'
import type { By } from '../../../changes/index.ts'
import { creditRangeOf, fitsRange, lockOfCash } from '../../accounts/index.ts'
import { type CashState, listCashStates, saveCreditLimits } from './bulk.store.ts'
import { type BulkRow, defineBulk, type RowDecision, withParents } from './define-bulk.ts'

type CreditRow = z.output<typeof contract.changeCreditLimits.body>['rows'][number]

/**
 * Sets credit limits, one row after another out of what each parent has left. Rows are refused with not_allowed (no child
 * of the actor), credit_limit_changed and not_enough_to_give besides.
 */
export const changeCreditLimits = defineBulk({
  name: 'change_credit_limits',
  action: 'change_credit_limit',
  needs: 'credit.do',
  input: z.pick(contract.changeCreditLimits.body, { rows: true }),
  rowsOf: ({ rows }) => rows,
  // Bets of these users, and limits given by or to them, wait for these locks, or are visible here.
  locks: (users) => [lockOfCash(withParents(users))],
  load: ({ tx }, users) => listCashStates(tx, withParents(users)),
  decideRow: (states, row, _input, by) => decideCredit(by, row, states),
  write: ({ tx }, accepted) =>
    saveCreditLimits(
      tx,
      accepted.map(({ row }) => row),
    ),
})

/** Decides a row, and enters it in the states, by which the next row is decided. */
function decideCredit(
  { caller }: By,
  { row: { credit_limit_satang, seen_satang }, user }: BulkRow<CreditRow>,
  states: ReadonlyMap<number, CashState>,
): RowDecision {
  if (user.parent_id !== caller.principal_id && !caller.is_office) return { code: 'not_allowed' }
  const own = states.get(user.user_id)!
  const parent = states.get(user.parent_id!)!
  const range = creditRangeOf({ ...own, parent })
  const before_satang = own.credit_limit_satang
  if (seen_satang !== undefined && seen_satang !== before_satang) return { code: 'credit_limit_changed' }
  if (!fitsRange(credit_limit_satang, before_satang, range))
    return { code: 'not_enough_to_give', details: { ...range } }
  own.credit_limit_satang = credit_limit_satang
  parent.given_satang += credit_limit_satang - before_satang
  return { before: { credit_limit_satang: before_satang }, after: { credit_limit_satang } }
}
