// Many tickets of one period in one transaction. It locks what it touches in sorted order, gives each ticket the result
// it would have had alone in order of arrival, and commits once. Any node may run it at any time: what keeps it right are
// the database's locks and constraints, never memory.

import { type Db, readClock, type Tx } from '../../platform/db.ts'
import { Refusal } from '../../platform/refusal.ts'
import { getPeriodAccountId, lockCashAccounts, postEntries } from '../ledger/ledger.service.ts'
import { findSharedPeriod, getProduct, loadPackages, type PeriodRecord } from '../markets/markets.service.ts'
import { holdQuotas } from '../quotas/quotas.service.ts'
import { type AcceptedTicket, decideTicket, type MemberState, type Ticket } from './orders.decide.ts'
import {
  findPlacedTickets,
  insertOrders,
  listStatuses,
  nameOf,
  type PlacedTicket,
  sumStakes,
  takeOrderIds,
} from './orders.store.ts'

/** The ticket's number, or why there is none. */
export type Outcome = { order_id: number } | { refusal: Refusal }

/**
 * Decides and writes a batch of tickets that all name the same period; outcomes come in the order of the tickets.
 * When it returns, the commit is durable.
 * @throws whatever the database says; then nothing of the batch was written
 */
export async function placeBatch(db: Db, period_code: string, tickets: readonly Ticket[]): Promise<Outcome[]> {
  return db.transaction().execute(async (tx) => {
    // The period first, shared: an early close or an award waits for us, or we see it done.
    const period = await findSharedPeriod(tx, period_code)
    if (!period) return tickets.map(() => ({ refusal: new Refusal('unknown_period') }))
    const created_at = await readClock(tx)
    const members = await lockMembers(tx, period, [...new Set(tickets.map((ticket) => ticket.user_id))])
    const placed = await findPlacedTickets(tx, tickets)
    const { bet_types, is_enabled } = await getProduct(tx, period.product_code)
    const order_ids = await takeOrderIds(tx, tickets.length)
    const quotas = await holdQuotas(
      tx,
      period.period_id,
      tickets.flatMap((ticket) => ticket.items),
    )

    const accepted: (AcceptedTicket & { order_id: number })[] = []
    const outcomes = tickets.map((ticket, index): Outcome => {
      const name = nameOf(ticket)
      const earlier = placed.get(name)
      if (earlier) return answerAgain(earlier, ticket)
      try {
        if (!is_enabled) throw new Refusal('product_disabled')
        const decision = decideTicket(ticket, period, bet_types, members.get(ticket.user_id)!, quotas)
        const order_id = order_ids[index]!
        accepted.push({ order_id, ...decision })
        placed.set(name, { order_id, content_hash: ticket.content_hash })
        return { order_id }
      } catch (error) {
        if (error instanceof Refusal) return { refusal: error }
        throw error
      }
    })
    if (accepted.length > 0) {
      await quotas.save()
      await write(tx, period, created_at, accepted, members)
    }
    return outcomes
  })
}

/** The same request_id: the same ticket if the content is the same, refused if it is not. */
function answerAgain(earlier: PlacedTicket, ticket: Ticket): Outcome {
  if (earlier.content_hash.equals(ticket.content_hash)) return { order_id: earlier.order_id }
  return { refusal: new Refusal('request_id_reused') }
}

async function lockMembers(
  tx: Tx,
  period: PeriodRecord,
  user_ids: readonly number[],
): Promise<Map<number, MemberState>> {
  // Locks before anything is read that depends on them: a second try of a ticket waits here for the first to commit.
  const accounts = await lockCashAccounts(tx, user_ids)
  const statuses = await listStatuses(tx, user_ids)
  const packages = await loadPackages(tx, user_ids, period.product_code)
  const stakes = await sumStakes(tx, period.period_id, user_ids)
  return new Map(
    user_ids.map((user_id) => {
      const account = accounts.get(user_id)!
      const state: MemberState = {
        status: statuses.get(user_id)!,
        cash_account_id: account.account_id,
        held_account_id: account.held_account_id,
        credit_remain_satang: account.balance_satang - (account.floor_satang ?? 0),
        packages: packages.get(user_id) ?? new Map(),
        already_bet: stakes.get(user_id) ?? {},
      }
      return [user_id, state]
    }),
  )
}

async function write(
  tx: Tx,
  period: PeriodRecord,
  created_at: Date,
  accepted: readonly (AcceptedTicket & { order_id: number })[],
  members: ReadonlyMap<number, MemberState>,
): Promise<void> {
  await insertOrders(tx, period, created_at, accepted)
  const period_account_id = await getPeriodAccountId(tx, period.period_id)
  const charged = accepted.filter(({ total }) => total.net_satang > 0)
  await postEntries(
    tx,
    charged.map(({ order_id, ticket, status, total }) => {
      const { cash_account_id, held_account_id } = members.get(ticket.user_id)!
      const isWaiting = status === 'WAIT_CONFIRM'
      return {
        kind: isWaiting ? ('bet_hold' as const) : ('bet' as const),
        order_id,
        once_key: null,
        actor_id: ticket.user_id,
        postings: [
          { account_id: cash_account_id, amount_satang: -total.net_satang },
          { account_id: isWaiting ? held_account_id : period_account_id, amount_satang: total.net_satang },
        ],
      }
    }),
  )
}
