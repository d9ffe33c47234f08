// Results: entered by one office user, repeated by another, visible to all once the period is settled.

import { type Award, enterAward as enterAwardRoute, resetAward as resetAwardRoute } from '@megalot/contract'
import { checkDrawResult, type DrawResult } from '@megalot/rules'
import { verifyCaller } from '../changes/callers/index.ts'
import { type Db, readClock, type Tx } from '../postgres/db.ts'
import { Refusal } from '../lib/refusal.ts'
import {
  type AuditRow,
  alsoEndWithRights,
  isOnePerson,
  isStillPermitted,
  listStillPermitted,
} from '../changes/index.ts'
import { actorOf, addSalt, type AuditActor, writeAudit } from '../changes/audit/index.ts'
import { getProduct, lockPeriod, type PeriodRecord, setOutcome, toPeriod } from '../markets/index.ts'
import {
  type AwardRecord,
  findAward,
  insertAward,
  listLatestSettledAwards,
  listSettledAwards,
  listWaitingAwardEntries,
  removeAward,
  removeFirstEntries,
  repeatAward,
  type SettledAward,
  type AwardFilter,
  type WaitingAward,
} from './awards.store.ts'
import { stateAfter } from './award-results.ts'
import { dropCorrection } from './corrections.service.ts'
import { findOpenCorrection, removeFirstCorrections } from './corrections.store.ts'

export interface AwardEntry {
  period_code: string
  /** The period's day, repeated to prevent a result for the wrong draw. */
  date: string
  result: DrawResult
}

/**
 * Enters or repeats the result of a closed period. The first entry is stored; an equal second one by another office
 * user makes the period ready for settlement, and a different one locks it for review. An entry of an office user who
 * was suspended or may no longer enter results is dropped, and the next one counts as the first. A period that was
 * closed early still waits for its draw.
 * @throws Refusal unknown_period, not_allowed (the caller has lost the permission meanwhile), award_wrong_date,
 * period_still_open, period_voided, award_too_early, award_bad_result, award_same_person, award_locked, award_exists
 */
export async function enterAward(db: Db, caller: AuditActor, entry: AwardEntry): Promise<'entered' | 'agreed'> {
  const { actor_id } = caller
  const state = await db.transaction().execute(async (tx) => {
    const period = await lockPeriod(tx, entry.period_code)
    if (!period) throw new Refusal('unknown_period')
    let earlier = await findAward(tx, period.period_id)
    const permitted = await listStillPermitted(tx, [actor_id, earlier?.entered_by ?? actor_id], enterAwardRoute.needs)
    if (!permitted.has(actor_id)) throw new Refusal('not_allowed')
    if (period.period_date !== entry.date) throw new Refusal('award_wrong_date', { period_date: period.period_date })
    if (period.status === 'upcoming' || period.status === 'open') throw new Refusal('period_still_open')
    if (period.outcome === 'voiding' || period.outcome === 'void') throw new Refusal('period_voided')
    if ((await readClock(tx)) < period.draw_at)
      throw new Refusal('award_too_early', { draw_at: period.draw_at.toISOString() })
    if (earlier?.state === 'agreed' || period.outcome !== 'pending') throw new Refusal('award_exists')
    if (earlier?.state === 'locked') throw new Refusal('award_locked')
    const { result_form } = await getProduct(tx, period.product_code)
    const { result } = entry
    const problems = checkDrawResult(result, result_form, period.period_date)
    if (problems.length > 0) throw new Refusal('award_bad_result', { problems })
    if (earlier?.entered_by && !permitted.has(earlier.entered_by)) {
      await dropAwardEntry(tx, caller, period, earlier)
      earlier = undefined
    }
    if (earlier?.entered_by && (await isOnePerson(tx, earlier.entered_by, actor_id)))
      throw new Refusal('award_same_person')

    const state = stateAfter(earlier?.result, result)
    if (state === 'entered') await insertAward(tx, period.period_id, result, actor_id)
    // Equal results may list front and back numbers in another order; the first entry is stored unchanged.
    else await repeatAward(tx, period.period_id, state, state === 'agreed' ? earlier!.result : result, actor_id)
    if (state === 'agreed') await setOutcome(tx, period.period_id, 'settling')
    await verifyCaller(tx, caller)
    const subject = `period:${entry.period_code}`
    await writeAudit(tx, {
      ...actorOf(caller),
      action: `award_${state}`,
      subject,
      after: state === 'entered' ? addSalt(result) : result,
    })
    return state
  })
  // Thrown outside the transaction, because the lock itself must be committed.
  if (state === 'locked') throw new Refusal('award_locked')
  return state
}

async function dropAwardEntry(
  tx: Tx,
  caller: AuditActor,
  { period_id, period_code }: PeriodRecord,
  before: AwardRecord,
): Promise<void> {
  await removeAward(tx, period_id)
  await writeAudit(tx, {
    ...actorOf(caller),
    action: 'award_reset',
    subject: `period:${period_code}`,
    before: addSalt(before),
  })
}

/**
 * Deletes the entries of an unsettled period, or of a settled one's correction, so that both can be made again. A
 * single entry can be deleted only by the person who made it, including its assistants and principal: a second person
 * with a different entry must not be able to make room for it. Two differing entries can be deleted by anyone.
 * @throws Refusal unknown_period, award_exists, award_not_entered, not_allowed (another person's only entry, or the
 * caller has lost the permission meanwhile)
 */
export async function resetAward(db: Db, caller: AuditActor, period_code: string, reason: string): Promise<void> {
  const { actor_id } = caller
  await db.transaction().execute(async (tx) => {
    const period = await lockPeriod(tx, period_code)
    if (!period) throw new Refusal('unknown_period')
    if (!(await isStillPermitted(tx, actor_id, resetAwardRoute.needs))) throw new Refusal('not_allowed')
    const { period_id, outcome } = period
    const before = outcome === 'settled' ? await findOpenCorrection(tx, period_id) : await findAward(tx, period_id)
    if (outcome === 'settled' && !before) throw new Refusal('award_exists')
    if (outcome !== 'settled' && outcome !== 'pending') throw new Refusal('award_exists')
    if (!before) throw new Refusal('award_not_entered')
    if (before.state === 'entered' && !(await isOwnEntry(tx, before, actor_id))) throw new Refusal('not_allowed')
    await verifyCaller(tx, caller)
    if (outcome === 'settled') {
      await dropCorrection(tx, caller, period, reason)
      return
    }
    await removeAward(tx, period_id)
    await writeAudit(tx, {
      ...actorOf(caller),
      action: 'award_reset',
      subject: `period:${period_code}`,
      before: addSalt(before),
      reason,
    })
  })
}

/** By person: an assistant counts as its principal. */
async function isOwnEntry(tx: Tx, { entered_by }: Pick<AwardRecord, 'entered_by'>, actor_id: number): Promise<boolean> {
  return entered_by !== null && isOnePerson(tx, entered_by, actor_id)
}

function toEndedRow(action: string, { period_code, ...before }: { period_code: string }): AuditRow {
  return { action, subject: `period:${period_code}`, before: addSalt(before) }
}

/**
 * Ends the first entries of results and corrections of users who have lost their rights; two differing entries stay.
 * Does not write audit rows yet: a second person may hold an entry's row and wait for the end of the log.
 */
async function endAwardEntriesOf(tx: Tx, users: readonly number[]): Promise<AuditRow[]> {
  const entries = await removeFirstEntries(tx, users)
  const corrections = await removeFirstCorrections(tx, users)
  return [
    ...entries.map((entry) => toEndedRow('award_reset', entry)),
    ...corrections.map((correction) => toEndedRow('award_correction_reset', correction)),
  ]
}
alsoEndWithRights(endAwardEntriesOf)

/** Entries that need a second office user, without their numbers, because the second one types them unseen. */
export function listWaitingAwards(db: Db): Promise<WaitingAward[]> {
  return listWaitingAwardEntries(db)
}

/**
 * Settled results, newest first.
 * @throws Refusal unknown_product
 */
export async function listAwards(
  db: Db,
  filter: AwardFilter,
  { limit, offset }: { limit: number; offset: number },
): Promise<Award[]> {
  for (const product_code of filter.product_codes ?? []) await getProduct(db, product_code)
  return (await listSettledAwards(db, filter, limit, offset)).map(toAward)
}

/** The last result of each market that has one, newest first. */
export async function listLatestAwards(db: Db): Promise<Award[]> {
  return (await listLatestSettledAwards(db, 1)).map(toAward)
}

/** The last five results of one market or of each, newest first. @throws Refusal unknown_product */
export async function listProductAwards(db: Db, product_code?: string): Promise<Award[]> {
  if (product_code !== undefined) await getProduct(db, product_code)
  return (await listLatestSettledAwards(db, 5, product_code)).map(toAward)
}

function toAward(record: SettledAward): Award {
  return {
    period: toPeriod(record),
    result: record.result,
    corrected_from: record.corrected_from,
    is_demo: record.is_demo,
  }
}
