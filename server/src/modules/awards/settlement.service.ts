// Settlement: every winning item of a period is paid exactly once. It touches winners only; to lose is what is left.
// It goes in steps of some hundred tickets, in order of their numbers. Each step pays, and notes how far it came, in one
// transaction, so that it can be stopped anywhere and goes on where it was. A corrected result is settled in a further
// round, which touches only tickets for which something changes: what each had won is taken back, and what it has won now
// is paid.

import { type Bottom3Set, type DrawResult, listWinningBets, winSatang } from '@megalot/rules'
import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/db.ts'
import { type Entry, getPeriodAccountId, lockCashAccounts, postEntries } from '../ledger/ledger.service.ts'
import { getPeriodById, setOutcome } from '../markets/markets.service.ts'
import { expireOrdersOfPeriod } from '../orders/order-life.service.ts'
import { betKey } from '../orders/orders.service.ts'
import { findAward, listPeriodIdsToSettle } from './awards.store.ts'
import {
  findReplacedResult,
  finishSettlement,
  giveWay,
  type LineWin,
  listMatchingLines,
  listTicketsWithBets,
  lockSettlement,
  lowerOwed,
  noteProgress,
  writeWins,
} from './settlement.store.ts'

const TICKETS_PER_STEP = 500

/**
 * Settles every period whose award is agreed. Any node may call it at any time.
 * @returns how many periods it finished
 * @throws the failures together, after all other periods had their turn
 */
export async function settleDuePeriods(db: Db): Promise<number> {
  await lowerOwed(db)
  const period_ids = await listPeriodIdsToSettle(db)
  const failures: unknown[] = []
  for (const period_id of period_ids) await settlePeriod(db, period_id).catch((error: unknown) => failures.push(error))
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} periods could not be settled`)
  return period_ids.length
}

/** What one settler remembers from step to step; whoever begins in the middle finds it anew. */
interface Found {
  round: number
  change: BetChange
  /** Tickets for which something changes, in order of their numbers. */
  order_ids: readonly number[]
  /** How many of them are behind us. */
  done: number
}

/** Pays a period to its end. @param ticketsPerStep smaller steps give way to others more often */
export async function settlePeriod(db: Db, period_id: number, ticketsPerStep = TICKETS_PER_STEP): Promise<void> {
  const memory: { found?: Found } = {}
  while (!(await settleStep(db, period_id, ticketsPerStep, memory)));
}

/** Pays the next tickets. @returns whether the period is settled */
export async function settleStep(
  db: Db,
  period_id: number,
  ticketsPerStep: number,
  memory: { found?: Found } = {},
): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const { paid_up_to_order_id, isFinished, round } = await lockSettlement(tx, period_id)
    if (isFinished) return true
    if (memory.found?.round !== round) {
      // A step of its own: it holds the cash of members, and paying takes hold of that of others.
      if ((await expireOrdersOfPeriod(tx, await getPeriodById(tx, period_id))) > 0) return false
      const change = await findBetChange(tx, period_id, round)
      const order_ids = await listTicketsWithBets(tx, [...change.won, ...change.lost], paid_up_to_order_id)
      memory.found = { round, change, order_ids, done: 0 }
    }
    const { found } = memory
    // Another settler may have come further meanwhile.
    while (found.done < found.order_ids.length && found.order_ids[found.done]! <= paid_up_to_order_id) found.done += 1
    const next = found.order_ids.slice(found.done, found.done + ticketsPerStep)
    if (next.length === 0) {
      await finishSettlement(tx, period_id)
      await setOutcome(tx, period_id, 'settled')
      return true
    }
    const sums = await pay(tx, period_id, found, next)
    await noteProgress(tx, period_id, { paid_up_to_order_id: next.at(-1)!, ...sums })
    return false
  })
}

/** Bets that win now and have not been paid for, and bets that have been and do not win any more; as `betKey`s. */
interface BetChange {
  won: ReadonlySet<number>
  lost: ReadonlySet<number>
}

async function findBetChange(tx: Tx, period_id: number, round: number): Promise<BetChange> {
  const award = await findAward(tx, period_id)
  if (award?.state !== 'agreed') throw new Error(`Period ${period_id} is to be settled without an agreed award`)
  const { rows } = await sql<{ bottom3_set: Bottom3Set }>`
    select bottom3_set from periods where period_id = ${period_id}`.execute(tx)
  const keysOf = (result: DrawResult): Set<number> =>
    new Set(
      listWinningBets(result, rows[0]!.bottom3_set).map(({ bet_type, number }) => betKey(period_id, bet_type, number)),
    )
  const now = keysOf(award.result)
  if (round === 0) return { won: now, lost: new Set() }
  const replaced = await findReplacedResult(tx, period_id, round)
  if (!replaced) throw new Error(`Period ${period_id} is to be settled again without an agreed correction`)
  const before = keysOf(replaced)
  return { won: without(now, before), lost: without(before, now) }
}

function without(some: ReadonlySet<number>, others: ReadonlySet<number>): Set<number> {
  return new Set([...some].filter((key) => !others.has(key)))
}

interface TicketChange {
  order_id: number
  user_id: number
  before_satang: number
  now_satang: number
}

interface PaidSums {
  orders: number
  paid_satang: number
  taken_back_satang: number
}

async function pay(tx: Tx, period_id: number, found: Found, order_ids: readonly number[]): Promise<PaidSums> {
  const { round, change } = found
  const lines = await listMatchingLines(tx, order_ids, [...change.won, ...change.lost])
  const wins = lines
    .map((line): LineWin => {
      const sign = change.won.has(line.bet_key) ? 1 : -1
      return { ...line, sign, win_satang: sign * winSatang(line.received_satang, line.rate) }
    })
    .filter((win) => win.win_satang !== 0)
  const tickets = listTicketChanges(wins)
  const accounts = await lockCashAccounts(tx, [...new Set(tickets.map((ticket) => ticket.user_id))])
  const cashOf = (user_id: number): number => accounts.get(user_id)!.account_id
  const period_account_id = await getPeriodAccountId(tx, period_id)
  await writeWins(tx, period_id, round, wins)
  if (round > 0) {
    const takings = new Map<number, number>()
    for (const { user_id, before_satang, now_satang } of tickets)
      takings.set(user_id, (takings.get(user_id) ?? 0) + before_satang - now_satang)
    await giveWay(
      tx,
      period_id,
      [...takings].map(([user_id, amount_satang]) => ({ account_id: cashOf(user_id), amount_satang })),
    )
  }
  await postEntries(
    tx,
    tickets.flatMap((ticket) => listEntries(period_id, round, ticket, cashOf(ticket.user_id), period_account_id)),
  )
  return {
    orders: tickets.length,
    paid_satang: tickets.reduce((sum, ticket) => sum + ticket.now_satang, 0),
    taken_back_satang: tickets.reduce((sum, ticket) => sum + ticket.before_satang, 0),
  }
}

function listTicketChanges(wins: readonly LineWin[]): TicketChange[] {
  const tickets = new Map<number, TicketChange>()
  for (const { order_id, user_id, ticket_win_satang, win_satang } of wins) {
    const ticket = tickets.get(order_id) ?? {
      order_id,
      user_id,
      before_satang: ticket_win_satang,
      now_satang: ticket_win_satang,
    }
    ticket.now_satang += win_satang
    tickets.set(order_id, ticket)
  }
  return [...tickets.values()]
}

/** A reversal of the whole win that stood, then the whole win that stands now. Each happens once, by its name. */
function listEntries(
  period_id: number,
  round: number,
  { order_id, before_satang, now_satang }: TicketChange,
  cash_id: number,
  period_account_id: number,
): Entry[] {
  const name = (kind: string) => `${kind}:${period_id}:${order_id}${round === 0 ? '' : `:${round}`}`
  const entry = { order_id, actor_id: null }
  const entries: Entry[] = []
  if (before_satang > 0)
    entries.push({
      ...entry,
      kind: 'reversal',
      once_key: name('reversal'),
      from_account_id: cash_id,
      to_account_id: period_account_id,
      amount_satang: before_satang,
    })
  if (now_satang > 0)
    entries.push({
      ...entry,
      kind: 'win',
      once_key: name('win'),
      from_account_id: period_account_id,
      to_account_id: cash_id,
      amount_satang: now_satang,
    })
  return entries
}
