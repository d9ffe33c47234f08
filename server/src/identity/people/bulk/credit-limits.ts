// Credit limits of many users, by the rule for one (`changeCreditLimit`).

import type { BulkOutcome } from '@megalot/contract'
import type { Db } from '../../../postgres/db.ts'
import { creditRangeOf, fitsRange } from '../../accounts/index.ts'
import { lockCashAccounts } from '../../../betting/ledger/index.ts'
import type { PeopleActor } from '../new-person.service.ts'
import { type CashState, listCashStates, saveCreditLimits } from './bulk.store.ts'
import { type BulkCall, type BulkRow, type RowDecision, runBulk, type UserRow, withParents } from './run-bulk.ts'

interface CreditRow extends UserRow {
  credit_limit_satang: number
  seen_satang?: number | undefined
}

/**
 * Sets credit limits, one row after another out of what each parent has left. Rows are refused with not_allowed (no child
 * of the actor), credit_limit_changed and not_enough_to_give besides.
 */
export function changeCreditLimits(
  db: Db,
  caller: PeopleActor,
  { rows, ...call }: BulkCall & { rows: readonly CreditRow[] },
): Promise<BulkOutcome[]> {
  return runBulk(db, caller, call, {
    action: 'change_credit_limit',
    rows,
    content: { rows },
    // Bets of these users, and limits given by or to them, wait for these locks, or are visible here.
    lock: (tx, users) => lockCashAccounts(tx, withParents(users)),
    decide: async (tx, reached, actor) => {
      const states = await listCashStates(tx, withParents(reached.map(({ user }) => user)))
      return reached.map((row) => decideCredit(actor, row, states))
    },
    write: (tx, accepted) =>
      saveCreditLimits(
        tx,
        accepted.map(({ row }) => row),
      ),
  })
}

/** Decides a row, and enters it in the states, by which the next row is decided. */
function decideCredit(
  actor: PeopleActor,
  { row: { credit_limit_satang, seen_satang }, user }: BulkRow<CreditRow>,
  states: ReadonlyMap<number, CashState>,
): RowDecision {
  if (user.parent_id !== actor.principal_id && !actor.is_office) return { code: 'not_allowed' }
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
