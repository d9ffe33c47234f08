// A period without a valid draw is void: two office users decide it, every live ticket is
// refunded by a ledger entry exactly once, and the period accepts no award. Refunding runs in steps like settlement and
// can be interrupted anywhere. Tickets keep their status and amounts; their void period marks them as refunded.

import { type PeriodVoid, proposalPayloads } from '@megalot/contract'
import { defineChange } from '../changes/index.ts'
import type { Db, Tx } from '../postgres/db.ts'
import { Refusal } from '../lib/refusal.ts'
import { getPeriodAccountId, lockCashAccounts, postEntries } from '../betting/ledger/index.ts'
import { closeNow, findPeriod, lockOfPeriods, setOutcome, toPeriod } from '../markets/index.ts'
import { addVoidNotice } from './notices/index.ts'
import { removeAward } from './awards.store.ts'
import {
  finishVoid,
  insertVoid,
  listPeriodIdsToVoid,
  listRefundableOrderIds,
  listStakes,
  listVoids,
  lockVoid,
  saveRefunds,
  type VoidRecord,
} from './period-void.store.ts'
import { type Plan, runTicketJob, type TicketJob } from './ticket-steps.ts'

/**
 * Voids a period: betting ends, and its stakes are refunded by `refundVoidedPeriods`.
 * @throws Refusal unknown_period, period_settled (its result is agreed), period_voided
 */
export const voidPeriod = defineChange({
  name: 'void_period',
  needs: 'periods.do',
  input: proposalPayloads.void_period,
  locks: ({ period_code }) => [lockOfPeriods(period_code)],
  async load({ tx }, { period_code }) {
    const period = await findPeriod(tx, period_code)
    if (!period) throw new Refusal('unknown_period')
    return period
  },
  decide(period) {
    const { period_code, product_code, status, close_at, outcome } = period
    if (outcome === 'voiding' || outcome === 'void') throw new Refusal('period_voided')
    if (outcome !== 'pending') throw new Refusal('period_settled')
    const after = { outcome: 'voiding' }
    return {
      plan: period,
      rows: [{ subject: `period:${period_code}`, before: { status, close_at: close_at.toISOString() }, after }],
      needsTwo: {},
      // Its times are no part of what is decided: it may close meanwhile.
      proposal: { product_code, before: { outcome }, after, onlyOne: true, noTrial: true },
    }
  },
  async write({ tx }, { period_id, status }) {
    await insertVoid(tx, period_id)
    // The entry of one of two people. The audit log keeps it.
    await removeAward(tx, period_id)
    if (status === 'open') await closeNow(tx, period_id)
    await setOutcome(tx, period_id, 'voiding')
  },
})

/** Voided periods, newest first. */
export async function listPeriodVoids(db: Db, limit: number, offset: number): Promise<PeriodVoid[]> {
  return (await listVoids(db, limit, offset)).map(toPeriodVoid)
}

function toPeriodVoid(record: VoidRecord): PeriodVoid {
  const { requested_by, approved_by, reason, refunded_orders, refunded_satang } = record
  return {
    period: toPeriod(record),
    state: record.finished_at ? 'void' : 'voiding',
    requested_by,
    requested_at: record.requested_at.toISOString(),
    approved_by,
    approved_at: record.approved_at.toISOString(),
    reason,
    refunded_orders,
    refunded_satang,
  }
}

/**
 * Refunds every period whose void is approved. Any node may call it at any time.
 * @returns how many periods it finished
 * @throws the failures together, after all other periods were processed
 */
export async function refundVoidedPeriods(db: Db): Promise<number> {
  const period_ids = await listPeriodIdsToVoid(db)
  const failures: unknown[] = []
  for (const period_id of period_ids) await refundPeriod(db, period_id).catch((error: unknown) => failures.push(error))
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} periods could not be refunded`)
  return period_ids.length
}

/** Refunds a period to its end. @param ticketsPerStep smaller steps release the locks more often */
export function refundPeriod(db: Db, period_id: number, ticketsPerStep?: number): Promise<void> {
  return runTicketJob(db, period_id, refundJob(period_id), ticketsPerStep)
}

/** The refund of one period as a job over its tickets. */
export function refundJob(period_id: number): TicketJob<Plan> {
  return {
    lockProgress: (tx) => lockVoid(tx, period_id),
    makePlan: async (tx, { done_up_to_order_id }) => ({
      order_ids: await listRefundableOrderIds(tx, period_id, done_up_to_order_id),
    }),
    processTickets: (tx, _plan, order_ids) => refund(tx, period_id, order_ids),
    finish: async (tx) => {
      await finishVoid(tx, period_id)
      await setOutcome(tx, period_id, 'void')
      await addVoidNotice(tx, period_id)
    },
  }
}

/**
 * The net of each ticket goes back from the period to its member. The idempotency key of the entry lets it happen once.
 */
async function refund(tx: Tx, period_id: number, order_ids: readonly number[]): Promise<void> {
  const stakes = await listStakes(tx, order_ids)
  const accounts = await lockCashAccounts(tx, [...new Set(stakes.map(({ user_id }) => user_id))])
  const from_account_id = await getPeriodAccountId(tx, period_id)
  const charged = stakes.filter(({ net_satang }) => net_satang > 0)
  await postEntries(
    tx,
    charged.map(({ order_id, user_id, net_satang }) => ({
      kind: 'refund',
      order_id,
      idempotency_key: `refund:${order_id}`,
      actor_id: null,
      from_account_id,
      to_account_id: accounts.get(user_id)!.account_id,
      amount_satang: net_satang,
    })),
  )
  await saveRefunds(tx, period_id, {
    up_to_order_id: order_ids.at(-1)!,
    orders: stakes.length,
    satang: charged.reduce((sum, { net_satang }) => sum + net_satang, 0),
  })
}
