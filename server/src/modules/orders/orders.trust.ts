// A batch that goes by memory: it is decided by what this node has read before, and goes to the database as one, with the
// proofs of all that it took for granted, under the same locks as a batch that reads. It is for what is nearly always so: a
// member in good standing, far from every limit, bets on open numbers, and is given all of it. Everything else, and whatever
// the database does not find as it was remembered, is left to a batch that reads.

import { breaksConstraint, type Db, isRefusedByDatabase, transactTogether } from '../../platform/db.ts'
import { Refusal } from '../../platform/refusal.ts'
import { holdCashAccounts } from '../ledger/ledger.service.ts'
import { sharePeriod } from '../markets/markets.service.ts'
import type { RecalledQuotas } from '../quotas/quota-counts.service.ts'
import type { BatchMemory, OrderNumbers, RememberedPeriod } from './batch-memory.ts'
import { type AcceptedTicket, decideTicket, takeIntoAccount, type Ticket } from './orders.decide.ts'
import { proveTakenForGranted } from './orders.store.ts'
import { type Placed, type PlacedNow, writeBatch } from './orders.write.ts'

/**
 * Places what can be placed by memory; when it returns, the commit is durable.
 * @returns the tickets that were placed; of the others nothing was written
 * @throws what says that the database could not answer: whether they were written is unknown then
 */
export async function placeOnTrust(
  db: Db,
  memory: BatchMemory,
  period_code: string,
  tickets: readonly Ticket[],
): Promise<Map<Ticket, Placed>> {
  const known = memory.recall(period_code)
  const quotas = memory.quotas.recall(period_code)
  if (!known || !quotas || !isOpen(known) || !memory.numbers.suffice(tickets.length)) return new Map()
  const accepted = decideByMemory(tickets, known, quotas)
  try {
    if (accepted.length === 0 || quotas.mustBeHeld) throw new Untrusted()
    const placed = await writeProved(db, memory.numbers, known, quotas, accepted)
    return new Map(placed.map((fresh) => [fresh.ticket, { order_id: fresh.order_id, fresh }]))
  } catch (error) {
    // What was taken into account has not come about.
    for (const { ticket } of accepted) known.members.delete(ticket.user_id)
    if (breaksConstraint(error, 'quota_still_full')) memory.quotas.forget(period_code)
    if (error instanceof Untrusted || isRefusedByDatabase(error)) return new Map()
    throw error
  }
}

/** It turned out that memory does not say enough. */
class Untrusted extends Error {}

function isOpen({ period }: RememberedPeriod): boolean {
  return period.is_enabled && !period.maintenance && period.status === 'open'
}

/** Those tickets that can be accepted by memory, in order of arrival; they are taken into account in it. */
function decideByMemory(tickets: readonly Ticket[], known: RememberedPeriod, quotas: RecalledQuotas): AcceptedTicket[] {
  const { period, packages, members, least_per_number_satang } = known
  const accepted: AcceptedTicket[] = []
  // What comes after a ticket that is left must not overtake it.
  const left = new Set<number>()
  for (const ticket of tickets) {
    const { user_id, isNew } = ticket
    const member = members.get(user_id)
    const isTrusted =
      isNew &&
      !left.has(user_id) &&
      member?.status === 'NORMAL' &&
      !member.has_play_limits &&
      member.received_satang + sumStakes(ticket) <= least_per_number_satang &&
      quotas.arePlain(ticket.items)
    const decision = isTrusted ? tryToAccept(() => decideTicket(ticket, period, packages, member, quotas)) : undefined
    if (decision?.status !== 'CONFIRMED') {
      left.add(user_id)
      continue
    }
    takeIntoAccount(decision, member!, quotas)
    accepted.push(decision)
  }
  return accepted
}

/** Undefined where it would be refused: only who has read may refuse. */
function tryToAccept(decide: () => AcceptedTicket): AcceptedTicket | undefined {
  try {
    return decide()
  } catch (error) {
    if (error instanceof Refusal) return undefined
    throw error
  }
}

function sumStakes({ items }: Ticket): number {
  let sum = 0
  for (const { bet_satang } of items) sum += bet_satang
  return sum
}

async function writeProved(
  db: Db,
  numbers: OrderNumbers,
  { period, members, least_per_number_satang }: RememberedPeriod,
  quotas: RecalledQuotas,
  tickets: readonly AcceptedTicket[],
): Promise<PlacedNow[]> {
  const order_ids = numbers.take(tickets.length)
  const accepted = tickets.map((each, index) => ({ ...each, order_id: order_ids[index]! }))
  const user_ids = [...new Set(tickets.map(({ ticket }) => ticket.user_id))]
  const granted = {
    period,
    rulesHold: quotas.rulesHold,
    tickets: tickets.map(({ ticket, package_id }) => ({ user_id: ticket.user_id, package_id })),
    session_ids: tickets.flatMap(({ ticket }) => ticket.recalled_session_id ?? []),
    most_received_satang: least_per_number_satang,
  }
  // In the order in which a batch that reads does it: the locks, what is looked at under them, what is written.
  const [, , next_ids, , batch] = await transactTogether(db, (tx, commit) =>
    Promise.all([
      sharePeriod(tx, period.period_code),
      holdCashAccounts(tx, user_ids),
      proveTakenForGranted(tx, granted, numbers.lacking(tickets.length)),
      quotas.refresh(tx),
      writeBatch(tx, commit, { period, members, quotas, accepted }),
    ]),
  )
  numbers.add(next_ids)
  return accepted.map((each) => ({ ...each, batch }))
}
