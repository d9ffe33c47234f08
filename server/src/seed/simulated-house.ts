// The state of the house during the simulation: members' balances, amounts accepted on each number, and every ticket
// with its events. It uses the application's own rules (`@megalot/rules`); the demo's test compares the outcome with
// the application's services.

import {
  acceptTicket,
  type BetTypeCode,
  betOfSlot,
  type BetTypeTerms,
  computeLineMoney,
  type DrawResult,
  listWinningBets,
  needsConfirm,
  type NumberQuota,
  quotaSlot,
  slotOf,
  winSatang,
} from '@megalot/rules'
import type { MemberHabit } from './house-habits.ts'
import { returnOf } from './house-odds.ts'
import type { HousePeriod } from './house-periods.ts'
import type { DemoNumberSetting, DefaultQuota } from './house-quotas.ts'
import type { RequestedLine } from './house-slips.ts'

export interface HouseRules {
  /** Bet types, quotas and terms by market; terms of each package. */
  markets: ReadonlyMap<string, HouseMarketRules>
  /** Credit limit by member at the beginning, in satang. */
  credit_limits: ReadonlyMap<string, number>
}

export interface HouseMarketRules {
  bet_types: readonly BetTypeCode[]
  quotas: readonly DefaultQuota[]
  terms: ReadonlyMap<string, ReadonlyMap<BetTypeCode, BetTypeTerms>>
}

export interface HouseLine {
  slot: number
  /** The slot under which the house counts accepted stakes: the same for all orders of a roll's digits. */
  quota_slot: number
  bet_satang: number
  received_satang: number
  discount_satang: number
  net_satang: number
  rate: number
  rate_seen: number
  discount_rate: number
  is_half_pay: boolean
}

export type HouseStatus = 'WAIT_CONFIRM' | 'CONFIRMED' | 'CANCELLED' | 'DELETED'

export interface HouseEvent {
  at_ms: number
  event: 'confirm' | 'expire' | 'return_all' | 'cancel' | 'delete' | 'void'
  from_status: HouseStatus
  to_status: HouseStatus
  /** A username; null: the system itself. */
  actor: string | null
  reason: string | null
  /** Numbers of the lines whose stake was returned. */
  released: readonly number[]
}

export interface HouseTicket {
  username: string
  product_code: string
  period_code: string
  package_code: string
  note: string
  placed_ms: number
  close_ms: number
  first_status: 'WAIT_CONFIRM' | 'CONFIRMED'
  status: HouseStatus
  lines: readonly HouseLine[]
  /** Numbers of the lines that the member returned when asked, from 1. */
  returned_lines: readonly number[]
  decided_ms: number | null
  cancelled_by: string | null
  events: HouseEvent[]
  void_request: { by: string; at_ms: number; reason: string } | null
  /** By the final result. */
  win_satang: number
}

export interface RequestedTicket {
  habit: MemberHabit
  period: HousePeriod
  at_ms: number
  slip: readonly RequestedLine[]
  note: string
  settings: readonly DemoNumberSetting[]
}

interface HouseAction {
  by: string
  at_ms: number
  reason: string
}

/** An agent has raised a member's credit limit. */
export interface CreditRaise {
  username: string
  at_ms: number
  before_satang: number
  after_satang: number
}

/** Agents raise limits before their members reach them. */
const LEAST_CREDIT_SATANG = 20_000_00
const RAISE_SATANG = 30_000_00
const MINUTE_MS = 60_000

export class SimulatedHouse {
  /** In the order in which they were placed. */
  readonly tickets: HouseTicket[] = []
  readonly raises: CreditRaise[] = []
  private readonly rules: HouseRules
  private readonly ticketsOf = new Map<string, HouseTicket[]>()
  private readonly settled = new Set<string>()
  private readonly credit_limits: Map<string, number>
  /** What members have in addition to their credit limit, in satang. */
  private readonly cash = new Map<string, number>()
  /** Accepted by period, then by slot. */
  private readonly accepted = new Map<string, Map<number, number>>()

  constructor(rules: HouseRules) {
    this.rules = rules
    this.credit_limits = new Map(rules.credit_limits)
  }

  betTypesOf(product_code: string): readonly BetTypeCode[] {
    return this.rules.markets.get(product_code)!.bet_types
  }

  /** @returns null where nothing is accepted */
  place(requested: RequestedTicket): HouseTicket | null {
    const { period_code, product_code } = requested.period
    const ticket = decide(requested, this.rules.markets.get(product_code)!, this.acceptedIn(period_code))
    if (!ticket) return null
    const net_satang = ticket.lines.reduce((sum, line) => sum + line.net_satang, 0)
    const { username } = ticket
    this.addCash(username, -net_satang)
    this.raiseCredit(username, requested.at_ms - MINUTE_MS)
    for (const line of ticket.lines) this.addAccepted(ticket, line, 1)
    this.tickets.push(ticket)
    const others = this.ticketsOf.get(period_code)
    if (others) others.push(ticket)
    else this.ticketsOf.set(period_code, [ticket])
    return ticket
  }

  /**
   * The member's answer on a waiting ticket; `return_some` returns the lines of which less was accepted than requested.
   */
  confirm(ticket: HouseTicket, at_ms: number, answer: 'confirm' | 'return_some' | 'return_all'): void {
    const given = allOf(ticket).filter((line_no) => ticket.lines[line_no - 1]!.received_satang > 0)
    const less = given.filter((line_no) => needsConfirm(ticket.lines[line_no - 1]!))
    const released = answer === 'confirm' ? [] : answer === 'return_all' || less.length === 0 ? given : less
    const isAllReturned = released.length === given.length
    ticket.decided_ms = at_ms
    // A line that is returned as a whole includes the lines of which nothing was accepted.
    ticket.returned_lines = isAllReturned ? allOf(ticket) : released
    this.change(ticket, {
      at_ms,
      event: isAllReturned ? 'return_all' : 'confirm',
      to_status: isAllReturned ? 'CANCELLED' : 'CONFIRMED',
      actor: ticket.username,
      released,
    })
  }

  expire(ticket: HouseTicket, at_ms: number): void {
    this.change(ticket, { at_ms, event: 'expire', to_status: 'CONFIRMED', actor: null, released: [] })
  }

  /** By its member. */
  cancel(ticket: HouseTicket, at_ms: number): void {
    const released = allOf(ticket)
    this.change(ticket, {
      at_ms,
      event: 'cancel',
      to_status: 'CANCELLED',
      actor: ticket.username,
      released,
    })
  }

  /** By an upline, before the close. */
  deleteTicket(ticket: HouseTicket, { by, ...action }: HouseAction): void {
    this.change(ticket, { ...action, event: 'delete', to_status: 'DELETED', actor: by, released: allOf(ticket) })
  }

  /** By two office users, after the close. */
  voidTicket(ticket: HouseTicket, request: HouseAction, { by, ...approval }: HouseAction): void {
    ticket.void_request = request
    this.change(ticket, { ...approval, event: 'void', to_status: 'DELETED', actor: by, released: allOf(ticket) })
  }

  /** Pays by a result; a second time, by the result that corrects the first one. */
  settle({ period_code }: HousePeriod, result: DrawResult): void {
    const played = this.ticketsOf.get(period_code)
    if (!played) return
    this.settled.add(period_code)
    const winning = new Set(winningSlots(result))
    for (const ticket of played) {
      if (ticket.status !== 'CONFIRMED') continue
      const win_satang = winOf(ticket, winning)
      this.addCash(ticket.username, win_satang - ticket.win_satang)
      ticket.win_satang = win_satang
    }
  }

  /** Refunds every stake of a voided period. */
  refund({ period_code }: HousePeriod): void {
    for (const ticket of this.ticketsOf.get(period_code) ?? [])
      if (ticket.status === 'CONFIRMED')
        for (const { net_satang } of listUnreturned(ticket)) this.addCash(ticket.username, net_satang)
  }

  /** A number that a member has bet on for the bottom two, with the least stake. */
  findBottomOf(username: string, { period_code }: HousePeriod): string | null {
    const [least] = (this.ticketsOf.get(period_code) ?? [])
      .filter((ticket) => ticket.username === username && ticket.status === 'CONFIRMED')
      .flatMap(listUnreturned)
      .filter(({ slot, received_satang }) => betOfSlot(slot)!.bet_type === '2bottom' && received_satang > 0)
      .toSorted((one, other) => one.received_satang - other.received_satang)
    return least ? betOfSlot(least.slot)!.number : null
  }

  /** What the house has won in settled periods, and the value expected from their stakes and rates. */
  sumUp(): { house_win_satang: number; expected_win_satang: number } {
    let [house_win_satang, expected_win_satang] = [0, 0]
    for (const ticket of this.tickets) {
      if (!this.settled.has(ticket.period_code) || ticket.status !== 'CONFIRMED') continue
      house_win_satang -= ticket.win_satang
      for (const { slot, received_satang, net_satang, rate } of listUnreturned(ticket)) {
        house_win_satang += net_satang
        expected_win_satang += net_satang - received_satang * returnOf(slot, rate)
      }
    }
    return { house_win_satang, expected_win_satang: Math.round(expected_win_satang) }
  }

  private change(
    ticket: HouseTicket,
    change: Pick<HouseEvent, 'at_ms' | 'event' | 'to_status' | 'actor' | 'released'> & Partial<HouseEvent>,
  ): void {
    for (const line_no of change.released) {
      const line = ticket.lines[line_no - 1]!
      this.addAccepted(ticket, line, -1)
      this.addCash(ticket.username, line.net_satang)
    }
    ticket.events.push({ reason: null, ...change, from_status: ticket.status })
    ticket.status = change.to_status
    if (change.to_status !== 'CONFIRMED') ticket.cancelled_by = change.actor
  }

  private raiseCredit(username: string, at_ms: number): void {
    const before_satang = this.credit_limits.get(username)!
    const lacking = LEAST_CREDIT_SATANG - before_satang - this.cash.get(username)!
    if (lacking <= 0) return
    const after_satang = before_satang + Math.ceil(lacking / RAISE_SATANG) * RAISE_SATANG
    this.credit_limits.set(username, after_satang)
    this.raises.push({ username, at_ms, before_satang, after_satang })
  }

  private addCash(username: string, satang: number): void {
    this.cash.set(username, (this.cash.get(username) ?? 0) + satang)
  }

  private addAccepted({ period_code }: HouseTicket, { quota_slot, received_satang }: HouseLine, sign: 1 | -1): void {
    const accepted = this.acceptedIn(period_code)
    accepted.set(quota_slot, (accepted.get(quota_slot) ?? 0) + sign * received_satang)
  }

  private acceptedIn(period_code: string): Map<number, number> {
    const known = this.accepted.get(period_code)
    if (known) return known
    const made = new Map<number, number>()
    this.accepted.set(period_code, made)
    return made
  }
}

/** The slots that win by a result, by the usual rule for `3bottom`. */
export function winningSlots(result: DrawResult): number[] {
  return listWinningBets(result, 'back').map(({ bet_type, number }) => slotOf(bet_type, number))
}

function winOf(ticket: HouseTicket, winning: ReadonlySet<number>): number {
  return listUnreturned(ticket).reduce(
    (sum, { slot, received_satang, rate }) => (winning.has(slot) ? sum + winSatang(received_satang, rate) : sum),
    0,
  )
}

/** Numbers of all lines. */
function allOf({ lines }: HouseTicket): number[] {
  return lines.map((_line, index) => index + 1)
}

/** The lines that were not returned. */
function listUnreturned({ lines, returned_lines }: HouseTicket): readonly HouseLine[] {
  return returned_lines.length === 0 ? lines : lines.filter((_line, index) => !returned_lines.includes(index + 1))
}

/** The accepted part of a slip; null where that is nothing. */
function decide(
  { habit, period, at_ms, slip, note, settings }: RequestedTicket,
  market: HouseMarketRules,
  accepted: ReadonlyMap<number, number>,
): HouseTicket | null {
  const termsOf = market.terms.get(habit.package_code)!
  const asked = slip.map(({ bet_type, number, bet_satang }) => {
    const { rate } = termsOf.get(bet_type)!
    return { bet_type, number, bet_satang, rate, seen_rate: rate }
  })
  const { lines, event } = acceptTicket(asked, (_name, { bet_type, number }): NumberQuota => {
    const quota = market.quotas.find((one) => one.bet_type === bet_type)!
    const set_to = settings.find((one) => one.bet_type === bet_type && one.number === number)?.set_to ?? 'open'
    const accepted_satang = accepted.get(quotaSlot(bet_type, number)) ?? 0
    return { full_satang: quota.full_satang, half_satang: quota.half_satang, accepted_satang, set_to }
  })
  if (event === 'refuse') return null
  const first_status = event === 'ask' ? 'WAIT_CONFIRM' : 'CONFIRMED'
  return {
    username: habit.username,
    product_code: period.product_code,
    period_code: period.period_code,
    package_code: habit.package_code,
    note,
    placed_ms: at_ms,
    close_ms: +period.close_at,
    first_status,
    status: first_status,
    lines: asked.map(({ bet_type, number, bet_satang, seen_rate }, index): HouseLine => {
      const { received_satang, rate, is_half_pay } = lines[index]!
      const { discount_rate } = termsOf.get(bet_type)!
      const { discount_satang, net_satang } = computeLineMoney(bet_satang, received_satang, discount_rate)
      return {
        slot: slotOf(bet_type, number),
        quota_slot: quotaSlot(bet_type, number),
        bet_satang,
        received_satang,
        discount_satang,
        net_satang,
        rate,
        rate_seen: seen_rate,
        discount_rate,
        is_half_pay,
      }
    }),
    returned_lines: [],
    decided_ms: null,
    cancelled_by: null,
    events: [],
    void_request: null,
    win_satang: 0,
  }
}
