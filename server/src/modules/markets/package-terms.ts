// The terms of packages as intake reads them: their present terms, and the rates that they have offered since a period
// opened.

import type { BetTypeCode, BetTypeTerms } from '@megalot/rules'
import { sql } from 'kysely'
import type { Tx } from '../../platform/db.ts'

export interface PackageRecord {
  package_id: number
  package_code: string
  name: string
  max_items: number
}

/** A package with its present terms. */
export interface PackageTerms extends PackageRecord {
  terms: BetTypeTerms[]
}

/** SQL that gives the packages of `products.product_code` with their terms: JSON of `PackageTerms[]`. */
export const packagesOfProduct = sql<PackageTerms[]>`(
  select coalesce(json_agg(json_build_object('package_id', package_id, 'package_code', package_code, 'name', name,
    'max_items', max_items, 'terms', (
      select coalesce(json_agg(json_build_object('bet_type', bet_type, 'rate', rate, 'discount_rate', discount_rate,
        'min_satang', min_satang, 'max_satang', max_satang, 'max_per_number_satang', max_per_number_satang,
        'is_on', is_on) order by bet_type), '[]')
      from package_terms terms where terms.package_id = packages.package_id)) order by package_id), '[]')
  from packages where packages.product_code = products.product_code)`

/** The rates that packages have offered, as `rateKey`s. */
export type OfferedRates = ReadonlySet<string>

export function rateKey(package_id: number, bet_type: BetTypeCode, rate: number): string {
  return `${package_id} ${bet_type} ${rate}`
}

/** Every rate that one of these packages has offered at any time from `since` until now. */
export async function listOfferedRates(tx: Tx, package_ids: readonly number[], since: Date): Promise<OfferedRates> {
  if (package_ids.length === 0) return new Set()
  const { rows } = await sql<{ package_id: number; bet_type: BetTypeCode; rate: number }>`
    select distinct package_id, bet_type, rate from (
      select package_id, bet_type, rate,
        lead(since_at) over (partition by package_id, bet_type order by since_at) as until_at
      from package_terms_history where package_id = any(${package_ids}::int[])
    ) terms where until_at is null or until_at > ${since}`.execute(tx)
  return new Set(rows.map((row) => rateKey(row.package_id, row.bet_type, row.rate)))
}
