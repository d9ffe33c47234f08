// Markets, their periods, and the packages a user may bet with.

import type { GameConfig, Period, Product, ProductPeriod } from '@megalot/contract'
import { type Db, readClock, type Tx } from '../postgres/db.ts'
import { refuseFarPage } from '../http/page.ts'
import { Refusal } from '../lib/refusal.ts'
import { listMaintenances } from './maintenance/index.ts'
import { type PeriodRecord, toPeriod } from './periods.ts'
import {
  insertPeriods,
  listCurrentPeriods,
  listGivenPackages,
  listOpenedPeriods,
  listPeriodsBetween,
  listProductCodesWithPackage,
  listTerms,
} from './markets.store.ts'
import type { PackageRecord } from './package-terms.ts'
import { getProduct, listProducts } from './products.ts'
import { type MarketTimetables, type PlannedPeriod, planPeriods } from './timetable.ts'
import { findProductTimetables, listProductTimetables, lockProduct } from './timetables.store.ts'

/** How far ahead periods are created, in days. */
const DAYS_AHEAD = 7

/** Enabled markets. */
export async function listEnabledProducts(db: Db): Promise<Product[]> {
  return (await listProducts(db)).filter((product) => product.is_enabled)
}

/** Enabled markets of which a user has a package, open or not. */
export async function listAvailableProducts(db: Db, user_id: number): Promise<Product[]> {
  const products = await listEnabledProducts(db)
  const hasPackage = new Set(await listProductCodesWithPackage(db, user_id))
  return products.filter((product) => hasPackage.has(product.product_code))
}

/**
 * Every market with its current or next period, for one user's lotto list. Markets that are switched off or in
 * maintenance are included and marked.
 */
export async function listProductPeriods(db: Db, user_id: number): Promise<{ now: string; products: ProductPeriod[] }> {
  // Sequential, because this is a frequent call, and each call should hold one connection.
  const products = await listProducts(db)
  const periodOf = new Map((await listCurrentPeriods(db)).map((period) => [period.product_code, period]))
  const hasPackage = new Set(await listProductCodesWithPackage(db, user_id))
  const maintenances = await listMaintenances(db)
  const maintenanceOf = new Map(maintenances.products.map(({ product_code, ...message }) => [product_code, message]))
  const now = await readClock(db)
  return {
    now: now.toISOString(),
    products: products.map((product) => {
      const period = periodOf.get(product.product_code)
      return {
        ...product,
        has_package: hasPackage.has(product.product_code),
        maintenance: maintenanceOf.get(product.product_code) ?? null,
        current_period: period ? toPeriod(period) : null,
      }
    }),
  }
}

/**
 * Periods of one market, or of all. Older ones are found by code or by day.
 * @throws Refusal unknown_product, bad_input (a far page)
 */
export async function listPeriods(
  db: Db,
  product_code: string | undefined,
  limit: number,
  offset: number,
): Promise<{ now: string; periods: Period[] }> {
  refuseFarPage({ limit, offset })
  if (product_code !== undefined) await getProduct(db, product_code)
  const periods = await listOpenedPeriods(db, product_code, limit, offset)
  return { now: (await readClock(db)).toISOString(), periods: periods.map(toPeriod) }
}

/** @throws Refusal unknown_product */
export async function listPackages(db: Db, user_id: number, product_code: string): Promise<PackageRecord[]> {
  await getProduct(db, product_code)
  return listGivenPackages(db, user_id, product_code)
}

/** @throws Refusal unknown_product, no_package */
export async function getGameConfig(
  db: Db,
  user_id: number,
  product_code: string,
  package_code: string,
): Promise<GameConfig> {
  const product = await getProduct(db, product_code)
  const found = (await listGivenPackages(db, user_id, product_code)).find((each) => each.package_code === package_code)
  if (!found) throw new Refusal('no_package')
  const terms = (await listTerms(db, [found.package_id])).get(found.package_id) ?? []
  return {
    product_code,
    package_code,
    max_items: found.max_items,
    bet_types: product.bet_types.flatMap((bet_type) => terms.filter((each) => each.bet_type === bet_type)),
  }
}

/**
 * Creates the periods of all enabled markets in advance; existing ones are unchanged. A failing market does not affect
 * the others.
 * @returns how many were new
 * @throws the first error, after the others are created
 */
export async function makePeriods(db: Db): Promise<number> {
  let made = 0
  const errors: unknown[] = []
  for (const { product_code } of await listProductTimetables(db))
    try {
      const codes = await db.transaction().execute(async (tx) => {
        // Locks what determines its periods until they are created; otherwise a holiday set meanwhile would be undone.
        const product = (await lockProduct(tx, product_code))!
        return product.is_enabled ? makePeriodsOf(tx, product_code, product, await readClock(tx)) : []
      })
      made += codes.length
    } catch (error) {
      errors.push(error)
    }
  if (errors.length > 0) throw errors[0]
  return made
}

/**
 * As `makePeriods`, for one locked market.
 * @returns the codes of new periods
 */
export async function makePeriodsOf(
  tx: Tx,
  product_code: string,
  timetables: MarketTimetables,
  now: Date,
): Promise<string[]> {
  return insertPeriods(tx, product_code, await planNewPeriods(tx, product_code, timetables, now))
}

function planAhead(product_code: string, timetables: MarketTimetables, now: Date): PlannedPeriod[] {
  return planPeriods(product_code, timetables, now, new Date(now.getTime() + DAYS_AHEAD * 86_400_000))
}

/**
 * The days of the periods that a market's timetable plans in advance, one per period, created or not. Includes
 * holidays, because they may be undone.
 */
export async function listPlannedDays(db: Db, product_code: string): Promise<string[]> {
  const product = await findProductTimetables(db, product_code)
  if (!product) throw new Refusal('unknown_product')
  return planAhead(product_code, { ...product, holidays: new Set() }, await readClock(db)).map(
    ({ period_date }) => period_date,
  )
}

/** Planned periods that a market should have in advance, and may have besides the existing ones. */
export async function planNewPeriods(
  db: Db,
  product_code: string,
  timetables: MarketTimetables,
  now: Date,
): Promise<PlannedPeriod[]> {
  const planned = planAhead(product_code, timetables, now)
  // All periods of a day belong to one draw, unless the market has rounds: then the timetable creates none beside one
  // made by the office.
  const [first, last] = [planned[0], planned.at(-1)]
  if (!first || !last) return []
  const existing = await listPeriodsOfDraws(db, product_code, first.period_date, last.period_date, now)
  const isFree = ({ period_date, period_code, round }: PlannedPeriod) =>
    round !== null || existing.every((other) => other.period_date !== period_date || other.period_code === period_code)
  return planned.filter(isFree)
}

/**
 * Periods of some days whose draws were or will be held: all except those voided before their draw. The numbers of a
 * draw that was held and then voided are known.
 */
export async function listPeriodsOfDraws(
  db: Db,
  product_code: string,
  first_day: string,
  last_day: string,
  now: Date,
): Promise<PeriodRecord[]> {
  const periods = await listPeriodsBetween(db, product_code, first_day, last_day)
  return periods.filter(({ outcome, draw_at }) => draw_at <= now || (outcome !== 'voiding' && outcome !== 'void'))
}
