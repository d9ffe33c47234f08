// Timetables and holidays. Two people set a timetable; one person sets a holiday, because it only takes a period away that nobody
// has bet on, and without the holiday the same period is made again.

import * as contract from '@megalot/contract'
import type { HolidayChange, MarketTimetable, PeriodChanges, Timetable, TimetableChange } from '@megalot/contract'
import * as z from 'zod/mini'
import { type AuditRow, defineChange, type Lock } from '../changes/index.ts'
import { addDays, bangkokDayOf } from '../lib/bangkok.ts'
import { type Db, inSnapshot, readClock, type Tx } from '../postgres/db.ts'
import { Refusal } from '../lib/refusal.ts'
import { refuseFarDay } from './horizon.ts'
import { marketLocks } from './locks.ts'
import { insertPeriods, listPeriodsFrom, listPeriodsToClose, listUnopenedPeriods } from './markets.store.ts'
import { planNewPeriods } from './markets.service.ts'
import { getPeriodRecord, lockPeriods, type PeriodRecord, saveTimes } from './periods.ts'
import {
  closesTooLate,
  isDrawDayDoubtful,
  listPeriodsOfDays,
  listPlannedPeriods,
  type MarketTimetables,
  type PlannedPeriod,
  timetableOn,
} from './timetable.ts'
import {
  deleteHoliday,
  type ExchangeRecord,
  findProductTimetables,
  listExchanges,
  listProductTimetables,
  listReferredPeriods,
  type ProductTimetables,
  removeUnopenedPeriod,
  saveDrawDay,
  saveHoliday,
  saveTimetable,
} from './timetables.store.ts'

export async function listTimetables(db: Db): Promise<MarketTimetable[]> {
  const products = await listProductTimetables(db)
  return products.map(({ product_code, timetable, next, exchange, holiday_names }) => ({
    product_code,
    timetable,
    next,
    exchange: exchange && { exchange_code: exchange.exchange_code, zone: exchange.zone },
    holidays: [...holiday_names],
  }))
}

/** As proposals and the audit log have them. */
function writeTimetables({ timetable, next }: Pick<MarketTimetables, 'timetable' | 'next'>): object {
  return { timetable, next_timetable: next?.timetable ?? null, first_day: next?.first_day ?? null }
}

interface Plan {
  before: Pick<MarketTimetables, 'timetable' | 'next'>
  after: MarketTimetables
  /** Periods that have not opened and are not as the new plan has them. */
  toRemove: readonly PeriodRecord[]
  changes: PeriodChanges
}

/** What a timetable would do from its first day on. */
async function planTimetable(tx: Tx, { product_code, timetable, first_day }: TimetableChange): Promise<Plan> {
  const product = await findProductTimetables(tx, product_code)
  if (!product) throw new Refusal('unknown_product')
  const now = await readClock(tx)
  const today = bangkokDayOf(now)
  if (first_day <= today) throw badInput('/first_day', 'ahead')
  refuseFarDay('first_day', first_day, now)
  // What held until yesterday would be forgotten, and yesterday's periods, some of which are open past midnight or may still be made,
  // checked by hours that began today. Tomorrow they are over: a period is drawn on its day or the next one.
  if (product.next?.first_day === today) throw new Refusal('timetable_began_today')
  const present = timetableOn(product, today)
  if (present && (present.rounds === undefined) !== (timetable.rounds === undefined))
    throw badInput('/timetable/rounds', 'rounds')
  checkTimes(product, timetable)
  const after = { ...product, timetable: present, next: { timetable, first_day } }
  // A timetable that was to begin before and is replaced has made periods by its hours.
  const days = [first_day, ...(product.next && product.next.first_day > today ? [product.next.first_day] : [])]
  const { late, ...plan } = await planChanges(tx, product, after, { first_day: days.toSorted()[0]!, now })
  refuseLate(late)
  return { before: product, after, ...plan }
}

/** A period that stays would take bets when its numbers are known: it is moved or closed first. @throws Refusal close_after_draw */
function refuseLate(period_codes: readonly string[]): void {
  if (period_codes.length > 0) throw new Refusal('close_after_draw', { period_codes })
}

/** A Monday of winter and one of summer: an exchange may change its clock. */
const sampleDays = ['2026-01-05', '2026-07-06']

/** Every period opens before it closes and is not drawn before that, on its day or the next one. @throws Refusal bad_input */
function checkTimes({ product_code, exchange }: ProductTimetables, timetable: Timetable): void {
  const session = exchange && { ...exchange, days: [] }
  const count = timetable.rounds?.count ?? 1
  for (const day of sampleDays) {
    const periods = listPeriodsOfDays(product_code, { ...timetable, days: 'every_day' }, day, day, session)
    if (periods.length < count) throw badInput('/timetable/close', 'order')
    for (const { open_at, close_at, draw_at } of periods) {
      if (open_at >= close_at || close_at > draw_at) throw badInput('/timetable/close', 'order')
      const drawDay = bangkokDayOf(draw_at)
      if (drawDay < day || drawDay > addDays(day, 1)) throw badInput('/timetable/rounds', 'rounds')
    }
  }
}

function badInput(path: string, rule: string): Refusal {
  return new Refusal('bad_input', { problems: [{ part: 'body', path, rule }] })
}

interface Span {
  first_day: string
  /** Absent: without an end. */
  last_day?: string
  now: Date
}

/**
 * How the periods of some days change with the plan of a market: only those that have not opened are removed or made anew.
 * @returns `late`: those that stay and close after the draw that is planned then
 */
async function planChanges(
  tx: Tx,
  present: ProductTimetables,
  after: MarketTimetables,
  { first_day, last_day = '9999-12-31', now }: Span,
): Promise<Pick<Plan, 'toRemove' | 'changes'> & { late: string[] }> {
  const { product_code, is_enabled } = present
  const all = await listPeriodsFrom(tx, product_code, first_day)
  const existing = all.filter(
    ({ period_date, outcome, close_at }) => period_date <= last_day && outcome === 'pending' && close_at > now,
  )
  const lastDay = existing.at(-1)?.period_date ?? first_day
  // A holiday is lifted from the periods that the market had before it.
  const before = byCode(listPlannedPeriods(product_code, { ...present, holidays: new Set() }, first_day, lastDay))
  const planned = byCode(listPlannedPeriods(product_code, after, first_day, lastDay))
  // A holiday is removed by one person: it makes no draw later.
  const draws = byCode(listPlannedPeriods(product_code, { ...after, holidays: new Set() }, first_day, lastDay))
  const changed = existing.filter((period) => !hasTimesOf(period, planned.get(period.period_code)))
  const referred = await listReferredPeriods(
    tx,
    changed.map(({ period_id }) => period_id),
  )
  const toRemove: PeriodRecord[] = []
  const kept: string[] = []
  const late: string[] = []
  for (const period of changed) {
    // What two people have made, or moved, is not lost by a holiday that one person sets and removes.
    const isOfTimetable =
      !period.is_manual && period.open_at > now && hasTimesOf(period, before.get(period.period_code))
    // One that something refers to is moved, where it is planned at other hours.
    const goes = !referred.has(period.period_id) || planned.has(period.period_code)
    if (isOfTimetable && goes) toRemove.push(period)
    else {
      kept.push(period.period_code)
      const draw_at = draws.get(period.period_code)?.draw_at
      if (draw_at && period.close_at > draw_at && !period.is_postponed) late.push(period.period_code)
    }
  }
  const removed = toRemove.map(({ period_code }) => period_code)
  const known = new Set(all.map(({ period_code }) => period_code).filter((code) => !removed.includes(code)))
  // The one after a holiday may be the next to open, and is made at once then.
  const expected = is_enabled ? await planNewPeriods(tx, product_code, after, now) : []
  const made = expected
    .filter(({ period_date, period_code }) => period_date >= first_day && !known.has(period_code))
    .map(({ period_code }) => period_code)
  return { toRemove, changes: { made, removed, kept }, late }
}

function byCode(periods: readonly PlannedPeriod[]): ReadonlyMap<string, PlannedPeriod> {
  return new Map(periods.map((period) => [period.period_code, period]))
}

function hasTimesOf(period: PeriodRecord, planned: PlannedPeriod | undefined): boolean {
  return (
    planned !== undefined &&
    (['open_at', 'close_at', 'draw_at'] as const).every((name) => period[name].getTime() === planned[name].getTime())
  )
}

/**
 * Removes and makes the planned periods. A period that something refers to, such as a number that was set, stays: it gets the times of a
 * timetable that two people have set in this transaction, and is otherwise as it was.
 */
async function carryOutPlan(
  { tx }: { tx: Tx },
  product_code: string,
  { toRemove, changes, after }: Omit<Plan, 'before'>,
): Promise<PeriodChanges> {
  const removed: string[] = []
  const moved: string[] = []
  // In the order in which rules and quotas lock several.
  await lockPeriods(
    tx,
    toRemove.map(({ period_code }) => period_code),
  )
  for (const period of toRemove) {
    if (await removeUnopenedPeriod(tx, period.period_id)) removed.push(period.period_code)
    else if (await moveToTimetable(tx, after, period)) moved.push(period.period_code)
  }
  const expected = await planNewPeriods(tx, product_code, after, await readClock(tx))
  const made = await insertPeriods(
    tx,
    product_code,
    expected.filter(({ period_code }) => changes.made.includes(period_code)),
  )
  const left = changes.removed.filter((code) => !removed.includes(code) && !moved.includes(code))
  return {
    made: [...made, ...moved].toSorted(),
    removed: [...removed, ...moved].toSorted(),
    kept: [...changes.kept, ...left],
  }
}

/** @returns false where the timetable has no such period, or the period has opened, was made by people, or has these times */
async function moveToTimetable(tx: Tx, after: MarketTimetables, { period_code }: PeriodRecord): Promise<boolean> {
  const [period, now] = [await getPeriodRecord(tx, period_code), await readClock(tx)]
  const { product_code, period_date } = period
  // A holiday counts for nothing here: one person removes it.
  const planned = listPlannedPeriods(product_code, { ...after, holidays: new Set() }, period_date, period_date).find(
    (each) => each.period_code === period_code,
  )
  if (!planned || period.open_at <= now || hasTimesOf(period, planned)) return false
  const { open_at, close_at, draw_at } = planned
  await saveTimes(tx, period, { open_at, close_at, draw_at })
  return true
}

/** What a timetable would do; nothing is changed, and no lock is waited for. @throws Refusal as `changeTimetable` */
export async function previewTimetable(db: Db, change: TimetableChange): Promise<PeriodChanges> {
  // In place of the lock: all of the plan is of one instant.
  return inSnapshot(db, async (tx) => (await planTimetable(tx, change)).changes)
}

/**
 * Sets the timetable of a market from a day on.
 * @throws Refusal unknown_product, bad_input (times out of order, a first day that is not ahead, rounds where there are none or the
 *   other way round), date_too_far, date_in_buddhist_year, timetable_began_today, close_after_draw (periods that would stay)
 */
export const changeTimetable = defineChange({
  name: 'change_timetable',
  needs: 'periods.do',
  input: contract.proposalPayloads.change_timetable,
  locks: ({ product_code }) => marketLocks(product_code),
  load: ({ tx }, change) => planTimetable(tx, change),
  decide: (planned, { product_code }) => ({
    plan: { planned, product_code },
    needsTwo: {},
    rows: [],
    proposal: {
      subject: `product:${product_code}`,
      product_code,
      before: writeTimetables(planned.before),
      after: writeTimetables(planned.after),
      figures: planned.changes,
    },
  }),
  async write(at, { planned, product_code }) {
    const { tx } = at
    await saveTimetable(tx, product_code, planned.after)
    const changes = await carryOutPlan(at, product_code, planned)
    const toClose = await listPeriodsToClose(tx, product_code)
    refuseLate(toClose.filter((period) => closesTooLate(planned.after, period)).map(({ period_code }) => period_code))
    return {
      rows: [
        {
          subject: `product:${product_code}`,
          before: writeTimetables(planned.before),
          after: { ...writeTimetables(planned.after), ...changes },
        },
      ],
    }
  },
})

/** No change of a day that is over, or too far ahead. @throws Refusal bad_input, date_too_far, date_in_buddhist_year */
async function refuseDay(db: Db, day: string): Promise<Date> {
  const now = await readClock(db)
  if (day < bangkokDayOf(now)) throw badInput('/day', 'ahead')
  refuseFarDay('day', day, now)
  return now
}

/** Every period of a day that has not opened. All are locked after all markets, in the order in which a rule for several markets locks them. */
function lockOfUnopenedPeriods(product_codes: readonly string[], day: string): Lock {
  return {
    rank: 'periods',
    key: [...product_codes, day].join(),
    take: async (tx) => lockPeriods(tx, await listUnopenedPeriods(tx, product_codes, day)),
  }
}

const none: PeriodChanges = { made: [], removed: [], kept: [] }

/**
 * Sets or removes a holiday of some markets. Periods that have opened, and those that people have made, moved or limited, stay. Its outcome is
 * what becomes of the periods.
 * @throws Refusal unknown_product, bad_input (a day that is over, a holiday without a name), date_too_far, date_in_buddhist_year
 */
export const setHoliday = defineChange({
  name: 'set_holiday',
  needs: 'periods.do',
  input: z.omit(contract.setHoliday.body, { reason: true }),
  async find(db, { day, is_on, name, product_codes }) {
    await refuseDay(db, day)
    if (is_on && name === undefined) throw badInput('/name', 'required')
    return [...new Set(product_codes)].toSorted()
  },
  locks: ({ day }, product_codes) => [
    ...product_codes.flatMap((product_code) => marketLocks(product_code)),
    lockOfUnopenedPeriods(product_codes, day),
  ],
  // Lock first, then read the clock: a period may have opened during the wait.
  load: async ({ tx }, { day }, product_codes) => ({ now: await refuseDay(tx, day), product_codes }),
  decide: ({ now, product_codes }, change) => ({ plan: { now, product_codes, change } }),
  async write({ tx }, { now, product_codes, change }) {
    const all: PeriodChanges = { made: [], removed: [], kept: [] }
    const rows: AuditRow[] = []
    for (const product_code of product_codes) {
      const { changes, row } = await setHolidayOf(tx, product_code, change, now)
      for (const name of ['made', 'removed', 'kept'] as const) all[name].push(...changes[name])
      if (row) rows.push(row)
    }
    return { outcome: all, rows }
  },
})

async function setHolidayOf(
  tx: Tx,
  product_code: string,
  { day, is_on, name = '' }: Pick<HolidayChange, 'day' | 'is_on' | 'name'>,
  now: Date,
): Promise<{ changes: PeriodChanges; row?: AuditRow }> {
  const product = await findProductTimetables(tx, product_code)
  if (!product) throw new Refusal('unknown_product')
  const known = product.holiday_names.find((one) => one.day === day)?.name ?? null
  const isChanged = is_on ? await saveHoliday(tx, product_code, day, name) : await deleteHoliday(tx, product_code, day)
  if (!isChanged) return { changes: none }
  const holidays = new Set(product.holidays)
  if (is_on) holidays.add(day)
  else holidays.delete(day)
  const after = { ...product, holidays }
  const plan = await planChanges(tx, product, after, { first_day: day, last_day: day, now })
  const changes = await carryOutPlan({ tx }, product_code, { ...plan, after })
  const row = {
    subject: `product:${product_code}`,
    before: { holiday: known === null ? null : day, name: known },
    after: { holiday: is_on ? day : null, name: is_on ? name : null, ...changes },
  }
  return { changes, row }
}

/**
 * Confirms a draw day, so that its period opens, or makes it doubtful: then its period does not open. What has opened stays. Its outcome is
 * what becomes of the periods.
 * @throws Refusal unknown_product, bad_input (a day that is over), date_too_far, date_in_buddhist_year
 */
export const setDrawDay = defineChange({
  name: 'set_draw_day',
  needs: 'periods.do',
  input: z.strictObject({ product_code: z.string(), day: z.string(), is_confirmed: z.boolean() }),
  locks: ({ product_code, day }) => [...marketLocks(product_code), lockOfUnopenedPeriods([product_code], day)],
  async load({ tx }, { product_code, day }) {
    const product = await findProductTimetables(tx, product_code)
    if (!product) throw new Refusal('unknown_product')
    return { product, now: await refuseDay(tx, day) }
  },
  decide: ({ product, now }, change) => ({ plan: { product, now, change } }),
  async write({ tx }, { product, now, change: { product_code, day, is_confirmed } }) {
    const wasDoubtful = isDrawDayDoubtful(product, day)
    const isSaved = await saveDrawDay(tx, product_code, day, is_confirmed)
    if (!isSaved) return { outcome: none }
    const others = product.draw_days.filter((each) => each.day !== day)
    const after = { ...product, draw_days: [...others, { day, is_confirmed }] }
    const plan = await planChanges(tx, product, after, { first_day: day, last_day: day, now })
    const changes = await carryOutPlan({ tx }, product_code, { ...plan, after })
    const row = {
      subject: `product:${product_code}`,
      before: { day, is_doubtful: wasDoubtful },
      after: { day, is_doubtful: !is_confirmed, ...changes },
    }
    return { outcome: changes, rows: [row] }
  },
})

/** How far the data of each exchange reach, and its next day beside the usual ones. */
export function listExchangeHorizons(db: Db): Promise<ExchangeRecord[]> {
  return listExchanges(db)
}

/** What makes the periods of each market, in their order. */
export async function listMarketTimetables(db: Db): Promise<(MarketTimetables & { product_code: string })[]> {
  return listProductTimetables(db)
}
