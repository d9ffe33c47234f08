// Writes missing markets and packages of the catalogue.

import { betTypeCodes } from '@megalot/rules'
import type { Tx } from '../postgres/db.ts'
import { loadExchangeData } from './exchange-data.ts'
import { catalogue, cataloguePackages, maxSatangOf, MIN_SATANG } from './catalogue.ts'

/**
 * Existing ones are left unchanged.
 * @param is_enabled whether new ones are on
 * @returns the ids of new packages
 */
export async function seedMarkets(tx: Tx, is_enabled: boolean): Promise<number[]> {
  const created: number[] = []
  await loadExchangeData(tx)
  await tx
    .insertInto('products')
    .values(
      catalogue.map(({ exchange, ...market }, position) => ({
        ...market,
        ...exchange,
        bet_types: [...market.bet_types],
        doubtful_days: [...market.doubtful_days],
        timetable: JSON.stringify(market.timetable),
        is_enabled,
        position,
      })),
    )
    .onConflict((on) => on.doNothing())
    .execute()
  for (const market of catalogue)
    for (const [position, { package_code, name, terms }] of cataloguePackages.entries()) {
      const made = await tx
        .insertInto('packages')
        .values({ product_code: market.product_code, package_code, name, position })
        .onConflict((on) => on.doNothing())
        .returning('package_id')
        .executeTakeFirst()
      if (!made) continue
      created.push(made.package_id)
      const offered = betTypeCodes.filter((code) => market.bet_types.includes(code))
      await tx
        .insertInto('package_terms')
        .values(
          offered.map((bet_type) => ({
            package_id: made.package_id,
            bet_type,
            ...terms[bet_type],
            min_satang: MIN_SATANG,
            max_satang: maxSatangOf(bet_type),
            max_per_number_satang: maxSatangOf(bet_type) * 10,
          })),
        )
        .execute()
    }
  return created
}
