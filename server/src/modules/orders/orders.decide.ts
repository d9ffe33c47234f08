// What becomes of one ticket, given all that is known about its period and member. No I/O: the batch around it loads
// and locks, this decides, the batch writes.

import type { PlaceOrderBody, RefusalCode, UserStatus } from '@megalot/contract'
import {
  addUpLines,
  type BetTypeCode,
  type BetTypeTerms,
  betTypeByCode,
  checkSlip,
  computeLineMoney,
  doesRefuse,
  type LineMoney,
  type SlipProblemCode,
} from '@megalot/rules'
import { Refusal } from '../../platform/refusal.ts'
import type { PackageTerms, PeriodRecord } from '../markets/markets.service.ts'

/** A ticket as it came in. */
export interface Ticket extends PlaceOrderBody {
  user_id: number
  content_hash: Buffer
}

/** What the batch knows of a member; credit and stakes go on as its tickets are accepted one after another. */
export interface MemberState {
  status: UserStatus
  cash_account_id: number
  credit_remain_satang: number
  packages: ReadonlyMap<string, PackageTerms>
  /** Staked in this period so far, by bet type and number. */
  already_bet: Partial<Record<BetTypeCode, Record<string, number>>>
}

export interface AcceptedLine {
  bet_type: BetTypeCode
  number: string
  money: LineMoney
  rate: number
  discount_rate: number
}

export interface AcceptedTicket {
  ticket: Ticket
  package_id: number
  lines: AcceptedLine[]
  total: LineMoney
}

/** A reply need not name thousands of wrong lines. */
const MOST_PROBLEMS = 50

/** Slip problems whose refusal has another name. */
const renamed: Partial<Record<SlipProblemCode, RefusalCode>> = { over_credit: 'not_enough_credit' }

/**
 * Accepts a ticket and takes its net from the member's remaining credit.
 * @throws Refusal unknown_period, bet_disabled, period_not_open, no_package, rate_changed, or the first problem of the slip
 */
export function decideTicket(
  ticket: Ticket,
  period: PeriodRecord,
  offered: readonly BetTypeCode[],
  member: MemberState,
): AcceptedTicket {
  if (member.status !== 'NORMAL') throw new Refusal('bet_disabled')
  if (period.status === 'upcoming') throw new Refusal('period_not_open')
  const chosen = member.packages.get(ticket.package_code)
  const { problems } = checkSlip(ticket.items, {
    terms: chosen?.terms ?? null,
    offered,
    credit_remain_satang: member.credit_remain_satang,
    max_items: chosen?.max_items ?? 0,
    is_open: period.status === 'open',
    already_bet: member.already_bet,
  })
  const refusing = problems.filter(doesRefuse).slice(0, MOST_PROBLEMS)
  const [first] = refusing
  if (first)
    throw new Refusal(renamed[first.code] ?? (first.code as RefusalCode), { status: 'INVALID', problems: refusing })
  if (!chosen) throw new Refusal('no_package')

  const lines = acceptLines(ticket, chosen.terms)
  const total = addUpLines(lines.map((line) => line.money))
  member.credit_remain_satang -= total.net_satang
  for (const line of lines) rememberStake(member, line)
  return { ticket, package_id: chosen.package_id, lines, total }
}

/** Every line in full at the rate that holds now, unless that is less than what the member saw. */
function acceptLines(ticket: Ticket, terms: readonly BetTypeTerms[]): AcceptedLine[] {
  const termsByType = new Map(terms.map((each) => [each.bet_type, each]))
  const worse: object[] = []
  const lines = ticket.items.map(({ bet_type, number, bet_satang, rate: rateSeen }, index) => {
    const { rate, discount_rate } = termsByType.get(bet_type)!
    if (rate < rateSeen) worse.push({ line: index, rate_seen: rateSeen, rate })
    return { bet_type, number, rate, discount_rate, money: computeLineMoney(bet_satang, bet_satang, discount_rate) }
  })
  if (worse.length > 0) throw new Refusal('rate_changed', { status: 'INVALID', lines: worse })
  return lines
}

function rememberStake(member: MemberState, line: AcceptedLine): void {
  const stakes = (member.already_bet[line.bet_type] ??= {})
  const key = betTypeByCode[line.bet_type].quotaKey(line.number)
  stakes[key] = (stakes[key] ?? 0) + line.money.received_satang
}
