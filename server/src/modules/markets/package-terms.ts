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

/** The rates that packages have offered, as `rateKey`s. */
export type OfferedRates = ReadonlySet<string>

export function rateKey(package_id: number, bet_type: BetTypeCode, rate: number): string {
  return `${package_id} ${bet_type} ${rate}`
}

/** Every rate that one of these packages has offered at any time from `since` until now, while the bet type was on. */
export async function listOfferedRates(tx: Tx, package_ids: readonly number[], since: Date): Promise<OfferedRates> {
  if (package_ids.length === 0) return new Set()
  const { rows } = await sql<{ package_id: number; bet_type: BetTypeCode; rate: number }>`
    select distinct package_id, bet_type, rate from (
      select package_id, bet_type, rate, is_on,
        lead(since_at) over (partition by package_id, bet_type order by since_at) as until_at
      from package_terms_history where package_id = any(${package_ids}::int[])
    ) terms where is_on and (until_at is null or until_at > ${since})`.execute(tx)
  return new Set(rows.map((row) => rateKey(row.package_id, row.bet_type, row.rate)))
}
