// How much of a bet the house accepts, and at which rate.
// The house counts accepted amounts per period, bet type and number. It accepts bets at the full rate up to the `full`
// quota, then at half the rate up to the `half` quota, then nothing. A number can also be set by hand to half pay or
// closed. A line has one rate: a line that begins in the full quota is cut at its end, not continued at half. Rolls
// count by their digits: 123 and 321 share one quota.

import { findSlot, quotaSlotOf } from './bet-slot.ts'
import type { BetTypeCode } from './bet-type-code.ts'
import { betTypeByCode } from './bet-type.ts'
import { halfRate } from './money.ts'

/** The quota of a number in a period, and its use. */
export interface NumberQuota {
  /** The limit at the full rate. */
  full_satang: number
  /** The further limit at half the rate. */
  half_satang: number
  /** Accepted so far, at either rate: the sum received of all live items. */
  accepted_satang: number
  /** Set by an office user for this period. */
  set_to: 'open' | 'half' | 'closed'
}

/** The quota of a number with its own amount. The amount only lowers: a smaller quota of the bet type still applies. */
export function limitByAmount<Limit extends { full_satang: number; half_satang: number }>(
  quota: Limit,
  amount: { full_satang: number; half_satang: number },
): Limit {
  const full_satang = Math.min(quota.full_satang, amount.full_satang)
  const all_satang = Math.min(quota.full_satang + quota.half_satang, amount.full_satang + amount.half_satang)
  return { ...quota, full_satang, half_satang: all_satang - full_satang }
}

/** What the next line can receive: at the full rate or, if that is used up, at half. */
export interface QuotaRoom {
  full_satang: number
  half_satang: number
}

/**
 * The remaining quota of a number: nothing if set to `closed`, all of it at half the rate if set to `half`. Never below
 * 0, even if a quota was lowered below the accepted amount.
 * @param added_satang accepted in addition to `quota.accepted_satang`
 */
export function quotaRoom(quota: NumberQuota, added_satang = 0): QuotaRoom {
  const { full_satang, half_satang, set_to } = quota
  const accepted_satang = quota.accepted_satang + added_satang
  if (set_to === 'closed') return { full_satang: 0, half_satang: 0 }
  const all = Math.max(0, full_satang + half_satang - accepted_satang)
  const full = set_to === 'half' ? 0 : Math.max(0, full_satang - accepted_satang)
  return { full_satang: full, half_satang: all - full }
}

/** A requested line. */
export interface QuotaLine {
  /** The bet (`bet-slot.ts`). */
  slot: number
  bet_satang: number
  /** The rate in force, in hundredths. */
  rate: number
  /** The rate that the member saw, as sent by the client. Compared, never paid. */
  seen_rate: number
}

/** The decision on a line. */
export interface Acceptance {
  received_satang: number
  /** The rate written on the item, in hundredths. */
  rate: number
  is_half_pay: boolean
  /** Nothing was accepted: the number is closed, or its quota is used up. */
  is_closed: boolean
  /** Less was accepted than requested, or at a lower rate than the member saw. */
  needs_confirm: boolean
}

/** Whether the member must confirm a line: less was accepted than requested, or at a lower rate than the member saw. */
export function needsConfirm(line: {
  bet_satang: number
  received_satang: number
  rate: number
  rate_seen: number
}): boolean {
  return line.received_satang < line.bet_satang || line.rate < line.rate_seen
}

/**
 * Accepts as much of a line as its quota allows. Does not change `quota`: the caller adds `received_satang`.
 * @param added_satang accepted in addition to `quota.accepted_satang`
 */
export function acceptLine(line: Omit<QuotaLine, 'slot'>, quota: NumberQuota, added_satang = 0): Acceptance {
  const room = quotaRoom(quota, added_satang)
  const is_half_pay = room.full_satang === 0 && room.half_satang > 0
  const received_satang = Math.min(line.bet_satang, is_half_pay ? room.half_satang : room.full_satang)
  const rate = is_half_pay ? halfRate(line.rate) : line.rate
  return {
    received_satang,
    rate,
    is_half_pay,
    is_closed: received_satang === 0,
    needs_confirm: needsConfirm({ bet_satang: line.bet_satang, received_satang, rate, rate_seen: line.seen_rate }),
  }
}

/** The key of a bet's quota as text: the same for all orders of a roll's digits. */
export function quotaName(bet_type: BetTypeCode, number: string): string {
  return `${bet_type} ${betTypeByCode[bet_type].quotaKey(number)}`
}

/**
 * The slot of a bet's quota: for a roll, its digits in ascending order. -1 if the text is no number of the bet type.
 */
export function quotaSlot(bet_type: BetTypeCode, number: string): number {
  const slot = findSlot(bet_type, number)
  return slot < 0 ? -1 : quotaSlotOf(slot)
}

export interface TicketAcceptance {
  /** One per line, in order. */
  lines: readonly Acceptance[]
  /** The next event of the ticket's life cycle. */
  event: 'accept' | 'ask' | 'refuse'
}

/**
 * Accepts the lines of a ticket in order, first come, first served: a later line on the same number gets what earlier
 * ones have left. `accept`: all in full at the rate seen. `ask`: less than that. `refuse`: nothing is accepted. A
 * refused ticket was never valid (CREATED → INVALID), so this runs before the ticket counts as validated.
 * @param findQuota returns a number's quota before this ticket, by its `quotaSlotOf`; called once per number
 */
export function acceptTicket(
  lines: readonly QuotaLine[],
  findQuota: (quota_slot: number) => NumberQuota,
): TicketAcceptance {
  const usedBySlot = new Map<number, { quota: NumberQuota; satang: number }>()
  const acceptances = lines.map((line) => {
    const quota_slot = quotaSlotOf(line.slot)
    let used = usedBySlot.get(quota_slot)
    if (used === undefined) {
      used = { quota: findQuota(quota_slot), satang: 0 }
      usedBySlot.set(quota_slot, used)
    }
    const acceptance = acceptLine(line, used.quota, used.satang)
    used.satang += acceptance.received_satang
    return acceptance
  })
  return { lines: acceptances, event: chooseEvent(acceptances) }
}

function chooseEvent(acceptances: readonly Acceptance[]): 'accept' | 'ask' | 'refuse' {
  if (acceptances.every((acceptance) => acceptance.is_closed)) return 'refuse'
  return acceptances.some((acceptance) => acceptance.needs_confirm) ? 'ask' : 'accept'
}

/** Yellow: most of the full quota is used. Half: pays half the rate. Grey: closed, nothing is accepted. */
export type NumberState = 'yellow' | 'half' | 'grey'

/**
 * The state of a number on screen: grey if it is closed or full, half if all that is left pays half the rate, yellow if
 * 80 % of its full quota is used, otherwise `null`. Half is shown in yellow.
 */
export function numberState(quota: NumberQuota): NumberState | null {
  const room = quotaRoom(quota)
  if (room.full_satang === 0) return room.half_satang === 0 ? 'grey' : 'half'
  return room.full_satang * 5 <= quota.full_satang ? 'yellow' : null
}

/** Every number of a bet type with its own quota: one per multiset of digits for rolls. */
export function listQuotaKeys(bet_type: BetTypeCode): string[] {
  const { digits, quotaKey } = betTypeByCode[bet_type]
  const numbers = Array.from({ length: 10 ** digits }, (_, number) => String(number).padStart(digits, '0'))
  return [...new Set(numbers.map((number) => quotaKey(number)))]
}
