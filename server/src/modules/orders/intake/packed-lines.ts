// The lines of a ticket as they are stored, as they were accepted, and never changed: the texts of the columns `slots`, `lines`
// and `differences` of `orders`. `unpack_lines` (`0006-orders.sql`) reads them.

import { slotOf } from '@megalot/rules'
import type { AcceptedLine } from '../ticket.ts'

const SATANG_PER_BAHT = 100

/** The bet of each line, as its slot. */
export function packSlots(lines: readonly AcceptedLine[]): string {
  return `{${lines.map(({ bet_type, number }) => slotOf(bet_type, number)).join(',')}}`
}

/** The bet (Baht), rate and discount rate of each line. */
export function packLines(lines: readonly AcceptedLine[]): string {
  const packed = lines.map((line) => `${line.bet_satang / SATANG_PER_BAHT},${line.rate},${line.discount_rate}`)
  return `{${packed.join(',')}}`
}

/** What was received of each line, the rate seen, and whether it pays half; empty where no line differs from its bet. */
export function packDifferences(lines: readonly AcceptedLine[]): string {
  if (!lines.some(hasDifference)) return ''
  const packed = lines.map((line) => `${line.received_satang},${line.rate_seen},${line.is_half_pay ? 1 : 0}`)
  return `{${packed.join(',')}}`
}

function hasDifference({ bet_satang, received_satang, rate, rate_seen, is_half_pay }: AcceptedLine): boolean {
  return received_satang !== bet_satang || rate !== rate_seen || is_half_pay
}
