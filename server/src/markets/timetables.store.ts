import type { Timetable } from '@megalot/contract'
import { sql } from 'kysely'
import type { Db, Tx } from '../postgres/db.ts'
import { shareStandingRules } from './periods.ts'
import type { MarketTimetables } from './timetable.ts'

/** A market with what determines its periods. */
export interface ProductTimetables extends MarketTimetables {
  product_code: string
  is_enabled: boolean
  holiday_names: readonly { day: string; name: string }[]
}

interface Row extends Omit<ProductTimetables, 'next' | 'holidays'> {
  next_timetable: Timetable | null
  next_timetable_from: string | null
}

const columns = sql`
  product_code, is_enabled, timetable, next_timetable, to_char(next_timetable_from, 'YYYY-MM-DD') as next_timetable_from,
  coalesce((
    select json_agg(json_build_object('day', to_char(holiday, 'YYYY-MM-DD'), 'name', name) order by holiday)
    from market_holidays where market_holidays.product_code = products.product_code and holiday > current_date - 62
  ), '[]') as holiday_names,
  (
    select json_build_object('exchange_code', exchange_code, 'zone', zone, 'opens', to_char(opens, 'HH24:MI'),
      'closes', to_char(closes, 'HH24:MI'), 'weekdays', weekdays, 'margin_minutes', products.exchange_margin_minutes,
      'published_until', to_char(published_until, 'YYYY-MM-DD'), 'note', note,
      'listed_until', to_char(listed_until, 'YYYY-MM-DD'), 'days', coalesce((
        select json_agg(json_build_object('day', to_char(day, 'YYYY-MM-DD'), 'closes', to_char(d.closes, 'HH24:MI'), 'name', name)
          order by day)
        from exchange_days d where d.exchange_code = products.exchange_code and day > current_date - 62
      ), '[]'))
    from exchanges join exchange_sessions using (exchange_code)
    where exchange_code = products.exchange_code and exchange_session = products.exchange_session
  ) as exchange,
  doubtful_days, coalesce((
    select json_agg(json_build_object('day', to_char(day, 'YYYY-MM-DD'), 'is_confirmed', is_confirmed))
    from market_draw_days d where d.product_code = products.product_code and day > current_date - 62
  ), '[]') as draw_days`

function toTimetables({ next_timetable, next_timetable_from, ...row }: Row): ProductTimetables {
  const next =
    next_timetable && next_timetable_from ? { timetable: next_timetable, first_day: next_timetable_from } : null
  return { ...row, next, holidays: new Set(row.holiday_names.map(({ day }) => day)) }
}

/** All markets, in order. Omits holidays more than 62 days old. */
export async function listProductTimetables(db: Db): Promise<ProductTimetables[]> {
  const { rows } = await sql<Row>`select ${columns} from products order by position`.execute(db)
  return rows.map(toTimetables)
}

/**
 * Locks all settings of a market until the transaction ends. Lock its periods afterwards, and standing rules before,
 * because creating periods shares them, and a rule takes them before the periods.
 */
export async function lockProduct(tx: Tx, product_code: string): Promise<ProductTimetables | undefined> {
  await shareStandingRules(tx)
  await lockMarketRow(tx, product_code)
  // Read after the lock, because a statement sees holidays as of its beginning.
  return findProductTimetables(tx, product_code)
}

export async function lockMarketRow(tx: Tx, product_code: string): Promise<void> {
  await sql`select 1 from products where product_code = ${product_code} for no key update`.execute(tx)
}

export async function lockPackageRow(
  tx: Tx,
  { product_code, package_code }: { product_code: string; package_code: string },
): Promise<void> {
  await sql`
    select 1 from packages where product_code = ${product_code} and package_code = ${package_code}
    for no key update`.execute(tx)
}

/** As `lockProduct`, without the lock. */
export async function findProductTimetables(db: Db, product_code: string): Promise<ProductTimetables | undefined> {
  const { rows } = await sql<Row>`select ${columns} from products where product_code = ${product_code}`.execute(db)
  return rows[0] && toTimetables(rows[0])
}

/** Lock the market first. */
export async function saveTimetable(
  tx: Tx,
  product_code: string,
  { timetable, next }: Pick<MarketTimetables, 'timetable' | 'next'>,
): Promise<void> {
  await tx
    .updateTable('products')
    .set({
      timetable: timetable && JSON.stringify(timetable),
      next_timetable: next && JSON.stringify(next.timetable),
      next_timetable_from: next && next.first_day,
    })
    .where('product_code', '=', product_code)
    .execute()
}

/** @returns whether anything has changed */
export async function saveHoliday(tx: Tx, product_code: string, day: string, name: string): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('market_holidays')
    .values({ product_code, holiday: day, name })
    .onConflict((on) =>
      on.columns(['product_code', 'holiday']).doUpdateSet({ name }).where('market_holidays.name', '<>', name),
    )
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

/** @returns whether there was one */
export async function deleteHoliday(tx: Tx, product_code: string, day: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('market_holidays')
    .where('product_code', '=', product_code)
    .where('holiday', '=', day)
    .executeTakeFirstOrThrow()
  return numDeletedRows === 1n
}

/** Tables whose rows can refer to a period before it has opened, besides its account and number settings. */
export const unopenedReferences = ['limit_rule_rows', 'quotas', 'quota_changes', 'orders'] as const

/**
 * Periods that would not be removed before they open, because something refers to them: their own limit or exception,
 * or a ticket from before their opening was moved.
 */
export async function listReferredPeriods(tx: Tx, period_ids: readonly number[]): Promise<ReadonlySet<number>> {
  const refers = unopenedReferences.map(
    (table) => sql`select period_id from ${sql.table(table)} where period_id = any(${period_ids})`,
  )
  const { rows } = await sql<{ period_id: number }>`
    select period_id from number_settings s where period_id = any(${period_ids}) and is_set_for_period(s)
    union ${sql.join(refers, sql` union `)}`.execute(tx)
  return new Set(rows.map(({ period_id }) => period_id))
}

/**
 * Removes an unopened period. Lock the period first.
 * @returns false if something refers to it, so it stays
 */
export async function removeUnopenedPeriod(tx: Tx, period_id: number): Promise<boolean> {
  const { rows } = await sql<{ is_removed: boolean }>`
    select remove_unopened_period(${period_id}) as is_removed`.execute(tx)
  return rows[0]!.is_removed
}

/** Lock the market first. @returns whether anything has changed */
export async function saveDrawDay(tx: Tx, product_code: string, day: string, is_confirmed: boolean): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('market_draw_days')
    .values({ product_code, day, is_confirmed })
    .onConflict((on) =>
      on
        .columns(['product_code', 'day'])
        .doUpdateSet({ is_confirmed })
        .where('market_draw_days.is_confirmed', '<>', is_confirmed),
    )
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

export interface ExchangeRecord {
  exchange_code: string
  zone: string
  published_until: string
  listed_until: string
  note: string
  /** The next holiday or early close; null if none is listed. */
  next_day: string | null
  next_closes: string | null
  next_name: string | null
}

export async function listExchanges(db: Db): Promise<ExchangeRecord[]> {
  const { rows } = await sql<ExchangeRecord>`
    select e.exchange_code, zone, to_char(published_until, 'YYYY-MM-DD') as published_until,
      to_char(listed_until, 'YYYY-MM-DD') as listed_until, note, to_char(next.day, 'YYYY-MM-DD') as next_day,
      to_char(next.closes, 'HH24:MI') as next_closes, next.name as next_name
    from exchanges e left join lateral (
      select day, closes, name from exchange_days d
      where d.exchange_code = e.exchange_code and day >= (clock_timestamp() at time zone zone)::date
      order by day limit 1) next on true
    order by e.exchange_code`.execute(db)
  return rows
}
