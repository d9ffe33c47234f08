import type { BetTypeCode, BetTypeTerms, CancelRules } from '@megalot/rules'
import type { PeriodStatus } from '@megalot/contract'
import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/db.ts'
import type { PeriodOutcome } from '../../platform/tables.ts'
import type { PlannedPeriod, Timetable } from './timetable.ts'

export interface PeriodRecord {
  period_id: number
  period_code: string
  product_code: string
  period_date: string
  round: number | null
  open_at: Date
  close_at: Date
  draw_at: Date
  outcome: PeriodOutcome
  /** By the database's clock. */
  status: PeriodStatus
}

/** A period's columns with its status at this moment; the table must be named `periods`. */
export const periodColumns = sql`
  periods.period_id, periods.period_code, periods.product_code, periods.period_date, periods.round, periods.open_at,
  periods.close_at, periods.draw_at, periods.outcome,
  case when periods.outcome in ('settled', 'void') then periods.outcome
    when periods.outcome = 'voiding' then 'closed'
    when clock_timestamp() < periods.open_at then 'upcoming'
    when clock_timestamp() < periods.close_at then 'open' else 'closed' end as status`

export async function findPeriod(db: Db, period_code: string): Promise<PeriodRecord | undefined> {
  const { rows } = await sql<PeriodRecord>`
    select ${periodColumns} from periods where period_code = ${period_code}`.execute(db)
  return rows[0]
}

/** @throws Error where there is none: an id comes from our own rows */
export async function getPeriodById(db: Db, period_id: number): Promise<PeriodRecord> {
  const { rows } = await sql<PeriodRecord>`
    select ${periodColumns} from periods where period_id = ${period_id}`.execute(db)
  if (!rows[0]) throw new Error(`There is no period ${period_id}`)
  return rows[0]
}

/** Any number; with a period's id it names the lock under which its bets, its close and its award meet. */
const PERIOD_LOCK = 7_361_206

/**
 * The period, locked until the transaction ends against every other decision on it: betting, closing, awarding.
 * The lock is an advisory one because those queue fairly: a row lock that many share is overtaken by ever new sharers, and
 * an early close under load would never come to its turn.
 */
export async function lockPeriod(tx: Tx, period_code: string): Promise<PeriodRecord | undefined> {
  // Lock first and read the clock after: the wait for the lock may outlast the period.
  await sql`
    select pg_advisory_xact_lock(${PERIOD_LOCK}, period_id) from periods where period_code = ${period_code}`.execute(tx)
  return findPeriod(tx, period_code)
}

/** The periods of a market that bets are or will be taken for, each locked as by `lockPeriod`, in sorted order. */
export async function lockPeriodsToBet(tx: Tx, product_code: string): Promise<void> {
  await sql`
    select pg_advisory_xact_lock(${PERIOD_LOCK}, period_id) from (
      select period_id from periods
      where product_code = ${product_code} and outcome = 'pending' and close_at > clock_timestamp() order by period_id
    ) open_ones`.execute(tx)
}

/** Shares the period with other batches of bets, but not with closing or awarding it. What is read after it holds. */
export async function sharePeriod(tx: Tx, period_code: string): Promise<void> {
  await sql`
    select pg_advisory_xact_lock_shared(${PERIOD_LOCK}, period_id) from periods
    where period_code = ${period_code}`.execute(tx)
}

/** The period, shared as by `sharePeriod`. */
export async function findSharedPeriod(tx: Tx, period_code: string): Promise<PeriodRecord | undefined> {
  await sharePeriod(tx, period_code)
  return findPeriod(tx, period_code)
}

export async function findCancelRules(db: Db, product_code: string): Promise<CancelRules | undefined> {
  return selectCancelRules(db, product_code)
    .executeTakeFirst()
    .then((row) => row?.cancel_rules)
}

/** As `findCancelRules`; others who change them wait until the transaction ends. */
export async function lockCancelRules(tx: Tx, product_code: string): Promise<CancelRules | undefined> {
  return selectCancelRules(tx, product_code)
    .forNoKeyUpdate()
    .executeTakeFirst()
    .then((row) => row?.cancel_rules)
}

function selectCancelRules(db: Db, product_code: string) {
  return db.selectFrom('products').select('cancel_rules').where('product_code', '=', product_code)
}

export async function saveCancelRules(tx: Tx, product_code: string, rules: CancelRules): Promise<void> {
  await tx
    .updateTable('products')
    .set({ cancel_rules: JSON.stringify(rules) })
    .where('product_code', '=', product_code)
    .execute()
}

/** Of each market the period open now, else the next one to open. */
export async function listCurrentPeriods(db: Db): Promise<PeriodRecord[]> {
  const { rows } = await sql<PeriodRecord>`
    select distinct on (periods.product_code) ${periodColumns} from periods
    where periods.close_at > clock_timestamp() and periods.outcome = 'pending'
    order by periods.product_code, periods.open_at > clock_timestamp(), periods.close_at`.execute(db)
  return rows
}

/** Periods of a market that have opened, newest first. */
export async function listOpenedPeriods(
  db: Db,
  product_code: string,
  limit: number,
  offset: number,
): Promise<PeriodRecord[]> {
  const { rows } = await sql<PeriodRecord>`
    select ${periodColumns} from periods
    where periods.product_code = ${product_code} and periods.open_at <= clock_timestamp()
    order by periods.close_at desc limit ${limit} offset ${offset}`.execute(db)
  return rows
}

/** The periods of one day of a market. */
export async function listPeriodsBetween(
  db: Db,
  product_code: string,
  first_day: string,
  last_day: string,
): Promise<PeriodRecord[]> {
  const { rows } = await sql<PeriodRecord>`
    select ${periodColumns} from periods
    where periods.product_code = ${product_code} and periods.period_date between ${first_day}::date and ${last_day}::date
    order by periods.period_id`.execute(db)
  return rows
}

/** What is decided about a market as a whole; whoever else locks it waits until the transaction ends. */
export async function lockProduct(
  tx: Tx,
  product_code: string,
): Promise<{ timetable: Timetable | null; is_enabled: boolean } | undefined> {
  const product = await tx
    .selectFrom('products')
    .select(['timetable', 'is_enabled'])
    .where('product_code', '=', product_code)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return product && { ...product, timetable: product.timetable as Timetable | null }
}

export async function saveIsEnabled(tx: Tx, product_code: string, is_enabled: boolean): Promise<void> {
  await tx.updateTable('products').set({ is_enabled }).where('product_code', '=', product_code).execute()
}

/** Adds periods that are not there yet. @returns how many were new */
export async function insertPeriods(db: Db, product_code: string, periods: readonly PlannedPeriod[]): Promise<number> {
  if (periods.length === 0) return 0
  const result = await db
    .insertInto('periods')
    .values(periods.map((period) => ({ product_code, ...period })))
    .onConflict((on) => on.column('period_code').doNothing())
    .executeTakeFirst()
  return Number(result.numInsertedOrUpdatedRows ?? 0)
}

export async function closeNow(tx: Tx, period_id: number): Promise<void> {
  await sql`update periods set close_at = clock_timestamp() where period_id = ${period_id}`.execute(tx)
}

export async function setOutcome(tx: Tx, period_id: number, outcome: PeriodOutcome): Promise<void> {
  await tx.updateTable('periods').set({ outcome }).where('period_id', '=', period_id).execute()
}

export interface PackageRecord {
  package_id: number
  package_code: string
  name: string
  max_items: number
}

/** A package with its terms, as it stands now. */
export interface PackageTerms extends PackageRecord {
  terms: BetTypeTerms[]
}

/** The packages of a market that a user has been given. */
export async function listGivenPackages(db: Db, user_id: number, product_code: string): Promise<PackageRecord[]> {
  const { rows } = await sql<PackageRecord>`
    select packages.package_id, package_code, name, max_items
    from packages join user_packages given using (package_id)
    where product_code = ${product_code} and given.user_id = ${user_id}
    order by position`.execute(db)
  return rows
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

/** The markets of which a user has any package. */
export async function listProductCodesWithPackage(db: Db, user_id: number): Promise<string[]> {
  const rows = await db
    .selectFrom('packages')
    .innerJoin('user_packages', 'user_packages.package_id', 'packages.package_id')
    .select('product_code')
    .distinct()
    .where('user_id', '=', user_id)
    .execute()
  return rows.map((row) => row.product_code)
}

/** The terms of packages, by package. */
export async function listTerms(db: Db, package_ids: readonly number[]): Promise<Map<number, BetTypeTerms[]>> {
  const termsOf = new Map(package_ids.map((package_id) => [package_id, [] as BetTypeTerms[]]))
  if (package_ids.length === 0) return termsOf
  const rows = await db.selectFrom('package_terms').selectAll().where('package_id', 'in', package_ids).execute()
  for (const { package_id, ...terms } of rows) termsOf.get(package_id)?.push(terms)
  return termsOf
}

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

/** A package with the market it belongs to. */
export interface MarketPackageRecord extends PackageRecord {
  product_code: string
}

/** Every package of every market, in the markets' order. */
export async function listPackageRecords(db: Db): Promise<MarketPackageRecord[]> {
  return db
    .selectFrom('packages')
    .innerJoin('products', 'products.product_code', 'packages.product_code')
    .select(['packages.package_id', 'packages.product_code', 'package_code', 'name', 'max_items'])
    .orderBy('products.position')
    .orderBy('packages.position')
    .execute()
}

/** A package, locked against other changes of its terms until the transaction ends; bets do not wait for it. */
export async function lockPackage(
  tx: Tx,
  product_code: string,
  package_code: string,
): Promise<MarketPackageRecord | undefined> {
  return tx
    .selectFrom('packages')
    .select(['package_id', 'product_code', 'package_code', 'name', 'max_items'])
    .where('product_code', '=', product_code)
    .where('package_code', '=', package_code)
    .forNoKeyUpdate()
    .executeTakeFirst()
}

export async function saveMaxItems(tx: Tx, package_id: number, max_items: number): Promise<void> {
  await tx.updateTable('packages').set({ max_items }).where('package_id', '=', package_id).execute()
}

export async function saveTerms(tx: Tx, package_id: number, { bet_type, ...terms }: BetTypeTerms): Promise<void> {
  await tx
    .updateTable('package_terms')
    .set(terms)
    .where('package_id', '=', package_id)
    .where('bet_type', '=', bet_type)
    .execute()
}

/** Gives a user the packages that another has. */
export async function copyUserPackages(tx: Tx, from_user_id: number, to_user_id: number): Promise<void> {
  await sql`
    insert into user_packages (user_id, package_id)
    select ${to_user_id}, package_id from user_packages where user_id = ${from_user_id}`.execute(tx)
}

export async function insertAllUserPackages(tx: Tx, user_id: number): Promise<void> {
  await sql`insert into user_packages (user_id, package_id) select ${user_id}, package_id from packages`.execute(tx)
}
