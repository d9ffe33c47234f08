import type { BetTypeTerms, CancelRules } from '@megalot/rules'
import { sql } from 'kysely'
import type { Db, Tx } from '../postgres/db.ts'
import type { PackageRecord } from './package-terms.ts'
import { periodColumns, type PeriodRecord } from './periods.ts'
import type { PlacedPeriod, PlannedPeriod } from './timetable.ts'

export async function findCancelRules(db: Db, product_code: string): Promise<CancelRules | undefined> {
  return selectCancelRules(db, product_code)
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

/** Per market, the open period, otherwise the next one to open. */
export async function listCurrentPeriods(db: Db): Promise<PeriodRecord[]> {
  const { rows } = await sql<PeriodRecord>`
    select distinct on (periods.product_code) ${periodColumns} from periods
    where periods.close_at > clock_timestamp() and periods.outcome = 'pending'
    order by periods.product_code, periods.open_at > clock_timestamp(), periods.close_at`.execute(db)
  return rows
}

/** Opened periods of one market or of all, newest first. */
export async function listOpenedPeriods(
  db: Db,
  product_code: string | undefined,
  limit: number,
  offset: number,
): Promise<PeriodRecord[]> {
  const { rows } = await sql<PeriodRecord>`
    select ${periodColumns} from periods
    where ${product_code === undefined ? sql`true` : sql`periods.product_code = ${product_code}`}
      and periods.open_at <= clock_timestamp()
    order by periods.close_at desc, periods.period_id desc limit ${limit} offset ${offset}`.execute(db)
  return rows
}

/** Whether two people have postponed a period's draw to another day, and it closes by then. Reads the proposals. */
const isPostponed = sql`exists (
  select 1 from approvals
  where kind = 'postpone_period' and state = 'executed' and subject = 'period:' || periods.period_code
    and periods.close_at <= (state_after->>'close_at')::timestamptz and periods.draw_at = (state_after->>'draw_at')::timestamptz
) as is_postponed`

/** Periods that accept bets now or later, of one market or of all, by close. */
export async function listPeriodsToClose(db: Db, product_code?: string): Promise<PlacedPeriod[]> {
  const { rows } = await sql<PlacedPeriod>`
    select ${periodColumns}, ${isPostponed} from periods
    where ${product_code === undefined ? sql`true` : sql`periods.product_code = ${product_code}`}
      and periods.outcome = 'pending' and periods.closed_at is null and periods.close_at > clock_timestamp()
    order by periods.close_at, periods.period_id`.execute(db)
  return rows
}

/** A market's periods from a day on, by day. */
export async function listPeriodsFrom(
  db: Db,
  product_code: string,
  first_day: string,
): Promise<(PlacedPeriod & { is_manual: boolean })[]> {
  const { rows } = await sql<PlacedPeriod & { is_manual: boolean }>`
    select ${periodColumns}, periods.is_manual, ${isPostponed} from periods
    where periods.product_code = ${product_code} and periods.period_date >= ${first_day}::date
    order by periods.period_date, periods.period_id`.execute(db)
  return rows
}

/** The codes of a day's unopened periods. */
export async function listUnopenedPeriods(db: Db, product_codes: readonly string[], day: string): Promise<string[]> {
  const { rows } = await sql<{ period_code: string }>`
    select period_code from periods
    where product_code = any(${product_codes}::text[]) and period_date = ${day}::date and open_at > clock_timestamp()`.execute(
    db,
  )
  return rows.map(({ period_code }) => period_code)
}

/** A market's periods of some days. */
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

/** Bet types without a standing quota, of one market or of all that are on. */
export async function listUnlimitedBetTypes(
  db: Db,
  product_code: string | null,
): Promise<{ product_code: string; bet_type: string }[]> {
  const { rows } = await sql<{ product_code: string; bet_type: string }>`
    select product_code, offered.bet_type from products cross join unnest(bet_types) offered (bet_type)
    where case when ${product_code}::text is null then is_enabled else product_code = ${product_code} end
      and not exists (
        select from quotas where quotas.product_code = products.product_code and quotas.bet_type = offered.bet_type
          and period_id is null and package_code is null)
    order by product_code`.execute(db)
  return rows
}

export async function saveIsEnabled(tx: Tx, product_code: string, is_enabled: boolean): Promise<void> {
  await tx.updateTable('products').set({ is_enabled }).where('product_code', '=', product_code).execute()
}

/** Limits the duration of a statement, which also writes the standing rules' numbers for each of its periods. */
const PERIODS_A_STATEMENT = 50

/**
 * Adds periods that do not exist yet.
 * @param is_manual whether a person creates them, outside the timetable
 * @returns the codes of new periods
 */
export async function insertPeriods(
  db: Db,
  product_code: string,
  periods: readonly PlannedPeriod[],
  is_manual = false,
): Promise<string[]> {
  const codes: string[] = []
  for (let from = 0; from < periods.length; from += PERIODS_A_STATEMENT) {
    const part = periods.slice(from, from + PERIODS_A_STATEMENT)
    const made = await db
      .insertInto('periods')
      .values(part.map((period) => ({ product_code, is_manual, ...period })))
      .onConflict((on) => on.column('period_code').doNothing())
      .returning('period_code')
      .execute()
    codes.push(...made.map(({ period_code }) => period_code))
  }
  return codes
}

/** A market's packages that a user has. */
export async function listGivenPackages(db: Db, user_id: number, product_code: string): Promise<PackageRecord[]> {
  const { rows } = await sql<PackageRecord>`
    select packages.package_id, package_code, name, max_items
    from packages join user_packages given using (package_id)
    where product_code = ${product_code} and given.user_id = ${user_id}
    order by position`.execute(db)
  return rows
}

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

/**
 * The highest commission directly below the company for bets in a market; 0 if there is none. Lock the market first,
 * and the shares.
 */
export async function findHighestCommission(tx: Db, product_code: string): Promise<number> {
  // Current commissions, which periods get that open from now on; later ones, if the clock has stepped back; and those
  // of periods that already accept bets.
  const { rows } = await sql<{ commission_rate: number }>`
    select coalesce(max((share_terms_at(user_id, instant)).commission_rate), 0) as commission_rate
    from users cross join (
      select clock_timestamp() as instant
      union select since_at from share_terms where since_at > clock_timestamp()
      union select shares_at from periods
      where product_code = ${product_code} and outcome = 'pending' and closed_at is null
        and close_at > clock_timestamp() and shares_at <= clock_timestamp()
    ) instants
    where parent_id = (select user_id from users where level = 'company' and not is_office and principal_id is null)
      and not is_office and level <> 'member'`.execute(tx)
  return rows[0]!.commission_rate
}

/** A package with the market it belongs to. */
export interface MarketPackageRecord extends PackageRecord {
  product_code: string
}

/** All packages of all markets, in the markets' order. */
export async function listPackageRecords(db: Db): Promise<MarketPackageRecord[]> {
  return db
    .selectFrom('packages')
    .innerJoin('products', 'products.product_code', 'packages.product_code')
    .select(['packages.package_id', 'packages.product_code', 'package_code', 'name', 'max_items'])
    .orderBy('products.position')
    .orderBy('packages.position')
    .execute()
}

export async function findPackage(
  db: Db,
  product_code: string,
  package_code: string,
): Promise<MarketPackageRecord | undefined> {
  return db
    .selectFrom('packages')
    .select(['package_id', 'product_code', 'package_code', 'name', 'max_items'])
    .where('product_code', '=', product_code)
    .where('package_code', '=', package_code)
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

/** Gives a user another user's packages: all, or only these. */
export async function copyUserPackages(
  tx: Tx,
  from_user_id: number,
  to_user_id: number,
  package_ids: readonly number[] | null,
): Promise<void> {
  await sql`
    insert into user_packages (user_id, package_id)
    select ${to_user_id}, package_id from user_packages
    where user_id = ${from_user_id} and (${package_ids}::int[] is null or package_id = any(${package_ids}::int[]))`.execute(
    tx,
  )
}

export async function insertUserPackages(
  tx: Tx,
  user_id: number,
  package_ids: readonly number[] | null,
): Promise<void> {
  await sql`
    insert into user_packages (user_id, package_id) select ${user_id}, package_id from packages
    where ${package_ids}::int[] is null or package_id = any(${package_ids}::int[])
    on conflict do nothing`.execute(tx)
}
