// Terms of packages for intake: the current ones, and the rates and discounts offered since a period opened.

import type { BetTypeCode, BetTypeTerms } from '@megalot/rules'
import { sql } from 'kysely'
import type { Tx } from '../postgres/db.ts'

export interface PackageRecord {
  package_id: number
  package_code: string
  name: string
  max_items: number
}

/** A package with its current terms. */
export interface PackageTerms extends PackageRecord {
  terms: BetTypeTerms[]
}

/** What packages have offered. */
export interface OfferedTerms {
  /** As `rateKey`s. */
  rates: ReadonlySet<string>
  /** The lowest and the highest discount rate, by `termsKey`. */
  discounts: ReadonlyMap<string, { lowest: number; highest: number }>
}

export const NOTHING_OFFERED: OfferedTerms = { rates: new Set(), discounts: new Map() }

export function termsKey(package_id: number, bet_type: BetTypeCode): string {
  return `${package_id} ${bet_type}`
}

export function rateKey(package_id: number, bet_type: BetTypeCode, rate: number): string {
  return `${termsKey(package_id, bet_type)} ${rate}`
}

/**
 * Every rate and discount that one of these packages has offered at any time since `since`, while the bet type was on.
 */
export async function listOfferedTerms(tx: Tx, package_ids: readonly number[], since: Date): Promise<OfferedTerms> {
  if (package_ids.length === 0) return NOTHING_OFFERED
  const { rows } = await sql<{ package_id: number; bet_type: BetTypeCode; rate: number; discount_rate: number }>`
    select distinct package_id, bet_type, rate, discount_rate from (
      select package_id, bet_type, rate, discount_rate, is_on,
        lead(since_at) over (partition by package_id, bet_type order by since_at) as until_at
      from package_terms_history where package_id = any(${package_ids}::int[])
    ) terms where is_on and (until_at is null or until_at > ${since})`.execute(tx)
  const discounts = new Map<string, { lowest: number; highest: number }>()
  for (const { package_id, bet_type, discount_rate } of rows) {
    const key = termsKey(package_id, bet_type)
    const { lowest, highest } = discounts.get(key) ?? { lowest: discount_rate, highest: discount_rate }
    discounts.set(key, { lowest: Math.min(lowest, discount_rate), highest: Math.max(highest, discount_rate) })
  }
  return { rates: new Set(rows.map((row) => rateKey(row.package_id, row.bet_type, row.rate))), discounts }
}
