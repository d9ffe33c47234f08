// Many tickets of one period in one transaction. It locks what it touches in sorted order, gives each ticket the result
// it would have had alone in order of arrival, and commits once. Any node may run it at any time: what keeps it right are
// the database's locks and constraints, never memory.

import type { Period } from '@megalot/contract'
import { type Db, readClock, transactTogether, type Tx } from '../../platform/db.ts'
import { Refusal } from '../../platform/refusal.ts'
import { findPeriodAccountId, lockCashAccounts, postEntries } from '../ledger/ledger.service.ts'
import {
  findOffer,
  findPeriod,
  loadPackagesOfPeriod,
  type PackageTerms,
  type PeriodRecord,
  sharePeriod,
  toPeriod,
} from '../markets/markets.service.ts'
import { loadPlayStates } from '../play-limits/play-limits.service.ts'
import { type HeldQuotas, holdQuotas } from '../quotas/quotas.service.ts'
import { couldPassNumberLimit, decideTicket, type MemberState, type Ticket } from './orders.decide.ts'
import {
  findPlacedTickets,
  insertOrders,
  listMembers,
  nameOf,
  type NumberedTicket,
  type PlacedTicket,
  sumStakes,
  takeOrderIds,
} from './orders.store.ts'

/** The ticket's number, or why there is none. */
export type Outcome = Placed | { refusal: Refusal }

export interface Placed {
  order_id: number
  /** The ticket itself where it was written now; absent where it had stood already. */
  fresh?: PlacedNow
}

/** A ticket that has just been written. */
export interface PlacedNow extends NumberedTicket {
  batch: PlacedBatch
}

/** What the tickets of a batch have in common, as replies show it. */
export interface PlacedBatch {
  period: Period
  close_at: Date
  placed_at: Date
  /** The same instant as text, and that of the batch's beginning. */
  placed: string
  created: string
}

/**
 * Decides and writes a batch of tickets that all name the same period; outcomes come in the order of the tickets.
 * When it returns, the commit is durable. Statements that do not need each other's answers go out together: under load the
 * way to the database and back is what a batch would wait for most.
 * @throws whatever the database says; then nothing of the batch was written
 */
export async function placeBatch(db: Db, period_code: string, tickets: readonly Ticket[]): Promise<Outcome[]> {
  const user_ids = [...new Set(tickets.map((ticket) => ticket.user_id))]
  return transactTogether(db, async (tx, commit) => {
    // The period first, shared: an early close or an award waits for us, or we see it done. Then the members: a second try
    // of a ticket waits here for the first to commit. What depends on these locks is read after them.
    const [, accounts] = await Promise.all([sharePeriod(tx, period_code), lockCashAccounts(tx, user_ids)])
    const known = await loadAround(tx, period_code, user_ids, tickets)
    if (!known) return tickets.map(() => ({ refusal: new Refusal('unknown_period') }))
    const members = await gatherMembers(tx, known, accounts, tickets)
    const { close_at } = known.period
    const created = known.created_at.toISOString()
    const batch = { period: toPeriod(known.period), close_at, placed_at: known.created_at, placed: created, created }
    const { outcomes, accepted } = decideAll(tickets, known, members, batch)
    if (accepted.length > 0) {
      const placed_at = await write(tx, known, accepted, members, commit)
      Object.assign(batch, { placed_at, placed: placed_at.toISOString() })
    }
    return outcomes
  })
}

interface Known {
  period: PeriodRecord
  offer: NonNullable<Awaited<ReturnType<typeof findOffer>>>
  packages: Map<string, PackageTerms>
  created_at: Date
  records: Awaited<ReturnType<typeof listMembers>>
  placed: Map<string, PlacedTicket>
  order_ids: number[]
  quotas: HeldQuotas
  period_account_id: number
}

/** Everything a batch must know besides the members' accounts. Undefined where there is no such period. */
async function loadAround(
  tx: Tx,
  period_code: string,
  user_ids: readonly number[],
  tickets: readonly Ticket[],
): Promise<Known | undefined> {
  const bets = tickets.flatMap((ticket) => ticket.items)
  const [period, offer, packages, created_at, records, placed, order_ids, period_account_id, quotas] =
    await Promise.all([
      findPeriod(tx, period_code),
      findOffer(tx, period_code),
      loadPackagesOfPeriod(tx, period_code),
      readClock(tx),
      listMembers(tx, period_code, user_ids, [...new Set(tickets.map((ticket) => ticket.package_code))]),
      findPlacedTickets(tx, tickets),
      takeOrderIds(tx, tickets.length),
      findPeriodAccountId(tx, period_code),
      holdQuotas(tx, period_code, bets),
    ])
  if (!period || !offer || period_account_id === undefined) return undefined
  return { period, offer, packages, created_at, records, placed, order_ids, period_account_id, quotas }
}

async function gatherMembers(
  tx: Tx,
  { period, packages, records }: Known,
  accounts: Awaited<ReturnType<typeof lockCashAccounts>>,
  tickets: readonly Ticket[],
): Promise<Map<number, MemberState>> {
  const ticketsOf = new Map<number, Ticket[]>()
  for (const ticket of tickets) {
    const own = ticketsOf.get(ticket.user_id)
    if (own) own.push(ticket)
    else ticketsOf.set(ticket.user_id, [ticket])
  }
  const near = records.filter(({ user_id, received_satang }) =>
    couldPassNumberLimit(ticketsOf.get(user_id)!, packages, received_satang),
  )
  const isNear = new Set(near.map(({ user_id }) => user_id))
  const limited = records.filter(({ has_play_limits }) => has_play_limits).map(({ user_id }) => user_id)
  const [stakes, play] = await Promise.all([sumStakes(tx, period.period_id, [...isNear]), loadPlayStates(tx, limited)])
  return new Map(
    records.map(({ user_id, status, package_ids }) => {
      const account = accounts.get(user_id)!
      const given = [...packages].filter(([, { package_id }]) => package_ids.includes(package_id))
      const state: MemberState = {
        status,
        cash_account_id: account.account_id,
        held_account_id: account.held_account_id,
        credit_remain_satang: account.balance_satang - (account.floor_satang ?? 0),
        packages: new Map(given),
        play: play.get(user_id),
        already_bet: isNear.has(user_id) ? (stakes.get(user_id) ?? {}) : null,
      }
      return [user_id, state]
    }),
  )
}

/** Gives each ticket the result it would have had alone, in order of arrival. */
function decideAll(
  tickets: readonly Ticket[],
  { period, offer, placed, order_ids, quotas }: Known,
  members: ReadonlyMap<number, MemberState>,
  batch: PlacedBatch,
): { outcomes: Outcome[]; accepted: PlacedNow[] } {
  const accepted: PlacedNow[] = []
  const outcomes = tickets.map((ticket, index): Outcome => {
    const name = nameOf(ticket)
    const earlier = placed.get(name)
    if (earlier) return answerAgain(earlier, ticket)
    try {
      if (!offer.is_enabled) throw new Refusal('product_disabled')
      if (offer.maintenance) throw new Refusal('maintenance', { ...offer.maintenance })
      const decision = decideTicket(ticket, period, offer.bet_types, members.get(ticket.user_id)!, quotas)
      const order_id = order_ids[index]!
      const now: PlacedNow = { ...decision, order_id, batch }
      accepted.push(now)
      placed.set(name, { order_id, content_hash: ticket.content_hash })
      return { order_id, fresh: now }
    } catch (error) {
      if (error instanceof Refusal) return { refusal: error }
      throw error
    }
  })
  return { outcomes, accepted }
}

/** The same request_id: the same ticket if the content is the same, refused if it is not. */
function answerAgain(earlier: PlacedTicket, ticket: Ticket): Outcome {
  if (earlier.content_hash.equals(ticket.content_hash)) return { order_id: earlier.order_id }
  return { refusal: new Refusal('request_id_reused') }
}

/** @returns the instant at which the tickets were placed */
async function write(
  tx: Tx,
  { period, created_at, quotas, period_account_id }: Known,
  accepted: readonly NumberedTicket[],
  members: ReadonlyMap<number, MemberState>,
  commit: () => Promise<void>,
): Promise<Date> {
  const charged = accepted.filter(({ total }) => total.net_satang > 0)
  const entries = charged.map(({ order_id, ticket, status, total }) => {
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
  })
  const [placed_at] = await Promise.all([
    insertOrders(tx, period, created_at, accepted),
    quotas.save(),
    postEntries(tx, entries),
    commit(),
  ])
  return placed_at
}
