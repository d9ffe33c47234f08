// A period without a valid draw is void (§1 of the domain rules): two office users decide it, every live ticket is
// refunded by a ledger entry exactly once, and the period accepts no award. Refunding runs in steps like settlement and
// can be interrupted anywhere. Tickets keep their status and amounts; their void period marks them as refunded.

import { endPeriodVoid as endPeriodVoidRoute, type PeriodVoid, voidPeriod as voidPeriodRoute } from '@megalot/contract'
import { verifyCallerAgain } from '../changes/callers/index.ts'
import type { Db, Tx } from '../postgres/db.ts'
import { Refusal } from '../lib/refusal.ts'
import { type AuditRow, endWithPower, isOnePerson, isStillPermitted } from '../changes/index.ts'
import {
  findApprovedRequest,
  findStandingRequest,
  refuseTooManyVoidRequests,
  requireWaitingRequest,
} from '../identity/accounts/index.ts'
import { writeAudit, writeAudits } from '../changes/audit/index.ts'
import { getPeriodAccountId, lockCashAccounts, postEntries } from '../betting/ledger/index.ts'
import { closeNow, lockPeriod, type PeriodRecord, setOutcome, toPeriod } from '../markets/index.ts'
import { addVoidNotice } from './notices/index.ts'
import { removeAward } from './awards.store.ts'
import {
  approveVoid,
  countWaitingVoidsOf,
  findVoid,
  finishVoid,
  insertVoid,
  listPeriodIdsToVoid,
  listRefundableOrderIds,
  listStakes,
  listVoids,
  listWaitingVoidsOfPeriods,
  lockVoid,
  removeVoid,
  removeWaitingVoids,
  saveRefunds,
  type VoidRecord,
  type WaitingPeriodVoid,
} from './period-void.store.ts'
import { type Plan, runTicketJob, type TicketJob } from './ticket-steps.ts'

/**
 * Voids a period: the first office user's call requests it, a second, different one's, which names the request, approves it. Betting ends with
 * the approval. A request without approval expires after 24 hours, or as soon as its office user was suspended or may no
 * longer void periods; the next request replaces it.
 * @param options `approves`: the void_request_id that the caller has seen; the call makes no request where that one is gone
 * @throws Refusal unknown_period, not_allowed (the caller has lost the permission meanwhile), period_settled (its result is
 * agreed), period_voided, no_void_request (`approves`, and that one does not wait), void_same_person,
 * void_requested (no `approves`, and somebody else has asked), too_many_void_requests (`MAX_VOID_REQUESTS_OF_PERSON`)
 */
export async function voidPeriod(
  db: Db,
  actor_id: number,
  period_code: string,
  reason: string,
  { approves }: { approves?: number | undefined } = {},
): Promise<{ state: 'requested' | 'voiding'; void_request_id: number }> {
  return db.transaction().execute(async (tx) => {
    const period = await lockPeriod(tx, period_code)
    if (!period) throw new Refusal('unknown_period')
    const request = await findVoid(tx, period.period_id)
    const standing = await findStandingRequest(tx, actor_id, request, voidPeriodRoute.needs)
    if (period.outcome === 'voiding' || period.outcome === 'void') throw new Refusal('period_voided')
    if (period.outcome !== 'pending') throw new Refusal('period_settled')
    await verifyCallerAgain(tx)
    const subject = `period:${period_code}`
    const approved = await findApprovedRequest(tx, actor_id, standing, approves)
    if (!approved) {
      await refuseTooManyVoidRequests(tx, actor_id, countWaitingVoidsOf)
      if (request) await removeVoid(tx, period.period_id)
      const void_request_id = await insertVoid(tx, period.period_id, actor_id, reason)
      const replaced = request && { before: { requested_by: request.requested_by, requested_reason: request.reason } }
      await writeAudit(tx, { actor_id, action: 'request_period_void', subject, ...replaced, reason })
      return { state: 'requested', void_request_id }
    }
    await approve(tx, actor_id, period)
    const before = { status: period.status, close_at: period.close_at.toISOString() }
    const after = { outcome: 'voiding', requested_by: approved.requested_by, requested_reason: approved.reason }
    await writeAudit(tx, { actor_id, action: 'void_period', subject, before, after, reason })
    return { state: 'voiding', void_request_id: approved.void_request_id }
  })
}

/**
 * Ends a request to void a period, which stays as it is: the office user who asked withdraws it, as a person; another one
 * rejects it.
 * @throws Refusal unknown_period, not_allowed (the caller has lost the permission meanwhile), no_void_request (that
 * one does not wait: it was approved, rejected or withdrawn, or has expired)
 */
export async function endPeriodVoid(
  db: Db,
  actor_id: number,
  period_code: string,
  { reason, void_request_id }: { reason: string; void_request_id: number },
): Promise<'rejected' | 'withdrawn'> {
  return db.transaction().execute(async (tx) => {
    const period = await lockPeriod(tx, period_code)
    if (!period) throw new Refusal('unknown_period')
    if (!(await isStillPermitted(tx, actor_id, endPeriodVoidRoute.needs))) throw new Refusal('not_allowed')
    const request = requireWaitingRequest(await findVoid(tx, period.period_id), void_request_id)
    const isOwn = await isOnePerson(tx, request.requested_by, actor_id)
    await removeVoid(tx, period.period_id)
    await verifyCallerAgain(tx)
    await writeAudit(tx, {
      actor_id,
      action: isOwn ? 'withdraw_period_void' : 'reject_period_void',
      subject: `period:${period_code}`,
      before: { requested_by: request.requested_by, requested_reason: request.reason },
      reason,
    })
    return isOwn ? 'withdrawn' : 'rejected'
  })
}

/** Ends the requests to void a period of users who have lost their power. Records are not written yet, as in `endVoidRequestsOf`. */
async function endPeriodVoidRequestsOf(
  tx: Tx,
  users: readonly number[],
  how: 'reject' | 'withdraw',
): Promise<AuditRow[]> {
  const ended = await removeWaitingVoids(tx, users)
  return ended.map(({ period_code, requested_by, reason }) => ({
    ...{ action: `${how}_period_void`, subject: `period:${period_code}` },
    before: { requested_by, requested_reason: reason },
  }))
}
endWithPower(endPeriodVoidRequestsOf)

/** Ends every request to void a period that waits for a second person; the periods stay as they are. @returns how many */
export async function endEveryPeriodVoidRequest(tx: Tx, reason: string): Promise<number> {
  const ended = await removeWaitingVoids(tx)
  await writeAudits(
    tx,
    ended.map(({ period_code, requested_by }) => ({
      ...{ actor_id: null, action: 'end_request', subject: `period:${period_code}`, reason },
      after: { void_requested: false, requested_by },
    })),
  )
  return ended.length
}

async function approve(tx: Tx, actor_id: number, { period_id, status }: PeriodRecord): Promise<void> {
  await approveVoid(tx, period_id, actor_id)
  // The entry of one of two people. The audit log keeps it.
  await removeAward(tx, period_id)
  if (status === 'open') await closeNow(tx, period_id)
  await setOutcome(tx, period_id, 'voiding')
}

/** Void requests and voided periods, newest first. */
export async function listPeriodVoids(db: Db, limit: number, offset: number): Promise<PeriodVoid[]> {
  return (await listVoids(db, limit, offset)).map(toPeriodVoid)
}

/** Requests that wait for a second office user, the oldest first. */
export function listWaitingPeriodVoids(db: Db): Promise<WaitingPeriodVoid[]> {
  return listWaitingVoidsOfPeriods(db)
}

function toPeriodVoid(record: VoidRecord): PeriodVoid {
  const { requested_by, approved_by, reason, refunded_orders, refunded_satang } = record
  return {
    period: toPeriod(record),
    state: record.finished_at ? 'void' : record.approved_at ? 'voiding' : 'requested',
    requested_by,
    requested_at: record.requested_at.toISOString(),
    approved_by,
    approved_at: record.approved_at?.toISOString() ?? null,
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
