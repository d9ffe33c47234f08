// What calls may cost the others: a budget for each user, and lanes. Exports and reports read much and make much text; a bet waits for
// none of them, because it has connections of its own, and this keeps the event loop and the connections of lists free as well.
// The limits are of this node: a user's calls on several nodes have several budgets.

import type { CallCost } from '@megalot/contract'
import { Refusal } from './refusal.ts'
import { createSemaphore } from './semaphore.ts'

export interface CallCosts {
  /**
   * Runs a call that is costly. A user's second export is refused while the first one runs; further reports wait.
   * @throws Refusal too_many_requests: the budget is spent, or too many of the user's calls run or wait
   */
  run: <Result>(actor_id: number, cost: CallCost, work: () => Promise<Result>) => Promise<Result>
  /** Charges what was read and checked for nothing: the body of a ticket that was refused. */
  chargeRefused: (actor_id: number, bytes: number) => void
  /** Before the body of a call is read. @throws Refusal too_many_requests: the budget is spent */
  refuseSpent: (actor_id: number) => void
}

/** What a call takes from the budget, in units: a report is one. */
const unitsOf: Readonly<Record<CallCost, number>> = { report: 1, export: 5 }
/** A refused ticket takes one unit for so many bytes: about as much as 200 lines. */
const BYTES_A_UNIT = 16 * 1_024
/** Reports of one user that run at a time, and those that wait besides. */
const REPORTS_AT_ONCE = 2
const REPORTS_WAITING = 6
/** Exports on this node that run at a time: the other connections for reports are for lists. */
const EXPORTS_AT_ONCE = 2
/** How long a refused caller has to wait at least, in ms. */
const RETRY_AFTER_MS = 1_000

interface Account {
  /** Units that are left; below 0 after a call that cost more than was left. */
  left: number
  refilledAtMs: number
  exports: number
  reports: number
  lane: ReturnType<typeof createSemaphore>
}

function refuse(wait_ms = RETRY_AFTER_MS): never {
  throw new Refusal('too_many_requests', { wait_ms: Math.max(RETRY_AFTER_MS, Math.ceil(wait_ms)) })
}

/** @param perMinute units that a user gets in a minute, and the most that it saves up */
export function createCallCosts(perMinute: number, readMs = () => performance.now()): CallCosts {
  const accounts = new Map<number, Account>()
  const exportLane = createSemaphore(EXPORTS_AT_ONCE)
  const perMs = perMinute / 60_000
  let sweptAtMs = readMs()

  function refill(account: Account, nowMs: number): void {
    account.left = Math.min(perMinute, account.left + (nowMs - account.refilledAtMs) * perMs)
    account.refilledAtMs = nowMs
  }

  function open(actor_id: number): Account {
    const nowMs = readMs()
    // Users whose budget is whole again are forgotten, once a minute.
    if (nowMs - sweptAtMs > 60_000) {
      sweptAtMs = nowMs
      for (const [id, account] of accounts) {
        refill(account, nowMs)
        if (account.left >= perMinute && account.exports + account.reports === 0) accounts.delete(id)
      }
    }
    let account = accounts.get(actor_id)
    if (!account) {
      account = { left: perMinute, refilledAtMs: nowMs, exports: 0, reports: 0, lane: createSemaphore(REPORTS_AT_ONCE) }
      accounts.set(actor_id, account)
    }
    refill(account, nowMs)
    return account
  }

  function take(account: Account, units: number): void {
    if (account.left < units) refuse((units - account.left) / perMs)
    account.left -= units
  }

  return {
    async run(actor_id, cost, work) {
      const account = open(actor_id)
      const isExport = cost === 'export'
      if (isExport ? account.exports > 0 : account.reports >= REPORTS_AT_ONCE + REPORTS_WAITING) refuse()
      take(account, unitsOf[cost])
      const count = isExport ? 'exports' : 'reports'
      account[count] += 1
      try {
        return await (isExport ? exportLane : account.lane).run(work)
      } finally {
        account[count] -= 1
      }
    },
    chargeRefused(actor_id, bytes) {
      open(actor_id).left -= bytes / BYTES_A_UNIT
    },
    refuseSpent(actor_id) {
      // Most users have no account: they have cost nothing.
      const account = accounts.get(actor_id)
      if (!account || account.left > 0) return
      refill(account, readMs())
      if (account.left <= 0) refuse(-account.left / perMs)
    },
  }
}
