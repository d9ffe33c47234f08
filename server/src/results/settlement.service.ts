// Settlement: every winning item of a period is paid exactly once. It processes only winners; all other items have
// lost. It is a job in steps of some hundred tickets (`ticket-steps.ts`). A corrected result is settled in a further
// settlement round, which processes only tickets that change: the earlier win is reversed, and the new win is paid.

import type { Db, Tx } from '../postgres/db.ts'
import { requireReconciledExposure } from '../exposure/index.ts'
import { type Entry, getPeriodAccountId, lockCashAccounts, postEntries } from '../betting/ledger/index.ts'
import { queueResultPushes } from '../identity/push/index.ts'
import { setOutcome } from '../markets/index.ts'
import { addCorrectionNotice } from './notices/index.ts'
import { findAward, listPeriodIdsToSettle } from './awards.store.ts'
import { buildSlotIndex } from './slot-index.ts'
import {
  findReplacedResult,
  finishSettlement,
  getBottom3Set,
  permitOverdrafts,
  listMatchingLines,
  listTicketsWithBets,
  lockSettlement,
  reduceOverdrafts,
  saveProgress,
  writeWins,
} from './settlement.store.ts'
import {
  type BetChange,
  compareWinningBets,
  listChangedSlots,
  listLineWins,
  listTicketChanges,
  type TicketChange,
} from './win-changes.ts'
import { type Plan, runTicketJob, type TicketJob } from './ticket-steps.ts'

/**
 * Settles every period whose award is agreed. Any node may call it at any time.
 * @returns how many periods it finished
 * @throws the failures together, after all other periods were processed
 */
export async function settleDuePeriods(db: Db): Promise<number> {
  await reduceOverdrafts(db)
  const period_ids = await listPeriodIdsToSettle(db)
  const failures: unknown[] = []
  for (const period_id of period_ids) await settlePeriod(db, period_id).catch((error: unknown) => failures.push(error))
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} periods could not be settled`)
  return period_ids.length
}

/**
 * Pays a period completely.
 * @param ticketsPerStep smaller steps release the locks more often
 */
export function settlePeriod(db: Db, period_id: number, ticketsPerStep?: number): Promise<void> {
  return runTicketJob(db, period_id, settlementJob(period_id), ticketsPerStep)
}

interface SettlementPlan extends Plan {
  round: number
  change: BetChange
}

/** The settlement of a period, or of its correction, as a job over its tickets. */
export function settlementJob(period_id: number): TicketJob<SettlementPlan> {
  return {
    prepare: async (db) => {
      await buildSlotIndex(db, period_id)
      await requireReconciledExposure(db, period_id)
    },
    lockProgress: (tx) => lockSettlement(tx, period_id),
    makePlan: async (tx, { round, done_up_to_order_id }) => {
      const change = await findBetChange(tx, period_id, round)
      const order_ids = await listTicketsWithBets(tx, period_id, listChangedSlots(change), done_up_to_order_id)
      return { round, change, order_ids }
    },
    processTickets: async (tx, plan, order_ids) => {
      const sums = await pay(tx, period_id, plan, order_ids)
      await saveProgress(tx, period_id, { done_up_to_order_id: order_ids.at(-1)!, ...sums })
    },
    finish: async (tx) => {
      const correction_id = await finishSettlement(tx, period_id)
      // The trigger `roll_up_settled_period` now writes the period's rollups for reports.
      await setOutcome(tx, period_id, 'settled')
      await queueResultPushes(tx, period_id, correction_id)
      if (correction_id !== undefined) await addCorrectionNotice(tx, period_id, correction_id)
    },
  }
}

async function findBetChange(tx: Tx, period_id: number, round: number): Promise<BetChange> {
  const award = await findAward(tx, period_id)
  if (award?.state !== 'agreed') throw new Error(`Period ${period_id} is to be settled without an agreed award`)
  const bottom3Set = await getBottom3Set(tx, period_id)
  if (round === 0) return compareWinningBets(award.result, undefined, bottom3Set)
  const replaced = await findReplacedResult(tx, period_id, round)
  if (!replaced) throw new Error(`Period ${period_id} is to be settled again without an agreed correction`)
  return compareWinningBets(award.result, replaced, bottom3Set)
}

interface PaidSums {
  orders: number
  paid_satang: number
  taken_back_satang: number
}

async function pay(
  tx: Tx,
  period_id: number,
  { round, change }: SettlementPlan,
  order_ids: readonly number[],
): Promise<PaidSums> {
  const wins = listLineWins(await listMatchingLines(tx, order_ids, listChangedSlots(change)), change)
  const tickets = listTicketChanges(wins)
  const accounts = await lockCashAccounts(tx, [...new Set(tickets.map((ticket) => ticket.user_id))])
  const cashOf = (user_id: number): number => accounts.get(user_id)!.account_id
  const period_account_id = await getPeriodAccountId(tx, period_id)
  await writeWins(tx, period_id, round, wins)
  if (round > 0) {
    const amounts = new Map<number, number>()
    for (const { user_id, old_win_satang, new_win_satang } of tickets)
      amounts.set(user_id, (amounts.get(user_id) ?? 0) + old_win_satang - new_win_satang)
    await permitOverdrafts(
      tx,
      period_id,
      [...amounts].map(([user_id, amount_satang]) => ({ account_id: cashOf(user_id), amount_satang })),
    )
  }
  await postEntries(
    tx,
    tickets.flatMap((ticket) => listEntries(period_id, round, ticket, cashOf(ticket.user_id), period_account_id)),
  )
  return {
    orders: tickets.length,
    paid_satang: tickets.reduce((sum, ticket) => sum + ticket.new_win_satang, 0),
    taken_back_satang: tickets.reduce((sum, ticket) => sum + ticket.old_win_satang, 0),
  }
}

/** Reverses the whole earlier win, then pays the whole new win. Idempotency keys let each happen once. */
function listEntries(
  period_id: number,
  round: number,
  { order_id, old_win_satang, new_win_satang }: TicketChange,
  cash_id: number,
  period_account_id: number,
): Entry[] {
  const name = (kind: string) => `${kind}:${period_id}:${order_id}${round === 0 ? '' : `:${round}`}`
  const entry = { order_id, actor_id: null }
  const entries: Entry[] = []
  if (old_win_satang > 0)
    entries.push({
      ...entry,
      kind: 'reversal',
      idempotency_key: name('reversal'),
      from_account_id: cash_id,
      to_account_id: period_account_id,
      amount_satang: old_win_satang,
    })
  if (new_win_satang > 0)
    entries.push({
      ...entry,
      kind: 'win',
      idempotency_key: name('win'),
      from_account_id: period_account_id,
      to_account_id: cash_id,
      amount_satang: new_win_satang,
    })
  return entries
}
