// Many tickets of one period in one transaction that reads what it must know. It locks what it touches in sorted order, gives
// each ticket the result it would have had alone in order of arrival, and commits once. Any node may run it at any time: what
// keeps it right are the database's locks and constraints, never memory.

import { CallerUnsure } from '../../platform/caller.ts'
import { breaksConstraint, type Db, type Tx } from '../../platform/db.ts'
import { transactTogether } from '../../platform/transact-together.ts'
import { Refusal } from '../../platform/refusal.ts'
import { lockCashAccounts } from '../ledger/ledger.service.ts'
import { listOfferedRates, type OfferedRates, type PackageTerms, sharePeriod } from '../markets/markets.service.ts'
import { loadPlayStates } from '../play-limits/play-limits.service.ts'
import {
  type BetOn,
  holdQuotas,
  type KnownQuotas,
  makeAndHoldQuotas,
  type ReadQuotas,
} from '../quotas/quota-counts.service.ts'
import { listOpenSessions } from '../sessions/sessions.service.ts'
import type { BatchMemory, Lesson } from './batch-memory.ts'
import { reserveFor } from './order-numbers.ts'
import {
  couldPassNumberLimit,
  decideTicket,
  hasOtherRate,
  INVALID,
  type MemberState,
  takeIntoAccount,
  type Ticket,
} from './orders.decide.ts'
import {
  findBettingPeriod,
  findStandingTickets,
  listMembers,
  nameOf,
  type PeriodNow,
  type StandingTicket,
  sumStakes,
} from './batch.store.ts'
import { type Placed, type PlacedBatch, type PlacedNow, writeBatch } from './orders.write.ts'

/** The ticket's number, or why there is none. */
export type Outcome = Placed | { refusal: Refusal | CallerUnsure }

/** How a batch reads before it decides. */
interface Reading {
  readQuotas: ReadQuotas
  /** Whether a ticket may stand already, so that it has to be looked for. */
  mayStand: (ticket: Ticket) => boolean
}

/**
 * Decides and writes a batch of tickets that all name the same period; outcomes come in the order of the tickets.
 * When it returns, the commit is durable. Statements that do not need each other's answers go out together: under load the
 * way to the database and back is what a batch would wait for most.
 *
 * It begins with what is nearly always enough: quotas are only seen, so that batches of a period need not wait for one
 * another, and tickets that nobody has sent before are not looked for. The database refuses where that was not enough, and the
 * batch is decided once more with its quotas held, or with every ticket looked for.
 * @param memory keeps what was read
 * @throws whatever the database says; then nothing of the batch was written
 */
export function placeBatch(
  db: Db,
  memory: BatchMemory,
  period_code: string,
  tickets: readonly Ticket[],
): Promise<Outcome[]> {
  const reading: Reading = { readQuotas: memory.quotas.read, mayStand: (ticket) => !ticket.isNew }
  return tryCloser(db, memory, reading, period_code, tickets)
}

async function tryCloser(
  db: Db,
  memory: BatchMemory,
  reading: Reading,
  period_code: string,
  tickets: readonly Ticket[],
): Promise<Outcome[]> {
  try {
    return await tryBatch(db, memory, reading, period_code, tickets)
  } catch (error) {
    const closer = lookCloser(reading, error)
    if (!closer) throw error
    return tryCloser(db, memory, closer, period_code, tickets)
  }
}

const always = (): boolean => true

/** What must be read after that refusal; undefined where it was read already. */
function lookCloser(reading: Reading, error: unknown): Reading | undefined {
  // Others were given what we had seen free.
  if (breaksConstraint(error, 'quota_still_full') || breaksConstraint(error, 'quota_never_oversold'))
    return reading.readQuotas === makeAndHoldQuotas ? undefined : { ...reading, readQuotas: makeAndHoldQuotas }
  // A ticket stands that nobody remembered.
  if (breaksConstraint(error, 'orders_user_id_request_id_key'))
    return reading.mayStand === always ? undefined : { ...reading, mayStand: always }
  return undefined
}

async function tryBatch(
  db: Db,
  memory: BatchMemory,
  reading: Reading,
  period_code: string,
  tickets: readonly Ticket[],
): Promise<Outcome[]> {
  const user_ids = [...new Set(tickets.map((ticket) => ticket.user_id))]
  const done = await transactTogether(db, async (tx, commit) => {
    // The period first, shared: an early close or an award waits for us, or we see it done. Then the members: a second try
    // of a ticket waits here for the first to commit. The server comes to what is read after these locks once it has them.
    const [, accounts, known] = await Promise.all([
      sharePeriod(tx, period_code),
      lockCashAccounts(tx, user_ids),
      loadAround(tx, period_code, user_ids, tickets, reading),
    ])
    if (!known) return undefined
    const { period } = known
    const batch: PlacedBatch = { close_at: period.close_at, placed_at: period.now, text: '' }
    const decide = async () => {
      const [members, offered] = await Promise.all([
        gatherMembers(tx, known, accounts, tickets),
        findOfferedRates(tx, known, tickets),
      ])
      return { members, ...decideAll(tickets, known, members, offered, batch) }
    }
    let decided = await decide()
    if (known.quotas.mustBeHeld) {
      known.quotas = await holdQuotas(tx, period_code, betsOf(tickets))
      decided = await decide()
    }
    const { outcomes, accepted, members } = decided
    await recallRefused(tx, tickets, known, outcomes)
    if (accepted.length > 0) {
      const { quotas } = known
      Object.assign(batch, await writeBatch(tx, commit, { period, members, quotas, accepted, came_at: period.now }))
    }
    return { period, packages: known.packages, members, outcomes }
  })
  if (!done) return tickets.map(refuseUnknownPeriod)
  teach(memory, tickets, done)
  return done.outcomes
}

interface Done extends Pick<Lesson, 'packages' | 'members'> {
  period: PeriodNow
  outcomes: readonly Outcome[]
}

function teach(memory: BatchMemory, tickets: readonly Ticket[], done: Done): void {
  const { period, packages, members, outcomes } = done
  const placed_ids = new Set(members.keys())
  let highest = 0
  for (const [index, { user_id }] of tickets.entries()) {
    const outcome = outcomes[index]!
    if ('fresh' in outcome) highest = outcome.order_id
    else placed_ids.delete(user_id)
  }
  memory.learn({ period, packages, members, placed_ids })
  memory.numbers.pass(highest)
  memory.numbers.add(period.order_ids.slice(tickets.length))
}

function* betsOf(tickets: readonly Ticket[]): Generator<BetOn> {
  for (const { items } of tickets) yield* items
}

interface Known {
  period: PeriodNow
  /** Those of the period's market, by code. */
  packages: Map<string, PackageTerms>
  records: Awaited<ReturnType<typeof listMembers>>
  /** Tickets that were looked for, and those of them that stand. */
  soughtTickets: Set<Ticket>
  placed: Map<string, StandingTicket>
  openSessions: Set<number>
  quotas: KnownQuotas
}

/** Everything a batch must know besides the members' accounts. Undefined where there is no such period. */
async function loadAround(
  tx: Tx,
  period_code: string,
  user_ids: readonly number[],
  tickets: readonly Ticket[],
  { readQuotas, mayStand }: Reading,
): Promise<Known | undefined> {
  const soughtTickets = new Set(tickets.filter(mayStand))
  const [period, records, placed, openSessions, quotas] = await Promise.all([
    // More numbers than tickets: those who go by memory after us need some.
    findBettingPeriod(tx, period_code, tickets.length + reserveFor(tickets.length)),
    listMembers(tx, period_code, user_ids),
    findStandingTickets(tx, [...soughtTickets]),
    findOpenSessions(tx, tickets),
    readQuotas(tx, period_code, betsOf(tickets)),
  ])
  if (!period) return undefined
  const packages = new Map(period.packages.map((each) => [each.package_code, each]))
  return { period, packages, records, soughtTickets, placed, openSessions, quotas }
}

async function findOpenSessions(tx: Tx, tickets: readonly Ticket[]): Promise<Set<number>> {
  const recalled = tickets.flatMap(({ recalled_session_id }) => recalled_session_id ?? [])
  return recalled.length === 0 ? new Set() : listOpenSessions(tx, recalled)
}

/** What packages have offered in the period; asked only where a ticket names a rate that is not in force. */
function findOfferedRates(tx: Tx, { period, packages }: Known, tickets: readonly Ticket[]): Promise<OfferedRates> {
  const package_ids = new Set<number>()
  for (const ticket of tickets) {
    const named = packages.get(ticket.package_code)
    if (named && hasOtherRate(ticket, named)) package_ids.add(named.package_id)
  }
  return listOfferedRates(tx, [...package_ids], period.open_at)
}

function refuseUnknownPeriod({ recalled_session_id }: Ticket): Outcome {
  return { refusal: recalled_session_id === undefined ? new Refusal('unknown_period', INVALID) : new CallerUnsure() }
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
  const membersOf = new Map<number, MemberState>()
  for (const { user_id, ...record } of records) {
    const account = accounts.get(user_id)!
    membersOf.set(user_id, {
      ...record,
      cash_account_id: account.account_id,
      owes: account.owed_satang > 0,
      credit_remain_satang: account.balance_satang - account.floor_satang,
      play: undefined,
      already_bet: null,
    })
  }
  const near = records.filter(({ user_id, received_satang }) =>
    couldPassNumberLimit(ticketsOf.get(user_id)!, packages, received_satang),
  )
  const near_ids = near.map(({ user_id }) => user_id)
  const limited_ids = records.filter((each) => each.has_play_limits).map(({ user_id }) => user_id)
  const [stakes, play] = await Promise.all([sumStakes(tx, period.period_id, near_ids), loadPlayStates(tx, limited_ids)])
  for (const user_id of near_ids) membersOf.get(user_id)!.already_bet = stakes.get(user_id) ?? {}
  for (const user_id of limited_ids) membersOf.get(user_id)!.play = play.get(user_id)
  return membersOf
}

/** Gives each ticket the result it would have had alone, in order of arrival. */
function decideAll(
  tickets: readonly Ticket[],
  { period, packages, placed, openSessions, quotas }: Known,
  members: ReadonlyMap<number, MemberState>,
  offered: OfferedRates,
  batch: PlacedBatch,
): { outcomes: Outcome[]; accepted: PlacedNow[] } {
  const accepted: PlacedNow[] = []
  const standing = new Map(placed)
  const outcomes = tickets.map((ticket, index): Outcome => {
    const { recalled_session_id } = ticket
    const member = members.get(ticket.user_id)!
    const isUnsure =
      recalled_session_id !== undefined && (!openSessions.has(recalled_session_id) || member.status === 'SUSPENDED')
    if (isUnsure) return { refusal: new CallerUnsure() }
    const name = nameOf(ticket)
    const earlier = standing.get(name)
    if (earlier) return answerAgain(earlier, ticket)
    try {
      if (!period.is_enabled) throw new Refusal('product_disabled', INVALID)
      if (period.maintenance) throw new Refusal('maintenance', { ...period.maintenance })
      const decision = decideTicket(ticket, period, packages, member, quotas, offered)
      const order_id = period.order_ids[index]!
      takeIntoAccount(decision, member, quotas)
      const now: PlacedNow = { ...decision, order_id, batch }
      accepted.push(now)
      standing.set(name, { order_id, content_hash: ticket.content_hash })
      return { order_id, fresh: now }
    } catch (error) {
      if (error instanceof Refusal) return { refusal: error }
      throw error
    }
  })
  return { outcomes, accepted }
}

/**
 * A ticket that stands may be refused now, if only because of what it has used up itself: before anything is refused that was
 * not looked for, it is looked for after all.
 */
async function recallRefused(
  tx: Tx,
  tickets: readonly Ticket[],
  { soughtTickets }: Known,
  outcomes: Outcome[],
): Promise<void> {
  const unsought = [...tickets.entries()].filter(([index, ticket]) => {
    const outcome = outcomes[index]!
    return 'refusal' in outcome && outcome.refusal instanceof Refusal && !soughtTickets.has(ticket)
  })
  if (unsought.length === 0) return
  const standing = await findStandingTickets(
    tx,
    unsought.map(([, ticket]) => ticket),
  )
  for (const [index, ticket] of unsought) {
    const earlier = standing.get(nameOf(ticket))
    if (earlier) outcomes[index] = answerAgain(earlier, ticket)
  }
}

/** The same request_id: the same ticket if the content is the same, refused if it is not. */
function answerAgain(earlier: StandingTicket, ticket: Ticket): Outcome {
  if (earlier.content_hash.equals(ticket.content_hash)) return { order_id: earlier.order_id }
  return { refusal: new Refusal('request_id_reused') }
}
