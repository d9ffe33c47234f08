// The lines of a ticket as they are stored: packed as they were accepted, one JSON array for each line, and never
// changed. The view `order_items` (`0006-orders.sql`) reads them together with their later results.

import { type BetTypeCode, slotOf } from '@megalot/rules'
import { type RawBuilder, sql } from 'kysely'
import type { AcceptedLine } from '../ticket.ts'

/** More than the number of slots. */
const KEYS_PER_PERIOD = 10_000

/** A bet on a number of a period as one integer, which indexes the tickets that contain it. */
export function betKey(period_id: number, bet_type: BetTypeCode, number: string): number {
  return period_id * KEYS_PER_PERIOD + slotOf(bet_type, number)
}

/** SQL for whether a row of `orders` contains a bet of one of these slots, in any period. */
export function holdsBet(slots: readonly number[]): RawBuilder<boolean> {
  const keys = slots.map((slot) => sql`period_id * ${sql.lit(KEYS_PER_PERIOD)}::bigint + ${sql.lit(slot)}`)
  return sql`bet_keys && array[${sql.join(keys)}]`
}

/**
 * The lines in the format of the column `lines`, and their `betKey`s; amounts in satang, rates in hundredths, discount
 * rates in hundredths of a percent.
 */
export function packLines(lines: readonly AcceptedLine[]): string {
  let packed = '['
  for (const line of lines) {
    const { bet_satang, received_satang, rate, rate_seen, discount_rate, discount_satang, is_half_pay } = line
    packed += `${packed === '[' ? '[' : ',['}${bet_satang},${received_satang},${rate},${rate_seen},${discount_rate},${discount_satang},${is_half_pay ? '1]' : '0]'}`
  }
  return `${packed}]`
}

/** The `betKey`s of the lines in the format of the column `bet_keys`. */
export function packKeys(period_id: number, lines: readonly AcceptedLine[]): string {
  let packed = '{'
  for (const { bet_type, number } of lines)
    packed += `${packed === '{' ? '' : ','}${betKey(period_id, bet_type, number)}`
  return `${packed}}`
}
