// Markets, their periods, and the packages a user may bet with.

import type {
  GameConfig,
  NewPeriod,
  Period,
  PeriodMove,
  PeriodPostponement,
  Product,
  ProductPeriod,
} from '@megalot/contract'
import { addDays, bangkokDayOf, bangkokTime } from '../../platform/bangkok.ts'
import { verifyCallerAgain } from '../../platform/call-origin.ts'
import { type Db, inTransaction, readClock, type Tx } from '../../platform/db.ts'
import { refuseFarPage } from '../../platform/page.ts'
import { Refusal } from '../../platform/refusal.ts'
import { zonedDayOf } from '../../platform/zoned-time.ts'
import { writeAudit } from '../audit/index.ts'
import { listMaintenances } from '../maintenance/index.ts'
import { findSessionDay } from './exchange-session.ts'
import { refuseFarDate, refuseFarDay } from './horizon.ts'
import {
  closeNow,
  findPeriod,
  getPeriodRecord,
  lockPeriod,
  type PeriodRecord,
  type PeriodTimes,
  saveTimes,
  toPeriod,
} from './periods.ts'
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
import {
  findOwnDraw,
  isDrawDayDoubtful,
  listPeriodsOfDays,
  listPlannedPeriods,
  makePeriodCode,
  type MarketTimetables,
  type PlannedPeriod,
  planPeriods,
  timetableOn,
} from './timetable.ts'
import { findProductTimetables, listProductTimetables, lockProduct, saveDrawDay } from './timetables.store.ts'

/** How far ahead periods are created, in days. */
const DAYS_AHEAD = 7

/** The markets that are switched on. */
export async function listEnabledProducts(db: Db): Promise<Product[]> {
  return (await listProducts(db)).filter((product) => product.is_enabled)
}

/** The markets that are switched on and of which a user has a package, open at the moment or not. */
export async function listAvailableProducts(db: Db, user_id: number): Promise<Product[]> {
  const products = await listEnabledProducts(db)
  const hasPackage = new Set(await listProductCodesWithPackage(db, user_id))
  return products.filter((product) => hasPackage.has(product.product_code))
}

/**
 * Every market with its current or next period, for the lotto list of one user. Markets that are switched off or in
 * maintenance are included and marked.
 */
export async function listProductPeriods(db: Db, user_id: number): Promise<{ now: string; products: ProductPeriod[] }> {
  // One after another: everybody asks for the list, and a call holds one connection.
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

/** Periods of one market, or of all. Those further back are found by their code, or by the day. @throws Refusal unknown_product, bad_input (a far page) */
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
 * Creates the periods of all enabled markets ahead of time; existing ones stay unchanged. A market that fails keeps no other from its
 * periods. @returns how many were new @throws the first error, after all others are made
 */
export async function makePeriods(db: Db): Promise<number> {
  let made = 0
  const errors: unknown[] = []
  for (const { product_code } of await listProductTimetables(db))
    try {
      const codes = await db.transaction().execute(async (tx) => {
        // What makes its periods stays as it is until they are made: a holiday that is set meanwhile would be undone.
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

/** As `makePeriods`, for one market, which is locked. @returns the codes of those that were new */
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
 * The days of the periods that a market has ahead of time by its timetable, one for each period, whether they are made or not. Holidays
 * count as other days: they may be taken back.
 */
export async function listPlannedDays(db: Db, product_code: string): Promise<string[]> {
  const product = await findProductTimetables(db, product_code)
  if (!product) throw new Refusal('unknown_product')
  return planAhead(product_code, { ...product, holidays: new Set() }, await readClock(db)).map(
    ({ period_date }) => period_date,
  )
}

/** The periods that a market is to have ahead of time and may have beside those that exist. */
export async function planNewPeriods(
  db: Db,
  product_code: string,
  timetables: MarketTimetables,
  now: Date,
): Promise<PlannedPeriod[]> {
  const planned = planAhead(product_code, timetables, now)
  // All periods of a day belong to one draw, unless it has rounds: then the timetable creates none beside one made by the office.
  const [first, last] = [planned[0], planned.at(-1)]
  if (!first || !last) return []
  const existing = await listPeriodsOfDraws(db, product_code, first.period_date, last.period_date, now)
  const isFree = ({ period_date, period_code, round }: PlannedPeriod) =>
    round !== null || existing.every((other) => other.period_date !== period_date || other.period_code === period_code)
  return planned.filter(isFree)
}

/**
 * The periods of some days whose draws were or will be held: all but those voided before their draw. The numbers of a
 * draw that was held and then declared void are known.
 */
async function listPeriodsOfDraws(
  db: Db,
  product_code: string,
  first_day: string,
  last_day: string,
  now: Date,
): Promise<PeriodRecord[]> {
  const periods = await listPeriodsBetween(db, product_code, first_day, last_day)
  return periods.filter(({ outcome, draw_at }) => draw_at <= now || (outcome !== 'voiding' && outcome !== 'void'))
}

/**
 * Creates one period outside the timetable. Nobody may bet on a result that can be known, so the draw must lie ahead.
 * Where a market has no rounds all periods of a day belong to one draw, so none of them may be open when another is
 * drawn.
 * @throws Refusal unknown_product, bad_input (times out of order, an opening in the past, a day that is not the
 * draw's), date_too_far, date_in_buddhist_year, draw_result_known, draw_before_close, close_after_draw, exchange_closed,
 * close_after_exchange, period_exists
 */
export async function createPeriod(
  db: Db,
  actor_id: number | null,
  newPeriod: NewPeriod,
  reason?: string,
): Promise<Period> {
  return inTransaction(db, async (tx) => {
    const product = await lockProduct(tx, newPeriod.product_code)
    if (!product) throw new Refusal('unknown_product')
    const times = readTimes(newPeriod, await readClock(tx))
    const round = newPeriod.round ?? null
    const period_code = makePeriodCode(newPeriod.product_code, newPeriod.period_date, round)
    if (await findPeriod(tx, period_code)) throw new Refusal('period_exists')
    await refuseKnownDraw(tx, product, { ...newPeriod, period_code }, times)
    const planned = { period_code, period_date: newPeriod.period_date, round, ...times }
    const made = await insertPeriods(tx, newPeriod.product_code, [planned], true)
    if (made.length === 0) throw new Refusal('period_exists')
    const after = { ...newPeriod, open_at: times.open_at.toISOString() }
    const record = { actor_id, action: 'create_period', subject: `period:${period_code}`, after }
    await writeAudit(tx, { ...record, ...(reason === undefined ? {} : { reason }) })
    return toPeriod(await getPeriodRecord(tx, period_code))
  })
}

/** The times of a new period. @throws Refusal bad_input, date_too_far, date_in_buddhist_year */
function readTimes(
  newPeriod: Pick<NewPeriod, 'period_date' | 'open_at' | 'close_at' | 'draw_at'>,
  now: Date,
): PeriodTimes {
  const open_at = newPeriod.open_at === undefined ? now : new Date(newPeriod.open_at)
  const [close_at, draw_at] = [new Date(newPeriod.close_at), new Date(newPeriod.draw_at)]
  refuseFarDay('period_date', newPeriod.period_date, now)
  for (const [field, at] of Object.entries({ open_at, close_at, draw_at })) refuseFarDate(field, at, now)
  if (open_at >= close_at || close_at > draw_at) throw badTime('/close_at', 'order')
  if (open_at < now) throw badTime('/open_at', 'ahead')
  // A period is named after the day of its draw or, for a draw after midnight, the day before.
  const drawDay = bangkokDayOf(draw_at)
  if (![drawDay, addDays(drawDay, -1)].includes(newPeriod.period_date)) throw badTime('/period_date', 'ahead')
  return { open_at, close_at, draw_at }
}

function badTime(path: string, rule: string): Refusal {
  return new Refusal('bad_input', { problems: [{ part: 'body', path, rule }] })
}

/**
 * A draw is held at the hour of the timetable even without a period here: the market may have been switched off. No period of
 * its day takes bets after it, whatever draw hour the office has set, and whether or not the day is a holiday. Where a market has
 * rounds each has a draw of its own, so a round is compared with its own planned draw alone.
 * @throws Refusal draw_result_known, draw_before_close, with the period of the same draw; close_after_draw; exchange_closed,
 * close_after_exchange
 */
async function refuseKnownDraw(
  tx: Tx,
  timetables: MarketTimetables,
  { period_code, product_code, period_date }: Pick<PeriodRecord, 'period_code' | 'product_code' | 'period_date'>,
  { close_at, draw_at }: PeriodTimes,
): Promise<void> {
  const timetable = timetableOn(timetables, period_date)
  refuseClosedExchange(timetables, period_date, close_at)
  const ofDay = timetable
    ? listPeriodsOfDays(product_code, timetable, period_date, period_date, timetables.exchange)
    : []
  const planned = timetable?.rounds ? ofDay.filter((each) => each.period_code === period_code) : ofDay
  const now = await readClock(tx)
  const existing = timetable?.rounds ? [] : await listPeriodsOfDraws(tx, product_code, period_date, period_date, now)
  const drawn = planned.filter((each) => each.draw_at <= now)
  const others = [...existing, ...drawn].filter((other) => other.period_code !== period_code)
  for (const other of others) {
    const details = { period_code: other.period_code, draw_at: other.draw_at.toISOString() }
    if (other.draw_at <= now) throw new Refusal('draw_result_known', details)
    if (close_at > other.draw_at || other.close_at > draw_at) throw new Refusal('draw_before_close', details)
  }
  const held = planned.find((each) => close_at > each.draw_at)
  if (held) throw new Refusal('close_after_draw', { draw_at: held.draw_at.toISOString() })
}

/** Nobody bets on an index that can be known. @throws Refusal exchange_closed, close_after_exchange */
function refuseClosedExchange({ exchange }: MarketTimetables, day: string, close_at: Date): void {
  if (exchange === null) return
  const { exchange_code } = exchange
  const session = findSessionDay(exchange, day)
  if (session === null) throw new Refusal('exchange_closed', { exchange_code, day })
  if (close_at <= session.latest_close) return
  const latest_close = bangkokTime(session.latest_close.toISOString()).slice(0, 16)
  throw new Refusal('close_after_exchange', { exchange_code, latest_close })
}

/**
 * The period with the times that a move would give it, locked, and checked as a new one is. What has opened keeps its
 * opening.
 * @throws Refusal unknown_period, period_not_movable (it has closed or has an outcome), bad_input (times out of order or
 * in the past, a day that is not the draw's), date_too_far, date_in_buddhist_year, draw_result_known, draw_before_close,
 * close_after_draw, exchange_closed, close_after_exchange
 */
export async function planMove(
  tx: Tx,
  { period_code, open_at, ...times }: PeriodMove,
): Promise<{ period: PeriodRecord; moved: PeriodTimes }> {
  const { product_code } = await getPeriodRecord(tx, period_code)
  // As for a new period: one at a time reads the other periods of the market.
  const product = (await lockProduct(tx, product_code))!
  const period = await lockPeriod(tx, period_code)
  if (!period) throw new Refusal('unknown_period')
  if (period.status !== 'open' && period.status !== 'upcoming') throw new Refusal('period_not_movable')
  const isOpen = period.status === 'open'
  if (isOpen && open_at !== undefined) throw badTime('/open_at', 'ahead')
  const now = await readClock(tx)
  const opening = open_at ?? (isOpen ? now : period.open_at).toISOString()
  const read = readTimes({ period_date: period.period_date, open_at: opening, ...times }, now)
  const moved = { ...read, open_at: isOpen ? period.open_at : read.open_at }
  await refuseKnownDraw(tx, product, period, moved)
  return { period, moved }
}

/** The two people who move a period have decided on its draw day. */
async function confirmDoubtfulDay(tx: Tx, { product_code, period_date }: PeriodRecord): Promise<void> {
  const timetables = (await findProductTimetables(tx, product_code))!
  if (isDrawDayDoubtful(timetables, period_date)) await saveDrawDay(tx, product_code, period_date, true)
}

function timesOf({ open_at, close_at, draw_at }: Period): object {
  return { open_at, close_at, draw_at }
}

/**
 * Moves a period that has not closed, in the transaction that executes the proposal of two people. @throws Refusal as `planMove`
 */
export async function movePeriod(tx: Tx, actor_id: number, move: PeriodMove, reason: string): Promise<Period> {
  const { period, moved } = await planMove(tx, move)
  await saveTimes(tx, period, moved)
  await confirmDoubtfulDay(tx, period)
  const after = toPeriod(await getPeriodRecord(tx, move.period_code))
  const subject = `period:${move.period_code}`
  await writeAudit(tx, {
    actor_id,
    action: 'move_period',
    subject,
    before: timesOf(toPeriod(period)),
    after: timesOf(after),
    reason,
  })
  return after
}

/** How far a draw is postponed at most, in days. */
const POSTPONED_DAYS = 7

/**
 * The period with a later draw and close, locked. It opens as before, or at once where it waits for its draw day to be confirmed.
 * @throws Refusal unknown_period, period_not_movable (it has closed or has an outcome), bad_input (times out of order or in the past),
 * date_too_far, date_in_buddhist_year, postponed_too_far, close_after_draw (of the next draw), draw_before_close, exchange_closed,
 * close_after_exchange
 */
export async function planPostponement(
  tx: Tx,
  { period_code, ...times }: PeriodPostponement,
): Promise<{ period: PeriodRecord; moved: PeriodTimes }> {
  const { product_code } = await getPeriodRecord(tx, period_code)
  // As for a new period: one at a time reads the other periods of the market.
  const product = (await lockProduct(tx, product_code))!
  const period = await lockPeriod(tx, period_code)
  if (!period) throw new Refusal('unknown_period')
  if (period.status !== 'open' && period.status !== 'upcoming') throw new Refusal('period_not_movable')
  const now = await readClock(tx)
  const [close_at, draw_at] = [new Date(times.close_at), new Date(times.draw_at)]
  for (const [field, at] of Object.entries({ close_at, draw_at })) refuseFarDate(field, at, now)
  const planned = findOwnDraw(product, period)
  const open_at = isDrawDayDoubtful(product, period.period_date) && planned ? planned.open_at : period.open_at
  if (close_at <= laterOf(open_at, now) || close_at > draw_at) throw badTime('/close_at', 'order')
  // Of its own draw, so that it is not postponed by seven days again and again.
  const latest = new Date((planned ?? period).draw_at.getTime() + POSTPONED_DAYS * 86_400_000)
  if (draw_at <= period.draw_at || draw_at > latest)
    throw new Refusal('postponed_too_far', { latest_draw_at: latest.toISOString() })
  await refuseNextDraw(tx, product, period, { close_at, draw_at })
  const { exchange } = product
  if (exchange) refuseClosedExchange(product, zonedDayOf(draw_at, exchange.zone), close_at)
  return { period, moved: { open_at, close_at, draw_at } }
}

const laterOf = (one: Date, other: Date): Date => (one > other ? one : other)

/** A postponed period takes no bets after another draw of its market is held. @throws Refusal close_after_draw, draw_before_close */
async function refuseNextDraw(
  tx: Tx,
  timetables: MarketTimetables,
  { product_code, period_date, period_code, draw_at: before }: PeriodRecord,
  { close_at, draw_at }: Pick<PeriodTimes, 'close_at' | 'draw_at'>,
): Promise<void> {
  const [drawDay, now] = [bangkokDayOf(draw_at), await readClock(tx)]
  const next = listPlannedPeriods(product_code, timetables, period_date, drawDay).find(
    (each) => each.period_code !== period_code && each.draw_at > before && each.draw_at < close_at,
  )
  if (next) throw new Refusal('close_after_draw', { draw_at: next.draw_at.toISOString() })
  const others = await listPeriodsBetween(tx, product_code, period_date, drawDay)
  const other = others.find(
    (each) =>
      each.period_code !== period_code &&
      each.draw_at > before &&
      each.draw_at < close_at &&
      (each.draw_at <= now || (each.outcome !== 'voiding' && each.outcome !== 'void')),
  )
  if (other)
    throw new Refusal('draw_before_close', { period_code: other.period_code, draw_at: other.draw_at.toISOString() })
}

/**
 * Postpones the draw of a period, in the transaction that executes the proposal of two people. @throws Refusal as `planPostponement`
 */
export async function postponePeriod(
  tx: Tx,
  actor_id: number,
  postponement: PeriodPostponement,
  reason: string,
): Promise<number> {
  const { period, moved } = await planPostponement(tx, postponement)
  await saveTimes(tx, period, moved)
  await confirmDoubtfulDay(tx, period)
  const after = toPeriod(await getPeriodRecord(tx, postponement.period_code))
  await writeAudit(tx, {
    actor_id,
    action: 'postpone_period',
    subject: `period:${postponement.period_code}`,
    before: timesOf(toPeriod(period)),
    after: timesOf(after),
    reason,
  })
  return period.period_id
}

/** Closes an open period early. @throws Refusal unknown_period, period_not_open, period_closed */
export async function closePeriod(
  db: Db,
  actor_id: number | null,
  period_code: string,
  reason: string,
): Promise<Period> {
  return db.transaction().execute(async (tx) => {
    const period = await lockPeriod(tx, period_code)
    if (!period) throw new Refusal('unknown_period')
    if (period.status === 'upcoming') throw new Refusal('period_not_open')
    if (period.status !== 'open') throw new Refusal('period_closed')
    await closeNow(tx, period.period_id)
    await verifyCallerAgain(tx)
    const closed = toPeriod(await getPeriodRecord(tx, period_code))
    const before = { close_at: period.close_at.toISOString() }
    const after = { close_at: closed.close_at }
    await writeAudit(tx, { actor_id, action: 'close_period', subject: `period:${period_code}`, before, after, reason })
    return closed
  })
}
