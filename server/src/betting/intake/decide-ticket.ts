// Decides one ticket from the state of its period and member, without I/O. Of its arguments only the quota use is changed.

import { DEFAULT_ON_CHANGE, type DiscountChange, type OnChange, type RefusalCode } from '@megalot/contract'
import {
  type Acceptance,
  acceptTicket,
  addUpLines,
  betTypes,
  checkSlip,
  discountSatang,
  doesRefuse,
  isDiscountLower,
  type LineMoney,
  passesQuickCheck,
  quotaSlotOf,
  type SlipProblem,
  type SlipProblemCode,
  type TermsTable,
  typeIndexOf,
} from '@megalot/rules'
import { Refusal } from '../../lib/refusal.ts'
import { type OfferedTerms, rateKey, termsKey } from '../../markets/index.ts'
import { assertPlayLimits } from '../play-limits/index.ts'
import type { QuotaUse } from '../../markets/quotas/index.ts'
import type { AcceptedTicket, NewTicket } from '../ticket.ts'
import type { MemberState, PackageTable, Snapshot } from './snapshot.ts'

/**
 * A waiting ticket is a free option for its member: until the deadline the member can take the bet back, and the house
 * cannot. Meanwhile it holds the quotas of its numbers, and others get half the rate or nothing. After so many that were taken back in a period a
 * member's tickets are refused instead of waiting (decision 31).
 */
const MAX_TAKEN_BACK_TICKETS = 10

/** With so many tickets of the period that wait, a further one is refused too. Otherwise a member could place any number of them before it cancels the first one. */
const MAX_WAITING_TICKETS = 10

/** In the details of a refusal: the status of a refused ticket, of which nothing is written or held. */
export const INVALID_DETAILS = { status: 'INVALID' } as const

/** How many wrong lines a reply names at most. */
const MAX_PROBLEMS = 50

/** Slip problems whose refusal has another code. */
const renamed: Partial<Record<SlipProblemCode, RefusalCode>> = { over_credit: 'not_enough_credit' }

/**
 * Accepts a ticket as far as the house's quotas allow.
 * @param quotaUse includes what earlier tickets of the batch use. This ticket's use is not added.
 * @returns undefined where only locked quotas can decide
 * @throws Refusal bet_disabled, period_not_open, the first problem of the slip, no_package, rate_changed,
 * all_numbers_closed, numbers_closed, too_many_waiting_tickets, or the member's own limit
 */
export function decideTicket(
  ticket: NewTicket,
  { period, packages, offered }: Pick<Snapshot, 'period' | 'packages' | 'offered'>,
  member: MemberState,
  quotaUse: QuotaUse,
): AcceptedTicket | undefined {
  if (member.status !== 'NORMAL') throw new Refusal('bet_disabled', INVALID_DETAILS)
  if (period.status === 'upcoming') throw new Refusal('period_not_open', INVALID_DETAILS)
  const named = packages.get(ticket.package_code)
  const chosen = named && member.package_ids.includes(named.package_id) ? named : undefined
  refuseSlip(ticket, period, chosen, member)
  if (!chosen) throw new Refusal('no_package', INVALID_DETAILS)

  const { package_id, table } = chosen
  const { lines, event } = acceptLines(ticket, chosen, quotaUse)
  // Before anything is refused: a refusal may depend on the same sums, which others may have changed since.
  if (needsLock(ticket, lines, quotaUse)) return undefined
  const discountChange = findDiscountChange(ticket, table)
  refuseUnknownTerms(ticket, lines, discountChange, chosen, offered)
  if (event === 'refuse') throw new Refusal('all_numbers_closed', INVALID_DETAILS)
  const mustAsk = mustAskMember(ticket, event, lines, discountChange)
  if (mustAsk && hasTooManyOptions(member)) refuseToWait(lines)
  const { discounts, total } = addUpTicket(ticket, table, lines)
  assertPlayLimits(member.play, total.net_satang)
  const status = mustAsk ? 'WAIT_CONFIRM' : 'CONFIRMED'
  const differences = lines.every((line, index) => isInFull(line, ticket, index)) ? null : lines
  return { ticket, package_id, terms: table, status, differences, discountChange, discounts, total }
}

/** Whether a ticket of the member is refused where it would wait. */
function hasTooManyOptions({ waiting_tickets, taken_back_tickets }: MemberState): boolean {
  return waiting_tickets >= MAX_WAITING_TICKETS || taken_back_tickets >= MAX_TAKEN_BACK_TICKETS
}

function isInFull({ received_satang, rate, is_half_pay }: Acceptance, ticket: NewTicket, index: number): boolean {
  return received_satang === ticket.stakes[index] && rate === ticket.rates_seen[index] && !is_half_pay
}

/** The money of a ticket. @param lines what was received of each line; null: all of it */
function addUpTicket(
  { slots, stakes }: NewTicket,
  { discount_rate }: TermsTable,
  lines: readonly Acceptance[] | null,
): Pick<AcceptedTicket, 'discounts' | 'total'> {
  const discounts: number[] = []
  const sums: LineMoney = { bet_satang: 0, received_satang: 0, discount_satang: 0, net_satang: 0, win_satang: 0 }
  for (let line = 0; line < slots.length; line++) {
    const received_satang = lines ? lines[line]!.received_satang : stakes[line]!
    const discount_satang = discountSatang(received_satang, discount_rate[typeIndexOf(slots[line]!)]!)
    discounts.push(discount_satang)
    sums.bet_satang += stakes[line]!
    sums.received_satang += received_satang
    sums.discount_satang += discount_satang
    sums.net_satang += received_satang - discount_satang
  }
  // It refuses sums that are no amounts.
  return { discounts, total: addUpLines([sums]) }
}

/** The discount of all lines as they are asked. @param rateOf the discount rate of a bet type, by its index in `betTypes` */
function discountOfStakes({ slots, stakes }: NewTicket, rateOf: (type: number) => number): number {
  let discount_satang = 0
  for (let line = 0; line < slots.length; line++)
    discount_satang += discountSatang(stakes[line]!, rateOf(typeIndexOf(slots[line]!)))
  return discount_satang
}

/** Null where the terms give the discount that the member saw, and where the ticket names none. */
function findDiscountChange(ticket: NewTicket, { discount_rate }: TermsTable): DiscountChange | null {
  const { discount_satang: discount_seen_satang } = ticket
  if (discount_seen_satang === undefined) return null
  const discount_satang = discountOfStakes(ticket, (type) => discount_rate[type]!)
  return discount_satang === discount_seen_satang ? null : { discount_seen_satang, discount_satang }
}

/**
 * Accepts a ticket of a member in good standing, far from every limit, if all of it is received in full at the rate and the
 * discount that the member saw: the same ticket as `decideTicket`, for a fraction of its time.
 * @param quotaUse includes what earlier tickets of the batch use; the ticket's use is added
 * @returns undefined where `decideTicket` has to decide
 */
export function acceptInFull(
  ticket: NewTicket,
  { period, packages }: Pick<Snapshot, 'period' | 'packages'>,
  member: MemberState,
  quotaUse: QuotaUse,
): AcceptedTicket | undefined {
  const { slots, stakes, rates_seen, discount_satang } = ticket
  const chosen = packages.get(ticket.package_code)
  if (!chosen || !member.package_ids.includes(chosen.package_id)) return undefined
  const { package_id, table, max_items } = chosen
  const { credit_remain_satang } = member
  const is_open = period.status === 'open'
  if (!passesQuickCheck(slots, stakes, { terms: table, credit_remain_satang, max_items, is_open })) return undefined
  for (let line = 0; line < slots.length; line++)
    if (rates_seen[line] !== table.rate[typeIndexOf(slots[line]!)]) return undefined
  const { discounts, total } = addUpTicket(ticket, table, null)
  if (discount_satang !== undefined && discount_satang !== total.discount_satang) return undefined
  if (!quotaUse.addInFull(slots, stakes, ticket.package_code)) return undefined
  return {
    ticket,
    package_id,
    terms: table,
    status: 'CONFIRMED',
    differences: null,
    discountChange: null,
    discounts,
    total,
  }
}

/** @throws Refusal the first problem of the slip that refuses it, with all of them */
function refuseSlip(
  ticket: NewTicket,
  { status, bet_types }: Snapshot['period'],
  chosen: PackageTable | undefined,
  { credit_remain_satang, already_bet }: MemberState,
): void {
  const is_open = status === 'open'
  const max_items = chosen?.max_items ?? Infinity
  const isQuick = chosen !== undefined && already_bet === null
  if (
    isQuick &&
    passesQuickCheck(ticket.slots, ticket.stakes, { terms: chosen.table, credit_remain_satang, max_items, is_open })
  )
    return
  const { problems } = checkSlip(ticket.items, {
    terms: chosen?.terms ?? null,
    offered: bet_types,
    credit_remain_satang,
    max_items,
    is_open,
    ...(already_bet ? { already_bet } : {}),
  })
  refuseProblems(problems.filter(doesRefuse))
}

function refuseProblems(problems: readonly SlipProblem[]): void {
  const [first] = problems
  if (!first) return
  const code = renamed[first.code] ?? (first.code as RefusalCode)
  throw new Refusal(code, { ...INVALID_DETAILS, problems: problems.slice(0, MAX_PROBLEMS) })
}

/** Whether a ticket names a rate or a discount that is not in force. */
export function hasOtherTerms(ticket: NewTicket, { table }: PackageTable): boolean {
  const { slots, rates_seen, stakes } = ticket
  return (
    slots.some((slot, line) => slot < 0 || rates_seen[line] !== table.rate[typeIndexOf(slot)]) ||
    // A ticket with a wrong stake is refused before its discount is compared.
    (stakes.every((stake) => Number.isSafeInteger(stake) && stake >= 0) && findDiscountChange(ticket, table) !== null)
  )
}

/** Every line as far as its quota allows, at the rate in force. */
function acceptLines(
  { slots, stakes, rates_seen, package_code }: NewTicket,
  { table }: PackageTable,
  quotaUse: QuotaUse,
): { lines: readonly Acceptance[]; event: 'accept' | 'ask' | 'refuse' } {
  const requested = slots.map((slot, line) => ({
    slot,
    bet_satang: stakes[line]!,
    rate: table.rate[typeIndexOf(slot)]!,
    seen_rate: rates_seen[line]!,
  }))
  return acceptTicket(requested, (quota_slot) => quotaUse.quotaOf(quota_slot, package_code))
}

function needsLock(
  { slots, stakes, package_code }: NewTicket,
  lines: readonly Acceptance[],
  quotaUse: QuotaUse,
): boolean {
  return slots.some((slot, line) => quotaUse.needsLock(quotaSlotOf(slot), stakes[line]!, lines[line]!, package_code))
}

/**
 * The member cannot have seen a rate that the package never offered in the period, nor a discount. The ticket would wait because
 * of a difference that only the client asserts, and could be cancelled until the deadline. For a number that pays half the
 * member saw half the rate.
 * @throws Refusal rate_changed, with the bet types whose rate is different now, and the discount where that is
 */
function refuseUnknownTerms(
  ticket: NewTicket,
  lines: readonly Acceptance[],
  discountChange: DiscountChange | null,
  { package_id, table }: PackageTable,
  offered: OfferedTerms,
): void {
  const { slots, rates_seen } = ticket
  const changed = new Map<string, object>()
  let isUnknown = false
  for (const [line, given] of lines.entries()) {
    const type = typeIndexOf(slots[line]!)
    const [rate, rate_seen] = [table.rate[type]!, rates_seen[line]!]
    if (rate_seen === rate || (given.is_half_pay && rate_seen === given.rate)) continue
    const { code: bet_type } = betTypes[type]!
    changed.set(`${bet_type} ${rate_seen}`, { bet_type, rate_seen, rate })
    isUnknown ||= !offered.rates.has(rateKey(package_id, bet_type, rate_seen))
  }
  if (discountChange) isUnknown ||= !couldSee(discountChange, ticket, package_id, offered)
  if (isUnknown)
    throw new Refusal('rate_changed', {
      ...INVALID_DETAILS,
      rates: [...changed.values()].slice(0, MAX_PROBLEMS),
      ...(discountChange && { discount: discountChange }),
    })
}

/**
 * Whether a discount lies between the lowest and the highest that the package has offered in the period. One in between that
 * was never offered gains nothing: the member may as well name one that was.
 */
function couldSee(
  { discount_seen_satang }: DiscountChange,
  ticket: NewTicket,
  package_id: number,
  { discounts }: OfferedTerms,
): boolean {
  const offeredFor = (type: number) => discounts.get(termsKey(package_id, betTypes[type]!.code))
  return (
    discount_seen_satang >= discountOfStakes(ticket, (type) => offeredFor(type)?.lowest ?? 0) &&
    discount_seen_satang <= discountOfStakes(ticket, (type) => offeredFor(type)?.highest ?? 0)
  )
}

/** @throws Refusal numbers_closed where nothing was received on a line, else too_many_waiting_tickets */
function refuseToWait(lines: readonly Acceptance[]): never {
  const problems = lines.flatMap(({ received_satang }, index) =>
    received_satang === 0 ? [{ code: 'number_closed', lines: [index] }] : [],
  )
  if (problems.length > 0)
    throw new Refusal('numbers_closed', { ...INVALID_DETAILS, problems: problems.slice(0, MAX_PROBLEMS) })
  throw new Refusal('too_many_waiting_tickets', INVALID_DETAILS)
}

/** Whether the member is asked, by the choice sent with the ticket. */
function mustAskMember(
  { on_change = DEFAULT_ON_CHANGE, rates_seen }: NewTicket,
  event: 'accept' | 'ask' | 'refuse',
  lines: readonly Acceptance[],
  discountChange: DiscountChange | null,
): boolean {
  const choice: OnChange = on_change
  if (choice === 'accept') return false
  if (event === 'ask') return true
  if (discountChange && isDiscountLower(discountChange.discount_seen_satang, discountChange.discount_satang))
    return true
  return choice === 'ask' && (discountChange !== null || lines.some(({ rate }, line) => rate !== rates_seen[line]))
}
