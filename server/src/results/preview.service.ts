// Previews the payments of a result or a void before it is decided. The figures come from the same tickets and
// functions as the settlement, which then pays exactly that unless a ticket is voided in between. Nothing is paid, and
// others' entries are ignored, because a preview must not reveal a hidden first entry.

import type { AwardPreview, PeriodVoidPreview } from '@megalot/contract'
import { betOfSlot, type BetTypeCode, betTypeCodes, checkDrawResult, type DrawResult } from '@megalot/rules'
import { type Db, readClock, type Tx } from '../postgres/db.ts'
import { Refusal } from '../lib/refusal.ts'
import { readSealedCost } from '../exposure/index.ts'
import { getPeriodRecord, getProduct, type PeriodRecord } from '../markets/index.ts'
import { isSameResult } from './award-results.ts'
import { findAward } from './awards.store.ts'
import { sumRefund } from './period-void.store.ts'
import { getBottom3Set, type LineWin, listMatchingLines, listTicketsWithBets } from './settlement.store.ts'
import { buildSlotIndex } from './slot-index.ts'
import { compareWinningBets, listChangedSlots, listLineWins, listTicketChanges } from './win-changes.ts'

/** How many tickets are read at once; a run digit can win in every fourth ticket of a large period. */
const TICKETS_AT_ONCE = 5_000

/**
 * What a result of a drawn period would pay; for a settled period, what the correction would take back and pay. Builds
 * the period's slot index first if it is missing, as settlement would.
 * @throws Refusal unknown_period, period_still_open, period_voided, award_too_early, award_exists (it is being
 * settled), award_bad_result, award_same_result
 */
export async function previewAward(
  db: Db,
  { period_code, result }: { period_code: string; result: DrawResult },
): Promise<AwardPreview> {
  const period = await getPeriodRecord(db, period_code)
  await requireDrawn(db, period, result)
  await buildSlotIndex(db, period.period_id)
  // One snapshot, so that all steps see the same tickets.
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute((tx) => preview(tx, period, result))
}

async function requireDrawn(db: Db, period: PeriodRecord, result: DrawResult): Promise<void> {
  if (period.status === 'upcoming' || period.status === 'open') throw new Refusal('period_still_open')
  if (period.outcome === 'voiding' || period.outcome === 'void') throw new Refusal('period_voided')
  if (period.outcome === 'settling') throw new Refusal('award_exists')
  if ((await readClock(db)) < period.draw_at)
    throw new Refusal('award_too_early', { draw_at: period.draw_at.toISOString() })
  const { result_form } = await getProduct(db, period.product_code)
  const problems = checkDrawResult(result, result_form, period.period_date)
  if (problems.length > 0) throw new Refusal('award_bad_result', { problems })
}

async function preview(
  tx: Tx,
  { period_id, period_code, outcome }: PeriodRecord,
  result: DrawResult,
): Promise<AwardPreview> {
  const paid = outcome === 'settled' ? (await findAward(tx, period_id))?.result : undefined
  if (paid && isSameResult(paid, result)) throw new Refusal('award_same_result')
  const bottom3Set = await getBottom3Set(tx, period_id)
  const change = compareWinningBets(result, paid, bottom3Set)
  const slots = listChangedSlots(change)
  const order_ids = await listTicketsWithBets(tx, period_id, slots, 0, { includesWaiting: true })
  const sums = new PreviewSums()
  for (let start = 0; start < order_ids.length; start += TICKETS_AT_ONCE) {
    const lines = await listMatchingLines(tx, order_ids.slice(start, start + TICKETS_AT_ONCE), slots)
    sums.add(listLineWins(lines, change))
  }
  return {
    period_code,
    kind: paid ? 'correction' : 'award',
    ...sums.total(),
    book: paid ? null : await readSealedCost(tx, period_id, result, bottom3Set),
  }
}

type TypeSums = AwardPreview['bet_types'][number]

class PreviewSums {
  private tickets = 0
  private paid_satang = 0
  private taken_back_satang = 0
  private readonly changes = new Map<number, number>()
  private readonly types = new Map<BetTypeCode, TypeSums>()

  /** @param wins all items of their tickets that change */
  add(wins: readonly LineWin[]): void {
    for (const { slot, sign, win_satang } of wins) this.addLine(betOfSlot(slot)!.bet_type, sign, win_satang)
    for (const { user_id, old_win_satang, new_win_satang } of listTicketChanges(wins)) {
      this.tickets += 1
      this.paid_satang += new_win_satang
      this.taken_back_satang += old_win_satang
      this.changes.set(user_id, (this.changes.get(user_id) ?? 0) + new_win_satang - old_win_satang)
    }
  }

  private addLine(bet_type: BetTypeCode, sign: 1 | -1, win_satang: number): void {
    const sums = this.types.get(bet_type) ?? { bet_type, won_lines: 0, won_satang: 0, lost_lines: 0, lost_satang: 0 }
    if (sign === 1) {
      sums.won_lines += 1
      sums.won_satang += win_satang
    } else {
      sums.lost_lines += 1
      sums.lost_satang -= win_satang
    }
    this.types.set(bet_type, sums)
  }

  total(): Omit<AwardPreview, 'period_code' | 'kind' | 'book'> {
    const { tickets, paid_satang, taken_back_satang } = this
    return {
      tickets,
      members: this.changes.size,
      members_losing: [...this.changes.values()].filter((change) => change < 0).length,
      paid_satang,
      taken_back_satang,
      bet_types: betTypeCodes.flatMap((code) => this.types.get(code) ?? []),
    }
  }
}

/**
 * What a void of a period would refund now. @throws Refusal unknown_period, period_voided, period_settled (its result is agreed)
 */
export async function previewPeriodVoid(db: Db, period_code: string): Promise<PeriodVoidPreview> {
  const { period_id, outcome, status } = await getPeriodRecord(db, period_code)
  if (outcome === 'voiding' || outcome === 'void') throw new Refusal('period_voided')
  if (outcome !== 'pending') throw new Refusal('period_settled')
  return { period_code, ...(await sumRefund(db, period_id)), is_open: status === 'open' }
}
