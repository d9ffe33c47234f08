// The repair of a ticket whose entries do not move what it costs and has won: two people write what is missing (`repair_ticket` of
// `approvals`). Nobody chooses an amount: it is the difference that the invariants compare (`ticket_costs_its_net`, `win_paid_once`, and
// of a waiting ticket `held_is_waiting`).

import type { EntryKind } from '@megalot/contract'
import { violatedConstraint } from '../../postgres/constraints.ts'
import type { Tx } from '../../postgres/db.ts'
import { Refusal } from '../../lib/refusal.ts'
import { writeAudit } from '../../changes/audit/index.ts'
import {
  type CashAccount,
  findHeldAccountIds,
  getPeriodAccountId,
  lockCashAccounts,
  postEntries,
} from '../ledger/index.ts'
import { findSharedPeriod } from '../../markets/index.ts'
import { findOrderOwner } from '../read/order-owner.ts'
import { lockOrder } from './life.store.ts'
import { findTicketMoney, nameRepair, type TicketMoney } from './repair.store.ts'

type Side = 'cash' | 'held' | 'period'

/** An entry that a ticket lacks. */
export interface MissingEntry {
  kind: EntryKind
  from: Side
  to: Side
  amount_satang: number
}

export interface TicketRepair {
  order_id: number
  user_id: number
  username: string
  product_code: string
  /** What its entries have moved, and what they should have. */
  moved: TicketMoney
  due: TicketMoney
  /** What is written. */
  missing: MissingEntry[]
  accounts: Readonly<Record<Side, number>>
  cash: CashAccount
}

/**
 * What a ticket lacks, under the locks that a void of it takes.
 * @throws Refusal not_found, nothing_to_repair
 */
export async function planRepair(tx: Tx, order_id: number): Promise<TicketRepair> {
  const owner = await findOrderOwner(tx, order_id)
  if (!owner) throw new Refusal('not_found')
  const period = (await findSharedPeriod(tx, owner.period_code))!
  const { user_id } = owner
  // As settlement, which writes tickets after the cash of their members: a period that is not paid because of the ticket is repaired, too.
  const isDecided = period.outcome !== 'pending'
  if (!isDecided) await lockOrder(tx, order_id)
  const cash = (await lockCashAccounts(tx, [user_id])).get(user_id)!
  if (isDecided) await lockOrder(tx, order_id)
  const accounts = {
    cash: cash.account_id,
    held: (await findHeldAccountIds(tx, [user_id])).get(user_id)!,
    period: await getPeriodAccountId(tx, period.period_id),
  }
  const { username, moved, due } = await findTicketMoney(tx, order_id, accounts)
  const missing = listMissing(moved, due)
  if (missing.length === 0) throw new Refusal('nothing_to_repair')
  return { order_id, user_id, username, product_code: period.product_code, moved, due, missing, accounts, cash }
}

/** The entries that lead from what was moved to what should have been, each of a kind that tickets have. */
function listMissing(moved: TicketMoney, due: TicketMoney): MissingEntry[] {
  const stake = due.stake_satang - moved.stake_satang
  const held = due.held_satang - moved.held_satang
  const win = due.win_satang - moved.win_satang
  const toHeld = Math.max(held, 0)
  // What is held too much goes back as far as too much was taken; the rest was never paid to the period.
  const released = Math.min(Math.max(-held, 0), Math.max(-stake, 0))
  const paid = Math.max(-held, 0) - released
  const taken = stake - toHeld + released
  const entries: MissingEntry[] = [
    { kind: 'bet_hold', from: 'cash', to: 'held', amount_satang: toHeld },
    { kind: 'bet_release', from: 'held', to: 'cash', amount_satang: released },
    { kind: 'bet', from: 'held', to: 'period', amount_satang: paid },
    { kind: 'bet', from: 'cash', to: 'period', amount_satang: taken },
    { kind: 'refund', from: 'period', to: 'cash', amount_satang: -taken },
    { kind: 'win', from: 'period', to: 'cash', amount_satang: win },
    { kind: 'reversal', from: 'cash', to: 'period', amount_satang: -win },
  ]
  return entries.filter(({ amount_satang }) => amount_satang > 0)
}

/**
 * Whether the entries take so much that the cash ends below its floor. The database also permits the overdraft of a correction, which
 * stays as it was until the next run of settlement, although the member has received money since.
 */
function endsBelowFloor({ balance_satang, floor_satang }: CashAccount, entries: readonly MissingEntry[]): boolean {
  const sumOf = (side: 'from' | 'to') =>
    entries.reduce((sum, entry) => sum + (entry[side] === 'cash' ? entry.amount_satang : 0), 0)
  const change = sumOf('to') - sumOf('from')
  return change < 0 && balance_satang + change < floor_satang
}

/**
 * Writes what a ticket lacks.
 * @throws Refusal as `planRepair`, and repair_over_credit (it would take more from the member than its credit limit allows)
 */
export async function repairTicket(tx: Tx, actor_id: number, order_id: number, reason: string): Promise<void> {
  const { user_id, moved, due, missing, accounts, cash } = await planRepair(tx, order_id)
  if (endsBelowFloor(cash, missing)) throw new Refusal('repair_over_credit')
  const name = await nameRepair(tx, order_id)
  const entries = missing.map(({ kind, from, to, amount_satang }) => ({
    ...{ kind, order_id, actor_id, amount_satang, idempotency_key: name && `${name}:${kind}:${from}` },
    from_account_id: accounts[from],
    to_account_id: accounts[to],
  }))
  try {
    // The database refuses held money below 0.
    await postEntries(tx, entries)
  } catch (error) {
    throw violatedConstraint(error) === 'credit_never_overspent' ? new Refusal('repair_over_credit') : error
  }
  const subject = { subject: `order:${order_id}`, subject_user_id: user_id }
  await writeAudit(tx, { actor_id, action: 'repair_ticket', ...subject, before: moved, after: due, reason })
}
