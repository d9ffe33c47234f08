// Timetables and holidays. Two people set a timetable. One person sets a holiday, because it only removes periods
// without bets, and undoing it creates the same periods again.

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

/** As in proposals and the audit log. */
function writeTimetables({ timetable, next }: Pick<MarketTimetables, 'timetable' | 'next'>): object {
  return { timetable, next_timetable: next?.timetable ?? null, first_day: next?.first_day ?? null }
}

interface Plan {
  before: Pick<MarketTimetables, 'timetable' | 'next'>
  after: MarketTimetables
  /** Unopened periods that differ from the new plan. */
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
  // A timetable that began today must not be replaced. It would be forgotten which one applied until yesterday, whose
  // periods may be open past midnight or still be created, and would be checked against the wrong hours. Tomorrow they
  // are over, because a period is drawn on its day or the next.
  if (product.next?.first_day === today) throw new Refusal('timetable_began_today')
  const present = timetableOn(product, today)
  if (present && (present.rounds === undefined) !== (timetable.rounds === undefined))
    throw badInput('/timetable/rounds', 'rounds')
  checkTimes(product, timetable)
  const after = { ...product, timetable: present, next: { timetable, first_day } }
  // An earlier pending timetable that is replaced has already created periods.
  const days = [first_day, ...(product.next && product.next.first_day > today ? [product.next.first_day] : [])]
  const { late, ...plan } = await planChanges(tx, product, after, { first_day: days.toSorted()[0]!, now })
  refuseLate(late)
  return { before: product, after, ...plan }
}

/**
 * A remaining period would accept bets when its numbers are known, so it must be moved or closed first.
 * @throws Refusal close_after_draw
 */
function refuseLate(period_codes: readonly string[]): void {
  if (period_codes.length > 0) throw new Refusal('close_after_draw', { period_codes })
}

/** A Monday in winter and one in summer, because an exchange may change its clock. */
const sampleDays = ['2026-01-05', '2026-07-06']

/**
 * Every period opens before it closes and is drawn after that, on its day or the next.
 * @throws Refusal bad_input
 */
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
  /** Omit for no end. */
  last_day?: string
  now: Date
}

/**
 * How some days' periods change with a market's plan. Only unopened ones are removed or recreated.
 * @returns `late`: remaining periods that would close after the newly planned draw
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
  // Undoing a holiday restores the market's earlier periods.
  const before = byCode(listPlannedPeriods(product_code, { ...present, holidays: new Set() }, first_day, lastDay))
  const planned = byCode(listPlannedPeriods(product_code, after, first_day, lastDay))
  // A single person may undo a holiday, so it must not delay a draw.
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
    // Periods that two people created or moved are not lost when one person sets and undoes a holiday.
    const isOfTimetable =
      !period.is_manual && period.open_at > now && hasTimesOf(period, before.get(period.period_code))
    // A referenced period is moved if it is planned at other hours.
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
  // The period after a holiday may be the next to open, and is then created at once.
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
 * Removes and creates the planned periods. A referenced period, for example with a number limit, stays: it gets the
 * times of a timetable that two people have set in this transaction, and is otherwise unchanged.
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

/**
 * @returns false if the timetable has no such period, or the period has opened, was created by people, or already has
 * these times
 */
async function moveToTimetable(tx: Tx, after: MarketTimetables, { period_code }: PeriodRecord): Promise<boolean> {
  const [period, now] = [await getPeriodRecord(tx, period_code), await readClock(tx)]
  const { product_code, period_date } = period
  // Ignores holidays, which one person can undo.
  const planned = listPlannedPeriods(product_code, { ...after, holidays: new Set() }, period_date, period_date).find(
    (each) => each.period_code === period_code,
  )
  if (!planned || period.open_at <= now || hasTimesOf(period, planned)) return false
  const { open_at, close_at, draw_at } = planned
  await saveTimes(tx, period, { open_at, close_at, draw_at })
  return true
}

/**
 * What a timetable would do, without changes or waiting for locks.
 * @throws Refusal as `changeTimetable`
 */
export async function previewTimetable(db: Db, change: TimetableChange): Promise<PeriodChanges> {
  // A snapshot instead of locks, so that the whole plan is of one instant.
  return inSnapshot(db, async (tx) => (await planTimetable(tx, change)).changes)
}

/**
 * Sets a market's timetable from a day on.
 * @throws Refusal unknown_product, bad_input (times out of order, a first day that is not in the future, rounds in a
 * market without them or vice versa), date_too_far, date_in_buddhist_year, timetable_began_today, close_after_draw
 * (periods that would stay)
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

/**
 * Refuses changes of past days, and of days too far ahead.
 * @throws Refusal bad_input, date_too_far, date_in_buddhist_year
 */
async function refuseDay(db: Db, day: string): Promise<Date> {
  const now = await readClock(db)
  if (day < bangkokDayOf(now)) throw badInput('/day', 'ahead')
  refuseFarDay('day', day, now)
  return now
}

/**
 * Every unopened period of a day. Locked after all markets, in the order in which a rule for several markets locks
 * them.
 */
function lockOfUnopenedPeriods(product_codes: readonly string[], day: string): Lock {
  return {
    rank: 'periods',
    key: [...product_codes, day].join(),
    take: async (tx) => lockPeriods(tx, await listUnopenedPeriods(tx, product_codes, day)),
  }
}

const none: PeriodChanges = { made: [], removed: [], kept: [] }

/**
 * Sets or removes a holiday of some markets. Periods that have opened, or that people have created, moved or limited,
 * stay. Its outcome is the effect on periods.
 * @throws Refusal unknown_product, bad_input (a past day, a holiday without a name), date_too_far,
 * date_in_buddhist_year
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
 * Confirms a draw day, so that its period opens, or marks it as doubtful, so that its period does not open. Opened
 * periods stay. Its outcome is the effect on periods.
 * @throws Refusal unknown_product, bad_input (a past day), date_too_far, date_in_buddhist_year
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

/** How far each exchange's data reach, and its next unusual day. */
export function listExchangeHorizons(db: Db): Promise<ExchangeRecord[]> {
  return listExchanges(db)
}

/** What determines each market's periods, in market order. */
export async function listMarketTimetables(db: Db): Promise<(MarketTimetables & { product_code: string })[]> {
  return listProductTimetables(db)
}
