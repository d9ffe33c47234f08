// Corrections of results that were announced and paid. Two office users enter the correct one, and the period is
// settled in a further settlement round. The earlier result stays on record, and every member who has bet in the period
// gets a notice.

import { correctAward as correctAwardRoute } from '@megalot/contract'
import { checkDrawResult, type DrawResult } from '@megalot/rules'
import { verifyCaller } from '../changes/callers/index.ts'
import type { Db, Tx } from '../postgres/db.ts'
import { Refusal } from '../lib/refusal.ts'
import { isOnePerson, listStillPermitted } from '../changes/index.ts'
import { actorOf, addSalt, type AuditActor, writeAudit } from '../changes/audit/index.ts'
import { getProduct, lockPeriod, type PeriodRecord, setOutcome } from '../markets/index.ts'
import { isSameResult, stateAfter } from './award-results.ts'
import { findAward, replaceAward } from './awards.store.ts'
import {
  type CorrectionRecord,
  countCorrections,
  findOpenCorrection,
  insertCorrection,
  removeCorrection,
  repeatCorrection,
} from './corrections.store.ts'
import { beginRound } from './settlement.store.ts'

export interface CorrectionEntry {
  period_code: string
  result: DrawResult
  reason: string
}

/**
 * Enters or repeats the correct result of a settled period. The first entry is stored; an equal second one by another
 * office user makes the period ready to be settled again, and a different one locks the correction for review. An entry
 * of an office user who was suspended or may no longer enter results is dropped, and the next one counts as the first.
 * @throws Refusal unknown_period, not_allowed (the caller has lost the permission meanwhile), period_voided,
 * award_not_settled, award_bad_result, award_same_result, award_same_person, award_locked
 */
export async function correctAward(
  db: Db,
  caller: AuditActor,
  { period_code, result, reason }: CorrectionEntry,
): Promise<'entered' | 'agreed'> {
  const { actor_id } = caller
  const state = await db.transaction().execute(async (tx) => {
    const period = await lockPeriod(tx, period_code)
    if (!period) throw new Refusal('unknown_period')
    let open = await findOpenCorrection(tx, period.period_id)
    const permitted = await listStillPermitted(tx, [actor_id, open?.entered_by ?? actor_id], correctAwardRoute.needs)
    if (!permitted.has(actor_id)) throw new Refusal('not_allowed')
    if (period.outcome === 'voiding' || period.outcome === 'void') throw new Refusal('period_voided')
    const award = await findAward(tx, period.period_id)
    if (period.outcome !== 'settled' || !award) throw new Refusal('award_not_settled')
    if (open?.state === 'locked') throw new Refusal('award_locked')
    const { result_form } = await getProduct(tx, period.product_code)
    const problems = checkDrawResult(result, result_form, period.period_date)
    if (problems.length > 0) throw new Refusal('award_bad_result', { problems })
    if (isSameResult(award.result, result)) throw new Refusal('award_same_result')
    if (open && !permitted.has(open.entered_by)) {
      await dropCorrection(tx, caller, period)
      open = undefined
    }
    if (open && (await isOnePerson(tx, open.entered_by, actor_id))) throw new Refusal('award_same_person')

    const state = stateAfter(open?.new_result, result)
    if (!open) await enter(tx, period, award.result, { result, reason, actor_id })
    // Equal results may list front and back numbers in another order; the first entry is stored unchanged.
    else if (state === 'agreed') await repeatCorrection(tx, open.correction_id, state, open.new_result, actor_id)
    else await repeatCorrection(tx, open.correction_id, 'locked', result, actor_id)
    if (open && state === 'agreed') await beginCorrectionRound(tx, period, open, actor_id)
    await verifyCaller(tx, caller)
    await writeAudit(tx, {
      ...actorOf(caller),
      action: `award_correction_${state}`,
      subject: `period:${period_code}`,
      before: award.result,
      after: state === 'entered' ? addSalt(result) : result,
      reason,
    })
    return state
  })
  // Thrown outside the transaction, because the lock itself must be committed.
  if (state === 'locked') throw new Refusal('award_locked')
  return state
}

async function enter(
  tx: Tx,
  { period_id }: PeriodRecord,
  old_result: DrawResult,
  { result, reason, actor_id }: { result: DrawResult; reason: string; actor_id: number },
): Promise<void> {
  const round = (await countCorrections(tx, period_id)) + 1
  await insertCorrection(tx, { period_id, round, old_result, new_result: result, reason, entered_by: actor_id })
}

async function beginCorrectionRound(
  tx: Tx,
  { period_id }: PeriodRecord,
  { new_result, entered_by, round }: CorrectionRecord,
  repeated_by: number,
): Promise<void> {
  await replaceAward(tx, period_id, new_result, entered_by, repeated_by)
  await beginRound(tx, period_id, round)
  await setOutcome(tx, period_id, 'settling')
}

/**
 * Deletes a period's unsettled correction. The caller must have locked the period and found its outcome `settled`: then
 * the correction is not agreed, because agreement changes the outcome to `settling`.
 * @returns whether there was one
 */
export async function dropCorrection(
  tx: Tx,
  caller: AuditActor,
  period: PeriodRecord,
  reason?: string,
): Promise<boolean> {
  const open = await findOpenCorrection(tx, period.period_id)
  if (!open) return false
  await removeCorrection(tx, open.correction_id)
  const subject = `period:${period.period_code}`
  await writeAudit(tx, {
    ...actorOf(caller),
    action: 'award_correction_reset',
    subject,
    before: addSalt(open),
    ...(reason === undefined ? {} : { reason }),
  })
  return true
}
