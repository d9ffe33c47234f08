// Decides one ticket from the state of its period and member, without I/O. Of its arguments only the quota use is
// changed, and only its `needsLock`.

import { DEFAULT_ON_CHANGE, type OnChange, type RefusalCode } from '@megalot/contract'
import {
  type Acceptance,
  acceptTicket,
  addUpLines,
  type BetTypeCode,
  checkSlip,
  computeLineMoney,
  doesRefuse,
  type QuotaLine,
  type SlipProblemCode,
  termsByType,
} from '@megalot/rules'
import { Refusal } from '../../../platform/refusal.ts'
import { type OfferedRates, type PackageTerms, rateKey } from '../../markets/index.ts'
import { assertPlayLimits } from '../../play-limits/index.ts'
import type { QuotaUse } from '../../quotas/index.ts'
import type { AcceptedLine, AcceptedTicket, NewTicket } from '../ticket.ts'
import type { MemberState, Snapshot } from './snapshot.ts'

/**
 * A waiting ticket is a free option for its member: until the deadline the member can take the bet back, and the house
 * cannot. After this many cancelled ones in a period a member's tickets with closed numbers are refused instead of
 * waiting (§5 of the domain rules).
 */
export const MAX_CANCELLED_WAITING_TICKETS = 10

/** In the details of a refusal: the status of a refused ticket, of which nothing is written or held (§6 of the domain rules). */
export const INVALID_DETAILS = { status: 'INVALID' } as const

/** How many wrong lines a reply names at most. */
const MAX_PROBLEMS = 50

/** Slip problems whose refusal has another code. */
const renamed: Partial<Record<SlipProblemCode, RefusalCode>> = { over_credit: 'not_enough_credit' }

/**
 * Accepts a ticket as far as the house's quotas allow.
 * @param quotaUse includes what earlier tickets of the batch use. This ticket's use is not added, but its outcome is
 * recorded, also where the ticket is then refused: it may set `needsLock`.
 * @throws Refusal bet_disabled, period_not_open, the first problem of the slip, no_package, rate_changed,
 * all_numbers_closed, numbers_closed, or the member's own limit
 */
export function decideTicket(
  ticket: NewTicket,
  { period, packages, offered }: Pick<Snapshot, 'period' | 'packages' | 'offered'>,
  member: MemberState,
  quotaUse: QuotaUse,
): AcceptedTicket {
  if (member.status !== 'NORMAL') throw new Refusal('bet_disabled', INVALID_DETAILS)
  if (period.status === 'upcoming') throw new Refusal('period_not_open', INVALID_DETAILS)
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
  const refusing = problems.filter(doesRefuse).slice(0, MAX_PROBLEMS)
  const [first] = refusing
  if (first)
    throw new Refusal(renamed[first.code] ?? (first.code as RefusalCode), { ...INVALID_DETAILS, problems: refusing })
  if (!chosen) throw new Refusal('no_package', INVALID_DETAILS)

  const { lines, mustAsk } = acceptLines(ticket, chosen, quotaUse, offered)
  if (mustAsk && member.cancelled_waiting_tickets >= MAX_CANCELLED_WAITING_TICKETS) refuseClosedNumbers(lines)
  const total = addUpLines(lines)
  assertPlayLimits(member.play, total.net_satang)
  const status = mustAsk ? 'WAIT_CONFIRM' : 'CONFIRMED'
  return { ticket, package_id: chosen.package_id, status, lines, total }
}

/** Whether a ticket names a rate that is not in force. Only then are the package's earlier rates needed. */
export function hasOtherRate({ items }: NewTicket, { terms }: PackageTerms): boolean {
  const termsOf = termsByType(terms)
  return items.some(({ bet_type, rate }) => termsOf.get(bet_type)?.rate !== rate)
}

/**
 * The member cannot have seen a rate that the package never offered in the period. The ticket would wait because of a
 * difference that only the client asserts, and could be cancelled until the deadline. For a number that pays half the
 * member saw half the rate.
 * @throws Refusal rate_changed, with the bet types whose rate is different now
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
  if (isUnknown)
    throw new Refusal('rate_changed', { ...INVALID_DETAILS, rates: [...changed.values()].slice(0, MAX_PROBLEMS) })
}

/** @throws Refusal numbers_closed where nothing was received on a line */
function refuseClosedNumbers(lines: readonly AcceptedLine[]): void {
  const problems = lines.flatMap(({ received_satang }, index) =>
    received_satang === 0 ? [{ code: 'number_closed', lines: [index] }] : [],
  )
  if (problems.length > 0)
    throw new Refusal('numbers_closed', { ...INVALID_DETAILS, problems: problems.slice(0, MAX_PROBLEMS) })
}

/** Every line as far as its quota allows, at the rate in force. @throws Refusal rate_changed, all_numbers_closed */
function acceptLines(
  ticket: NewTicket,
  { package_id, terms }: PackageTerms,
  quotaUse: QuotaUse,
  offered: OfferedRates,
): { lines: AcceptedLine[]; mustAsk: boolean } {
  const termsOf = termsByType(terms)
  const requested = ticket.items.map(({ bet_type, number, bet_satang, rate }) => {
    return { bet_type, number, bet_satang, rate: termsOf.get(bet_type)!.rate, seen_rate: rate }
  })
  const acceptance = acceptTicket(requested, (_name, line) => quotaUse.quotaOf(line))
  // Before anything is refused below: a refusal may depend on the same sums, which others may have changed since.
  for (const [index, line] of requested.entries()) quotaUse.recordOutcome(line, acceptance.lines[index]!)
  refuseUnknownRates(requested, acceptance.lines, package_id, offered)
  if (acceptance.event === 'refuse') throw new Refusal('all_numbers_closed', INVALID_DETAILS)
  const lines = requested.map(({ bet_type, number, bet_satang, seen_rate }, index): AcceptedLine => {
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

/** Whether the member is asked, by the choice sent with the ticket. */
function mustAskMember(on_change: OnChange, event: 'accept' | 'ask', lines: readonly AcceptedLine[]): boolean {
  if (on_change === 'accept') return false
  if (event === 'ask') return true
  return on_change === 'ask' && lines.some((line) => line.rate !== line.rate_seen)
}
