// Credit limits of many users, by the rule for one (`changeCreditLimit`).

import * as contract from '@megalot/contract'
import * as z from 'zod/mini'
import type { By } from '../../../changes/index.ts'
import { refuseOldFactor } from '../../../http/session-guards.ts'
import { Refusal } from '../../../lib/refusal.ts'
import { creditRangeOf, fitsRange, lockOfCash } from '../../accounts/index.ts'
import { type CashState, listCashStates, saveCreditLimits } from './bulk.store.ts'
import { type BulkRow, defineBulk, type RowDecision, withParents } from './define-bulk.ts'

type CreditInput = Pick<z.output<typeof contract.changeCreditLimits.body>, 'rows' | 'filter' | 'change'>
type NamedRow = NonNullable<CreditInput['rows']>[number]
/** A row of the call, or of a user that its filter has found. */
type CreditRow = NamedRow | { user_id: number; change: NonNullable<CreditInput['change']> }

/**
 * Sets credit limits, one row after another out of what each parent has left. Rows are refused with not_allowed (no child
 * of the actor), credit_limit_changed and not_enough_to_give besides.
 * @throws Refusal step_up_needed (found users get more than `STEP_UP_CREDIT_SATANG` together)
 */
export const changeCreditLimits = defineBulk({
  name: 'change_credit_limits',
  action: 'change_credit_limit',
  needs: 'credit.do',
  input: z.pick(contract.changeCreditLimits.body, { rows: true, filter: true, change: true }),
  rowsOf({ rows, filter, change }: CreditInput): readonly CreditRow[] | undefined {
    if ((filter === undefined) !== (change === undefined)) throw new Refusal('bad_input', { fields: ['change'] })
    return rows
  },
  filterOf: ({ filter }) => filter,
  rowOfFound: (user_id, { change }) => ({ user_id, change: change! }),
  // Bets of these users, and limits given by or to them, wait for these locks, or are visible here.
  locks: (users) => [lockOfCash(withParents(users))],
  load: ({ tx }, users) => listCashStates(tx, withParents(users)),
  decideRow: (states, row, _input, by) => decideCredit(by, row, states),
  async write({ tx, by }, accepted, states, { filter }) {
    const rows = accepted.map(({ user: { user_id } }) => ({
      user_id,
      credit_limit_satang: states.get(user_id)!.credit_limit_satang,
    }))
    // For given rows the contract row demands the factor.
    const total = rows.reduce((sum, row) => sum + row.credit_limit_satang, 0)
    if (filter !== undefined && total > contract.STEP_UP_CREDIT_SATANG) refuseOldFactor(by.caller)
    await saveCreditLimits(tx, rows)
  },
})

/** Decides a row, and enters it in the states, by which the next row is decided. */
function decideCredit(
  { caller }: By,
  { row, user }: BulkRow<CreditRow>,
  states: ReadonlyMap<number, CashState>,
): RowDecision {
  if (user.parent_id !== caller.principal_id && !caller.is_office) return { code: 'not_allowed' }
  const own = states.get(user.user_id)!
  const parent = states.get(user.parent_id!)!
  const range = creditRangeOf({ ...own, parent })
  const before_satang = own.credit_limit_satang
  if ('seen_satang' in row && row.seen_satang !== undefined && row.seen_satang !== before_satang)
    return { code: 'credit_limit_changed' }
  const credit_limit_satang = limitOf(row, before_satang)
  if (!fitsRange(credit_limit_satang, before_satang, range))
    return { code: 'not_enough_to_give', details: { ...range } }
  own.credit_limit_satang = credit_limit_satang
  parent.given_satang += credit_limit_satang - before_satang
  return { before: { credit_limit_satang: before_satang }, after: { credit_limit_satang } }
}

function limitOf(row: CreditRow, before_satang: number): number {
  if ('credit_limit_satang' in row) return row.credit_limit_satang
  const { mode, amount_satang } = row.change
  if (mode === 'set') return amount_satang
  return mode === 'add' ? before_satang + amount_satang : Math.max(0, before_satang - amount_satang)
}
