// Adds up tickets and releases for the exposure. Numbers only, without I/O: a million items per second.

import { betTypes, discountSatang, quotaSlotOf, SLOT_COUNT, typeIndexOf, winSatang } from '@megalot/rules'
import { unpackLines } from '../betting/index.ts'

/** A ticket as placed: its row's columns, with arrays in PostgreSQL's text form. */
export interface CountableTicket {
  order_id: number
  period_id: number
  user_id: number
  package_id: number
  slots: string
  lines: Buffer
  differences: string | null
}

/** An item that an event has released from a ticket, and its accepted amount. */
export interface ReleasedLine {
  line_no: number
  received_satang: number
}

/** The part of the members' items that the company keeps, in hundredths of a percent. */
export interface CompanyPart {
  left_rate: number
  /** The commission of the level below the company. */
  commission_rate: number
}

/** All of every item, for members directly below the company. */
export const wholePart: CompanyPart = { left_rate: 10_000, commission_rate: 0 }

/** Columns of a slot's sums, in order within each slot. */
export const slotColumns = ['lines', 'stake', 'payout', 'own_stake', 'own_payout'] as const
const WIDTH = slotColumns.length
const TYPES = betTypes.length

export interface MemberSums {
  user_id: number
  package_id: number
  lines: number
  /** By bet type, in the order of `betTypes`. */
  received: number[]
  discount: number[]
}

/** What the tickets of one period add to its exposure. */
export class PeriodSums {
  readonly slots = new Float64Array(SLOT_COUNT * WIDTH)
  readonly touched = new Set<number>()
  readonly members = new Map<string, MemberSums>()
  received = 0
  discount = 0
  own_received = 0
  own_discount = 0
  lines = 0

  /** Adds all accepted items of a ticket. */
  addTicket(ticket: CountableTicket, part: CompanyPart): void {
    const { slots, terms, differences } = readTicket(ticket)
    for (const [index, slot] of slots.entries()) {
      const received = differences ? differences[3 * index]! : terms[3 * index]! * 100
      this.addLine(ticket, slot, received, terms[3 * index + 1]!, terms[3 * index + 2]!, part, 1)
    }
  }

  /** Subtracts items that an event has released. */
  removeLines(ticket: CountableTicket, released: readonly ReleasedLine[], part: CompanyPart): void {
    const { slots, terms } = readTicket(ticket)
    for (const { line_no, received_satang } of released) {
      const index = line_no - 1
      this.addLine(ticket, slots[index]!, received_satang, terms[3 * index + 1]!, terms[3 * index + 2]!, part, -1)
    }
  }

  private addLine(
    { user_id, package_id }: CountableTicket,
    bet: number,
    received: number,
    rate: number,
    discount_rate: number,
    { left_rate, commission_rate }: CompanyPart,
    sign: 1 | -1,
  ): void {
    // An item on a closed number, or one already refunded.
    if (received === 0) return
    const slot = quotaSlotOf(bet)
    const payout = winSatang(received, rate)
    const discount = discountSatang(received, discount_rate)
    const at = slot * WIDTH
    const own_received = partOf(received, left_rate)
    this.touched.add(slot)
    this.slots[at] = this.slots[at]! + sign
    this.slots[at + 1] = this.slots[at + 1]! + sign * received
    this.slots[at + 2] = this.slots[at + 2]! + sign * payout
    this.slots[at + 3] = this.slots[at + 3]! + sign * own_received
    this.slots[at + 4] = this.slots[at + 4]! + sign * partOf(payout, left_rate)
    this.lines += sign
    this.received += sign * received
    this.discount += sign * discount
    this.own_received += sign * own_received
    this.own_discount += sign * partOf(discount + partOf(received, commission_rate), left_rate)
    const key = `${user_id} ${package_id}`
    let member = this.members.get(key)
    if (!member) {
      member = { user_id, package_id, lines: 0, received: zeros(), discount: zeros() }
      this.members.set(key, member)
    }
    const type = typeIndexOf(bet)
    member.lines += sign
    member.received[type]! += sign * received
    member.discount[type]! += sign * discount
  }

  /** A slot's sum in one column. */
  amount(slot: number, column: (typeof slotColumns)[number]): number {
    return this.slots[slot * WIDTH + slotColumns.indexOf(column)]!
  }
}

const zeros = (): number[] => Array.from({ length: TYPES }, () => 0)

/** A part of an amount, rounded half up to the satang, as the database's `part_of`. */
function partOf(amount: number, rate: number): number {
  return rate === 10_000 ? amount : rate === 0 ? 0 : discountSatang(amount, rate)
}

function readTicket({ slots, lines, differences }: CountableTicket): {
  slots: number[]
  terms: number[]
  differences: number[] | null
} {
  return {
    slots: readArray(slots),
    terms: unpackLines(lines),
    differences: differences === null ? null : readArray(differences),
  }
}

/** `{1,2}`: an array of whole numbers without nulls. */
function readArray(text: string): number[] {
  return JSON.parse(`[${text.slice(1, -1)}]`) as number[]
}

/** Sums by period. */
export class ExposureSums {
  readonly periods = new Map<number, PeriodSums>()

  of(period_id: number): PeriodSums {
    const sums = this.periods.get(period_id) ?? new PeriodSums()
    this.periods.set(period_id, sums)
    return sums
  }
}
