// The days and markets that a report covers.

import { FIRST_DAY, LAST_DAY } from '@megalot/contract'
import { addDays, bangkokDayOf } from '../lib/bangkok.ts'
import { type Db, readClock } from '../postgres/db.ts'
import { Refusal } from '../lib/refusal.ts'
import { getProduct } from '../markets/index.ts'

export interface Span {
  /** Days of periods, both included. */
  date_from: string
  date_to: string
  /** Null for all markets. */
  product_codes: readonly string[] | null
}

const MAX_DAYS = 366
const USUAL_DAYS = 30

/**
 * The requested span; by default the last thirty days and tomorrow.
 * @throws Refusal unknown_product, span_too_long, bad_input (days in reverse order)
 */
export async function readSpan(
  db: Db,
  part: 'body' | 'querystring',
  requested: {
    date_from?: string | undefined
    date_to?: string | undefined
    product_codes?: readonly string[] | undefined
  },
): Promise<Span> {
  const today = bangkokDayOf(await readClock(db))
  // A market's open period may have a day in the future.
  const date_from =
    requested.date_from ?? later(addDays(earlier(today, requested.date_to ?? today), -USUAL_DAYS), FIRST_DAY)
  const usual_to = earlier(addDays(later(today, date_from), USUAL_DAYS), addDays(date_from, MAX_DAYS))
  const date_to = requested.date_to ?? earlier(usual_to, LAST_DAY)
  if (date_from > date_to) throw new Refusal('bad_input', { problems: [{ part, path: '/date_to', rule: 'order' }] })
  if (date_to > addDays(date_from, MAX_DAYS)) throw new Refusal('span_too_long', { most_days: MAX_DAYS })
  for (const product_code of requested.product_codes ?? []) await getProduct(db, product_code)
  const product_codes = requested.product_codes?.length ? requested.product_codes : null
  return { date_from, date_to, product_codes }
}

const earlier = (one: string, other: string): string => (one < other ? one : other)
const later = (one: string, other: string): string => (one > other ? one : other)
