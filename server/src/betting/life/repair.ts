// Repairs a ticket whose entries do not add up to its cost and win. No person chooses an amount: the entries are the difference
// that the invariants compare (`ticket_costs_its_net`, `win_paid_once`, and `held_is_waiting` of a waiting ticket).

import { type EntryKind, proposalPayloads } from '@megalot/contract'
import { defineChange } from '../../changes/index.ts'
import { lockOfCash } from '../../identity/accounts/index.ts'
import { Refusal } from '../../lib/refusal.ts'
import { findPeriod, lockPeriodShared } from '../../markets/index.ts'
import {
  type CashAccount,
  findCashAccounts,
  findHeldAccountIds,
  getPeriodAccountId,
  postEntries,
} from '../ledger/index.ts'
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

/** The entries that lead from what was moved to what should have been, each of a kind that tickets have. */
function listMissing(moved: TicketMoney, due: TicketMoney): MissingEntry[] {
  const stake = due.stake_satang - moved.stake_satang
  const held = due.held_satang - moved.held_satang
  const win = due.win_satang - moved.win_satang
  const toHeld = Math.max(held, 0)
  // Excess held money is refunded as far as too much was taken; the rest was never paid to the period.
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
 * Whether the entries take so much that the cash ends below its floor. The database also permits a correction's
 * overdraft, which remains until the next run of settlement, even if the member has received money since.
 */
function endsBelowFloor({ balance_satang, floor_satang }: CashAccount, entries: readonly MissingEntry[]): boolean {
  const sumOf = (side: 'from' | 'to') =>
    entries.reduce((sum, entry) => sum + (entry[side] === 'cash' ? entry.amount_satang : 0), 0)
  const change = sumOf('to') - sumOf('from')
  return change < 0 && balance_satang + change < floor_satang
}

/**
 * Writes the missing entries of a ticket. Two people do it.
 * @throws Refusal not_found, nothing_to_repair, repair_over_credit (the member's credit limit does not allow it)
 */
export const repairTicket = defineChange({
  name: 'repair_ticket',
  needs: 'tickets.do',
  input: proposalPayloads.repair_ticket,
  async find(db, { order_id }) {
    const owner = await findOrderOwner(db, order_id)
    if (!owner) throw new Refusal('not_found')
    return owner
  },
  locks: (_input, { period_code }) => [
    { rank: 'periods', key: period_code, take: (tx) => lockPeriodShared(tx, period_code) },
  ],
  async load({ tx, locks }, { order_id }, { user_id, period_code }) {
    const { period_id, product_code, outcome } = (await findPeriod(tx, period_code))!
    // Settlement locks cash before tickets. It may be blocked by this very ticket, so a decided period is repaired as well.
    const rank = outcome === 'pending' ? 'ticket' : 'settledTicket'
    await locks.take({ rank, key: String(order_id), take: () => lockOrder(tx, order_id) }, lockOfCash([user_id]))
    const cash = (await findCashAccounts(tx, [user_id])).get(user_id)!
    const accounts: Readonly<Record<Side, number>> = {
      cash: cash.account_id,
      held: (await findHeldAccountIds(tx, [user_id])).get(user_id)!,
      period: await getPeriodAccountId(tx, period_id),
    }
    return { user_id, product_code, cash, accounts, ...(await findTicketMoney(tx, order_id, accounts)) }
  },
  decide({ user_id, username, product_code, cash, accounts, moved, due }, { order_id }) {
    const entries = listMissing(moved, due)
    if (entries.length === 0) throw new Refusal('nothing_to_repair')
    if (endsBelowFloor(cash, entries)) throw new Refusal('repair_over_credit')
    return {
      plan: { order_id, accounts, entries },
      rows: [{ subject: `order:${order_id}`, subject_user_id: user_id, before: moved, after: due }],
      needsTwo: {},
      proposal: {
        product_code,
        // The due amounts are part of both, because other entries are missing if they have changed since.
        before: { ...moved, due },
        after: { ...due, due },
        figures: { username, entries },
      },
    }
  },
  async write({ tx }, { order_id, accounts, entries }, { caller: { actor_id } }) {
    const name = await nameRepair(tx, order_id)
    // The database refuses held money below 0.
    await postEntries(
      tx,
      entries.map(({ kind, from, to, amount_satang }) => ({
        ...{ kind, order_id, actor_id, amount_satang, idempotency_key: name && `${name}:${kind}:${from}` },
        from_account_id: accounts[from],
        to_account_id: accounts[to],
      })),
    )
  },
  refusals: { credit_never_overspent: 'repair_over_credit' },
})
