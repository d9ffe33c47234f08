// Changes of single periods. One person may close a period early. Two people create one outside the timetable, move it
// or postpone its draw, because one person alone could let a period accept bets on a known result.

import * as contract from '@megalot/contract'
import type { NewPeriod } from '@megalot/contract'
import { defineChange } from '../changes/index.ts'
import { addDays, bangkokDayOf, bangkokTime } from '../lib/bangkok.ts'
import { readClock, type Tx } from '../postgres/db.ts'
import { Refusal } from '../lib/refusal.ts'
import { zonedDayOf } from '../lib/zoned-time.ts'
import { findSessionDay } from './exchange-session.ts'
import { refuseFarDate, refuseFarDay } from './horizon.ts'
import { lockOfPeriods, marketLocks } from './locks.ts'
import { listPeriodsOfDraws } from './markets.service.ts'
import { insertPeriods, listPeriodsBetween } from './markets.store.ts'
import {
  closeNow,
  findPeriod,
  getPeriodRecord,
  type PeriodRecord,
  type PeriodTimes,
  saveTimes,
  toPeriod,
} from './periods.ts'
import {
  findOwnDraw,
  isDrawDayDoubtful,
  listPeriodsOfDays,
  listPlannedPeriods,
  makePeriodCode,
  type MarketTimetables,
  timetableOn,
} from './timetable.ts'
import { findProductTimetables, type ProductTimetables, saveDrawDay } from './timetables.store.ts'

/**
 * Creates one period outside the timetable. The draw must be in the future, because no one may bet on a result that can
 * be known. Without rounds all of a market's periods of a day belong to one draw, so none may be open when another is
 * drawn. Without a time it opens at once. Its outcome is the period's code.
 * @throws Refusal unknown_product, bad_input (times out of order, an opening in the past, a day that is not the
 * draw's), date_too_far, date_in_buddhist_year, draw_result_known, draw_before_close, close_after_draw,
 * exchange_closed, close_after_exchange, period_exists
 */
export const createPeriod = defineChange({
  name: 'create_period',
  needs: 'periods.do',
  input: contract.proposalPayloads.create_period,
  locks: ({ product_code }) => marketLocks(product_code),
  async load({ tx }, newPeriod) {
    const { product_code, period_date, round = null } = newPeriod
    const product = await findProductTimetables(tx, product_code)
    if (!product) throw new Refusal('unknown_product')
    const times = readTimes(newPeriod, await readClock(tx))
    const period_code = makePeriodCode(product_code, period_date, round)
    if (await findPeriod(tx, period_code)) throw new Refusal('period_exists')
    await refuseKnownDraw(tx, product, { ...newPeriod, period_code }, times)
    return { period_code, period_date, round, ...times }
  },
  decide(period, newPeriod) {
    const { product_code, open_at = null, close_at, draw_at } = newPeriod
    return {
      plan: { product_code, period },
      rows: [
        {
          subject: `period:${period.period_code}`,
          after: { ...newPeriod, open_at: period.open_at.toISOString() },
        },
      ],
      needsTwo: {},
      proposal: { product_code, after: { period_code: period.period_code, open_at, close_at, draw_at } },
    }
  },
  async write({ tx }, { product_code, period }) {
    const made = await insertPeriods(tx, product_code, [period], true)
    if (made.length === 0) throw new Refusal('period_exists')
    return { outcome: period.period_code }
  },
})

/** Closes an open period early. Its outcome is the period. @throws Refusal unknown_period, period_not_open, period_closed */
export const closePeriod = defineChange({
  name: 'close_period',
  needs: 'periods.do',
  input: contract.closePeriod.params,
  locks: ({ period_code }) => [lockOfPeriods(period_code)],
  async load({ tx }, { period_code }) {
    const period = await findPeriod(tx, period_code)
    if (!period) throw new Refusal('unknown_period')
    if (period.status === 'upcoming') throw new Refusal('period_not_open')
    if (period.status !== 'open') throw new Refusal('period_closed')
    return period
  },
  decide: (period) => ({ plan: period }),
  async write({ tx }, { period_id, period_code, close_at }) {
    await closeNow(tx, period_id)
    const closed = toPeriod(await getPeriodRecord(tx, period_code))
    const row = {
      subject: `period:${period_code}`,
      before: { close_at: close_at.toISOString() },
      after: { close_at: closed.close_at },
    }
    return { outcome: closed, rows: [row] }
  },
})

/**
 * A period that accepts bets now or later, and its market.
 * @throws Refusal unknown_period, period_not_movable
 */
async function getMovable(tx: Tx, period_code: string): Promise<{ period: PeriodRecord; product: ProductTimetables }> {
  const period = await findPeriod(tx, period_code)
  if (!period) throw new Refusal('unknown_period')
  if (period.status !== 'open' && period.status !== 'upcoming') throw new Refusal('period_not_movable')
  return { period, product: (await findProductTimetables(tx, period.product_code))! }
}

/** The audit row and the proposal for new times. */
function decideTimes({ period, moved }: { period: PeriodRecord; moved: PeriodTimes }) {
  return {
    plan: { period, moved },
    rows: [{ subject: `period:${period.period_code}`, before: timesOf(period), after: timesOf(moved) }],
    needsTwo: {},
    proposal: { product_code: period.product_code },
  }
}

async function writeTimes(
  { tx }: { tx: Tx },
  { period, moved }: { period: PeriodRecord; moved: PeriodTimes },
): Promise<{ outcome: number }> {
  await saveTimes(tx, period, moved)
  await confirmDoubtfulDay(tx, period)
  return { outcome: period.period_id }
}

/**
 * Moves a period, which is checked like a new one. An opened period keeps its opening. Its outcome is the period's id.
 * @throws Refusal unknown_period, period_not_movable (it has closed or has an outcome), bad_input (times out of order
 * or in the past, a day that is not the draw's), date_too_far, date_in_buddhist_year, draw_result_known,
 * draw_before_close, close_after_draw, exchange_closed, close_after_exchange
 */
export const movePeriod = defineChange({
  name: 'move_period',
  needs: 'periods.do',
  input: contract.proposalPayloads.move_period,
  find: async (db, { period_code }) => (await getPeriodRecord(db, period_code)).product_code,
  // As for a new period: only one change at a time reads the market's other periods.
  locks: ({ period_code }, product_code) => [...marketLocks(product_code), lockOfPeriods(period_code)],
  async load({ tx }, { period_code, open_at, ...times }) {
    const { period, product } = await getMovable(tx, period_code)
    const isOpen = period.status === 'open'
    if (isOpen && open_at !== undefined) throw badTime('/open_at', 'ahead')
    const now = await readClock(tx)
    const opening = open_at ?? (isOpen ? now : period.open_at).toISOString()
    const read = readTimes({ period_date: period.period_date, open_at: opening, ...times }, now)
    const moved = { ...read, open_at: isOpen ? period.open_at : read.open_at }
    await refuseKnownDraw(tx, product, period, moved)
    return { period, moved }
  },
  decide: (planned) => decideTimes(planned),
  write: (at, planned) => writeTimes(at, planned),
})

/** The most days a draw may be postponed. */
const POSTPONED_DAYS = 7

/**
 * Postpones the draw and the close of a period. It opens as before, or at once if it waits for its draw day to be
 * confirmed. Its outcome is the period's id.
 * @throws Refusal unknown_period, period_not_movable (it has closed or has an outcome), bad_input (times out of order
 * or in the past), date_too_far, date_in_buddhist_year, postponed_too_far, close_after_draw (of the next draw),
 * draw_before_close, exchange_closed, close_after_exchange
 */
export const postponePeriod = defineChange({
  name: 'postpone_period',
  needs: 'periods.do',
  input: contract.proposalPayloads.postpone_period,
  find: async (db, { period_code }) => (await getPeriodRecord(db, period_code)).product_code,
  locks: ({ period_code }, product_code) => [...marketLocks(product_code), lockOfPeriods(period_code)],
  async load({ tx }, { period_code, ...times }) {
    const { period, product } = await getMovable(tx, period_code)
    const now = await readClock(tx)
    const [close_at, draw_at] = [new Date(times.close_at), new Date(times.draw_at)]
    for (const [field, at] of Object.entries({ close_at, draw_at })) refuseFarDate(field, at, now)
    const planned = findOwnDraw(product, period)
    const open_at = isDrawDayDoubtful(product, period.period_date) && planned ? planned.open_at : period.open_at
    if (close_at <= laterOf(open_at, now) || close_at > draw_at) throw badTime('/close_at', 'order')
    // From its own planned draw, so that repeated postponements cannot exceed the limit.
    const latest = new Date((planned ?? period).draw_at.getTime() + POSTPONED_DAYS * 86_400_000)
    if (draw_at <= period.draw_at || draw_at > latest)
      throw new Refusal('postponed_too_far', { latest_draw_at: latest.toISOString() })
    await refuseNextDraw(tx, product, period, { close_at, draw_at })
    const { exchange } = product
    if (exchange) refuseClosedExchange(product, zonedDayOf(draw_at, exchange.zone), close_at)
    return { period, moved: { open_at, close_at, draw_at } }
  },
  decide: (planned) => decideTimes(planned),
  write: (at, planned) => writeTimes(at, planned),
})

/** Two people who move a period have also decided on its draw day. */
async function confirmDoubtfulDay(tx: Tx, { product_code, period_date }: PeriodRecord): Promise<void> {
  const timetables = (await findProductTimetables(tx, product_code))!
  if (isDrawDayDoubtful(timetables, period_date)) await saveDrawDay(tx, product_code, period_date, true)
}

function timesOf({ open_at, close_at, draw_at }: PeriodTimes): object {
  return { open_at: open_at.toISOString(), close_at: close_at.toISOString(), draw_at: draw_at.toISOString() }
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
  // A period is named after the day of its draw; after the day before, if the draw is after midnight.
  const drawDay = bangkokDayOf(draw_at)
  if (![drawDay, addDays(drawDay, -1)].includes(newPeriod.period_date)) throw badTime('/period_date', 'ahead')
  return { open_at, close_at, draw_at }
}

function badTime(path: string, rule: string): Refusal {
  return new Refusal('bad_input', { problems: [{ part: 'body', path, rule }] })
}

/**
 * A draw is held at the timetable's hour even without a period here, because the market may have been switched off. No
 * period of its day accepts bets after it, whatever draw hour the office has set, and whether or not the day is a
 * holiday. With rounds, each has its own draw and is compared only with its own planned draw.
 * @throws Refusal draw_result_known, draw_before_close, with the period of the same draw; close_after_draw;
 * exchange_closed, close_after_exchange
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

/**
 * Prevents bets on an index that can be known.
 * @throws Refusal exchange_closed, close_after_exchange
 */
function refuseClosedExchange({ exchange }: MarketTimetables, day: string, close_at: Date): void {
  if (exchange === null) return
  const { exchange_code } = exchange
  const session = findSessionDay(exchange, day)
  if (session === null) throw new Refusal('exchange_closed', { exchange_code, day })
  if (close_at <= session.latest_close) return
  const latest_close = bangkokTime(session.latest_close.toISOString()).slice(0, 16)
  throw new Refusal('close_after_exchange', { exchange_code, latest_close })
}

const laterOf = (one: Date, other: Date): Date => (one > other ? one : other)

/**
 * A postponed period accepts no bets after another draw of its market.
 * @throws Refusal close_after_draw, draw_before_close
 */
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
