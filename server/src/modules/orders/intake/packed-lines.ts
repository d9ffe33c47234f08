// How a ticket's lines stand on it: packed as they were accepted, one JSON array a line, and never changed. The view
// `order_items` (`0006-orders.sql`) reads them, with what became of them since.

import { type BetTypeCode, slotOf } from '@megalot/rules'
import { type RawBuilder, sql } from 'kysely'
import type { AcceptedLine } from '../ticket.ts'

/** More than there are slots. */
const KEYS_PER_PERIOD = 10_000

/** A bet on a number of a period as one number, by which tickets that hold it are found. */
export function betKey(period_id: number, bet_type: BetTypeCode, number: string): number {
  return period_id * KEYS_PER_PERIOD + slotOf(bet_type, number)
}

/** SQL for whether a row of `orders` holds a bet of one of these slots, whatever its period. */
export function holdsBet(slots: readonly number[]): RawBuilder<boolean> {
  const keys = slots.map((slot) => sql`period_id * ${sql.lit(KEYS_PER_PERIOD)}::bigint + ${sql.lit(slot)}`)
  return sql`bet_keys && array[${sql.join(keys)}]`
}

/**
 * The lines as the column `lines` keeps them, beside their `betKey`s; amounts in satang, rates in hundredths, discount rates
 * in hundredths of a percent.
 */
export function packLines(lines: readonly AcceptedLine[]): string {
  let packed = '['
  for (const line of lines) {
    const { bet_satang, received_satang, rate, rate_seen, discount_rate, discount_satang, is_half_pay } = line
    packed += `${packed === '[' ? '[' : ',['}${bet_satang},${received_satang},${rate},${rate_seen},${discount_rate},${discount_satang},${is_half_pay ? '1]' : '0]'}`
  }
  return `${packed}]`
}

/** The `betKey`s of the lines as the column `bet_keys` reads them. */
export function packKeys(period_id: number, lines: readonly AcceptedLine[]): string {
  let packed = '{'
  for (const { bet_type, number } of lines)
    packed += `${packed === '{' ? '' : ','}${betKey(period_id, bet_type, number)}`
  return `${packed}}`
}
