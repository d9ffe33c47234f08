// A batch that goes by memory: it is decided by what this node has read before, and goes to the database as one, with the
// proofs of all that it took for granted, under the same locks as a batch that reads. It is for what is nearly always so: a
// member in good standing, far from every limit, bets on open numbers, and is given all of it. Everything else, and whatever
// the database does not find as it was remembered, is left to a batch that reads.

import { breaksConstraint, type Db, isRefusedByDatabase } from '../../platform/db.ts'
import { transactTogether } from '../../platform/transact-together.ts'
import { Refusal } from '../../platform/refusal.ts'
import { holdCashAccounts } from '../ledger/ledger.service.ts'
import { sharePeriod } from '../markets/markets.service.ts'
import type { RecalledQuotas } from '../quotas/quota-memory.service.ts'
import type { BatchMemory, RememberedPeriod } from './batch-memory.ts'
import type { OrderNumbers } from './order-numbers.ts'
import { type AcceptedTicket, decideTicket, type MemberState, takeIntoAccount, type Ticket } from './orders.decide.ts'
import { type NumberedTicket, proveTakenForGranted } from './batch.store.ts'
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
  if (!known || !quotas) return new Map()
  const accepted = decideByMemory(tickets, memory.numbers, known, quotas)
  if (accepted.length === 0) return new Map()
  try {
    const placed = await writeProved(db, memory.numbers, known, quotas, accepted)
    return new Map(placed.map((fresh) => [fresh.ticket, { order_id: fresh.order_id, fresh }]))
  } catch (error) {
    // What was taken into account has not come about.
    for (const { ticket } of accepted) known.members.delete(ticket.user_id)
    if (!isRefusedByDatabase(error)) throw error
    if (breaksConstraint(error, 'quota_still_full') || breaksConstraint(error, 'quota_never_oversold'))
      memory.quotas.forget(period_code)
    if (breaksConstraint(error, 'orders_user_id_request_id_key'))
      for (const { ticket } of accepted) ticket.isNew = false
    return new Map()
  }
}

/** Those tickets that can be accepted by memory, in order of arrival; they are taken into account in it. */
function decideByMemory(
  tickets: readonly Ticket[],
  numbers: OrderNumbers,
  known: RememberedPeriod,
  quotas: RecalledQuotas,
): NumberedTicket[] {
  const { period, packages, members } = known
  const accepted: NumberedTicket[] = []
  // What comes after a ticket that is left must not overtake it.
  const left = new Set<number>()
  for (const ticket of tickets) {
    const { user_id } = ticket
    const member = members.get(user_id)
    const isTrusted = !left.has(user_id) && isPlain(ticket, member, known, quotas)
    const decision = isTrusted ? tryToAccept(() => decideTicket(ticket, period, packages, member!, quotas)) : undefined
    if (!decision || !isTakenWhole(decision)) {
      left.add(user_id)
      continue
    }
    const order_id = numbers.take()
    if (order_id === undefined) break
    takeIntoAccount(decision, member!, quotas)
    accepted.push({ ...decision, order_id })
  }
  return accepted
}

/** Whether a ticket is one of those that memory is for. */
function isPlain(
  { isNew, items }: Ticket,
  member: MemberState | undefined,
  { least_per_number_satang }: RememberedPeriod,
  quotas: RecalledQuotas,
): boolean {
  if (!isNew || member?.status !== 'NORMAL' || member.has_play_limits || member.owes) return false
  let received_satang = member.received_satang
  for (const { bet_satang } of items) received_satang += bet_satang
  return received_satang <= least_per_number_satang && quotas.arePlain(items)
}

function isTakenWhole({ status, lines }: AcceptedTicket): boolean {
  return status === 'CONFIRMED' && lines.every((line) => line.received_satang === line.bet_satang && !line.is_half_pay)
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

async function writeProved(
  db: Db,
  numbers: OrderNumbers,
  { period, members, least_per_number_satang }: RememberedPeriod,
  quotas: RecalledQuotas,
  accepted: readonly NumberedTicket[],
): Promise<PlacedNow[]> {
  // By name: while we are on our way, memory may let go of some of them.
  const involved = new Map(accepted.map(({ ticket: { user_id } }) => [user_id, members.get(user_id)!]))
  const granted = {
    period,
    rulesHold: quotas.rulesHold,
    tickets: accepted.map(({ ticket, package_id }) => ({ user_id: ticket.user_id, package_id })),
    session_ids: accepted.flatMap(({ ticket }) => ticket.recalled_session_id ?? []),
    most_received_satang: least_per_number_satang,
  }
  // In the order in which a batch that reads does it: the locks, what is looked at under them, what is written.
  const [, , next_ids, , batch] = await transactTogether(db, (tx, commit) =>
    Promise.all([
      sharePeriod(tx, period.period_code),
      holdCashAccounts(tx, [...involved.keys()]),
      proveTakenForGranted(tx, granted, numbers.lacking(accepted.length)),
      quotas.refresh(tx),
      writeBatch(tx, commit, { period, members: involved, quotas, accepted }),
    ]),
  )
  numbers.add(next_ids)
  return accepted.map((each) => ({ ...each, batch }))
}
