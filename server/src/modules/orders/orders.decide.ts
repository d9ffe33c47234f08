// What becomes of one ticket, given all that is known about its period and member. No I/O: the batch around it loads
// and locks, this decides, the batch writes.

import {
  DEFAULT_ON_CHANGE,
  type OnChange,
  type PlaceOrderBody,
  type RefusalCode,
  type UserStatus,
} from '@megalot/contract'
import {
  type Acceptance,
  acceptTicket,
  addUpLines,
  type BetTypeCode,
  betTypeByCode,
  checkSlip,
  computeLineMoney,
  doesRefuse,
  type LineMoney,
  type QuotaLine,
  type SlipProblemCode,
  termsByType,
} from '@megalot/rules'
import { Refusal } from '../../platform/refusal.ts'
import { type OfferedRates, type PackageTerms, type PeriodRecord, rateKey } from '../markets/markets.service.ts'
import { type PlayState, usePlayLimits } from '../play-limits/play-limits.decide.service.ts'
import type { KnownQuotas } from '../quotas/quota-counts.service.ts'

/** A ticket as it came in. */
export interface Ticket extends PlaceOrderBody {
  user_id: number
  content_hash: Buffer
  /** The session of a caller who was only recalled: it must hold still when the ticket is placed. */
  recalled_session_id?: number | undefined
  /** Whether nobody has sent it of late, as far as this node knows: then it is not looked for. */
  isNew?: boolean
}

/** What the batch knows of a member; credit and stakes go on as its tickets are accepted one after another. */
export interface MemberState {
  status: UserStatus
  /** Whether it has ever set limits on its own play. */
  has_play_limits: boolean
  cash_account_id: number
  /** Whether it owes more than its limit, after a correction: its account may stand below its floor for now. */
  owes: boolean
  credit_remain_satang: number
  /** The packages of the period's market that it has been given. */
  package_ids: readonly number[]
  /** Received in this period so far. */
  received_satang: number
  /** Staked in this period so far, by bet type and number; null where `couldPassNumberLimit` says no. */
  already_bet: Partial<Record<BetTypeCode, Record<string, number>>> | null
  /** Its own limits and breaks; undefined where it has set none. */
  play: PlayState | undefined
  /** Tickets of the period that waited for it and that it has cancelled or returned whole. */
  cancelled_waiting_tickets: number
}

/**
 * A waiting ticket binds nobody until its deadline. After this many cancelled ones in a period a member's tickets with closed
 * numbers are refused instead of waiting (§5 of the domain rules).
 */
export const MAX_CANCELLED_WAITING_TICKETS = 10

/**
 * Whether a member's tickets could pass a limit per number, were all they stake, and all that was received from the member
 * in the period before, on one number. Most members are far from it, and need not be looked at number by number.
 */
export function couldPassNumberLimit(
  tickets: readonly Ticket[],
  packages: ReadonlyMap<string, PackageTerms>,
  received_satang: number,
): boolean {
  let all_satang = received_satang
  for (const { items } of tickets) for (const { bet_satang } of items) if (bet_satang > 0) all_satang += bet_satang
  return tickets.some(({ package_code }) =>
    packages.get(package_code)?.terms.some(({ max_per_number_satang }) => all_satang > max_per_number_satang),
  )
}

export interface AcceptedLine extends LineMoney {
  bet_type: BetTypeCode
  number: string
  rate: number
  rate_seen: number
  discount_rate: number
  is_half_pay: boolean
}

export interface AcceptedTicket {
  ticket: Ticket
  package_id: number
  /** WAIT_CONFIRM where the member is to be asked: credit and quota are held until then. */
  status: 'CONFIRMED' | 'WAIT_CONFIRM'
  lines: AcceptedLine[]
  total: LineMoney
}

/** The status of a ticket that is refused: nothing of it is written or held (§6 of the domain rules). */
export const INVALID = { status: 'INVALID' } as const

/** A reply need not name thousands of wrong lines. */
const MOST_PROBLEMS = 50

/** Slip problems whose refusal has another name. */
const renamed: Partial<Record<SlipProblemCode, RefusalCode>> = { over_credit: 'not_enough_credit' }

/**
 * Accepts a ticket as far as the house takes it. It counts for what comes after it once it is taken into account.
 * @param offered rates that packages have offered in the period; those in force may be missing
 * @throws Refusal bet_disabled, period_not_open, the first problem of the slip, no_package, rate_changed,
 * all_numbers_closed, numbers_closed, or the member's own limit
 */
export function decideTicket(
  ticket: Ticket,
  period: PeriodRecord & { bet_types: readonly BetTypeCode[] },
  packages: ReadonlyMap<string, PackageTerms>,
  member: MemberState,
  quotas: KnownQuotas,
  offered: OfferedRates = NO_RATES,
): AcceptedTicket {
  if (member.status !== 'NORMAL') throw new Refusal('bet_disabled', INVALID)
  if (period.status === 'upcoming') throw new Refusal('period_not_open', INVALID)
  const named = packages.get(ticket.package_code)
  const chosen = named && member.package_ids.includes(named.package_id) ? named : undefined
  const { problems } = checkSlip(ticket.items, {
    terms: chosen?.terms ?? null,
    offered: period.bet_types,
    credit_remain_satang: member.credit_remain_satang,
    max_items: chosen?.max_items ?? Infinity,
    is_open: period.status === 'open',
    ...(member.already_bet ? { already_bet: member.already_bet } : {}),
  })
  const refusing = problems.filter(doesRefuse).slice(0, MOST_PROBLEMS)
  const [first] = refusing
  if (first) throw new Refusal(renamed[first.code] ?? (first.code as RefusalCode), { ...INVALID, problems: refusing })
  if (!chosen) throw new Refusal('no_package', INVALID)

  const { lines, mustAsk } = acceptLines(ticket, chosen, quotas, offered)
  if (mustAsk && member.cancelled_waiting_tickets >= MAX_CANCELLED_WAITING_TICKETS) refuseClosedNumbers(lines)
  const total = addUpLines(lines)
  usePlayLimits(member.play, total.net_satang)
  const status = mustAsk ? 'WAIT_CONFIRM' : 'CONFIRMED'
  return { ticket, package_id: chosen.package_id, status, lines, total }
}

const NO_RATES: OfferedRates = new Set()

/** Whether a ticket names a rate that is not in force. Only then its package's earlier rates matter. */
export function hasOtherRate({ items }: Ticket, { terms }: PackageTerms): boolean {
  const termsOf = termsByType(terms)
  return items.some(({ bet_type, rate }) => termsOf.get(bet_type)?.rate !== rate)
}

/**
 * A rate that the package never offered in the period is no rate the member saw. The ticket would wait for a difference that
 * only the client asserts, and could be taken back until the deadline. Of a number that pays half the member saw the half.
 * @throws Refusal rate_changed, with the bet types whose rate is another one now
 */
function refuseUnknownRates(
  lines: readonly QuotaLine[],
  acceptances: readonly Acceptance[],
  package_id: number,
  offered: OfferedRates,
): void {
  const changed = new Map<string, { bet_type: BetTypeCode; rate_seen: number; rate: number }>()
  let isUnknown = false
  for (const [index, { bet_type, rate, seen_rate: rate_seen }] of lines.entries()) {
    const given = acceptances[index]!
    if (rate_seen === rate || (given.is_half_pay && rate_seen === given.rate)) continue
    changed.set(`${bet_type} ${rate_seen}`, { bet_type, rate_seen, rate })
    isUnknown ||= !offered.has(rateKey(package_id, bet_type, rate_seen))
  }
  if (isUnknown) throw new Refusal('rate_changed', { ...INVALID, rates: [...changed.values()].slice(0, MOST_PROBLEMS) })
}

/** @throws Refusal numbers_closed where nothing was received on a line */
function refuseClosedNumbers(lines: readonly AcceptedLine[]): void {
  const problems = lines.flatMap(({ received_satang }, index) =>
    received_satang === 0 ? [{ code: 'number_closed', lines: [index] }] : [],
  )
  if (problems.length > 0)
    throw new Refusal('numbers_closed', { ...INVALID, problems: problems.slice(0, MOST_PROBLEMS) })
}

/** An accepted ticket's net goes from the member's remaining credit, what was received from the quotas. */
export function takeIntoAccount({ lines, total }: AcceptedTicket, member: MemberState, quotas: KnownQuotas): void {
  member.credit_remain_satang -= total.net_satang
  member.received_satang += total.received_satang
  for (const line of lines) {
    quotas.add(line, line.received_satang)
    if (member.already_bet) rememberStake(member.already_bet, line)
  }
}

/** Every line as far as its quota reaches, at the rate that holds now. @throws Refusal rate_changed, all_numbers_closed */
function acceptLines(
  ticket: Ticket,
  { package_id, terms }: PackageTerms,
  quotas: KnownQuotas,
  offered: OfferedRates,
): { lines: AcceptedLine[]; mustAsk: boolean } {
  const termsOf = termsByType(terms)
  const asked = ticket.items.map(({ bet_type, number, bet_satang, rate }) => {
    return { bet_type, number, bet_satang, rate: termsOf.get(bet_type)!.rate, seen_rate: rate }
  })
  const acceptance = acceptTicket(asked, (_name, line) => quotas.find(line))
  asked.forEach((line, index) => quotas.noteTaken(line, acceptance.lines[index]!))
  refuseUnknownRates(asked, acceptance.lines, package_id, offered)
  if (acceptance.event === 'refuse') throw new Refusal('all_numbers_closed', INVALID)
  const lines = asked.map(({ bet_type, number, bet_satang, seen_rate }, index): AcceptedLine => {
    const { received_satang, rate, is_half_pay } = acceptance.lines[index]!
    const { discount_rate } = termsOf.get(bet_type)!
    const { discount_satang, net_satang } = computeLineMoney(bet_satang, received_satang, discount_rate)
    return {
      bet_type,
      number,
      rate,
      rate_seen: seen_rate,
      discount_rate,
      is_half_pay,
      bet_satang,
      received_satang,
      discount_satang,
      net_satang,
      win_satang: 0,
    }
  })
  return { lines, mustAsk: mustAskMember(ticket.on_change ?? DEFAULT_ON_CHANGE, acceptance.event, lines) }
}

/** Whether the member is asked, by the choice it made once for all. */
function mustAskMember(on_change: OnChange, event: 'accept' | 'ask', lines: readonly AcceptedLine[]): boolean {
  if (on_change === 'accept') return false
  if (event === 'ask') return true
  return on_change === 'ask' && lines.some((line) => line.rate !== line.rate_seen)
}

function rememberStake(already_bet: NonNullable<MemberState['already_bet']>, line: AcceptedLine): void {
  const stakes = (already_bet[line.bet_type] ??= {})
  const key = betTypeByCode[line.bet_type].quotaKey(line.number)
  stakes[key] = (stakes[key] ?? 0) + line.received_satang
}
