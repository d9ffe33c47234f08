// The console's draw day: each period that needs attention. Reads other modules' data; stores nothing.

import {
  type DayAlert,
  type DayPeriod,
  type DrawDay,
  LATE_RESULT_MINUTES,
  type Maintenance,
  type Period,
  seesHouse,
} from '@megalot/contract'
import { LRUCache } from 'lru-cache'
import { addDays, bangkokDayOf } from '../../lib/bangkok.ts'
import type { Caller } from '../../http/caller.ts'
import { type Db, readClock } from '../../postgres/db.ts'
import { Refusal } from '../../lib/refusal.ts'
import { createWorstCases, type WorstCases } from '../../exposure/index.ts'
import { listMaintenances } from '../../markets/maintenance/index.ts'
import { toPeriod } from '../../markets/index.ts'
import { listNumbers } from '../../markets/quotas/index.ts'
import { type DayRow, listDayRows, listPeriodsFrom, type PeriodSums, sumPeriods } from './draw-day.store.ts'

/** How long a day is reused for callers who see the same, in ms, because consoles ask every few seconds. */
const REUSE_MS = 1_000

/** The part of full and half quota from which a number counts as nearly used. */
const NEARLY_USED = 0.8

/**
 * How long numbers near their quota are reused while the exposure does not change, in ms, because quotas change by
 * hand.
 */
const NUMBERS_MS = 10_000

/** Callers with the same rights see the same. */
interface Viewer {
  /** Null for the house. */
  agent_id: number | null
  seesRisk: boolean
  seesResults: boolean
}

function viewerOf(caller: Caller): Viewer {
  const isOfHouse = seesHouse(caller)
  return {
    agent_id: isOfHouse ? null : caller.principal_id,
    seesRisk: isOfHouse && caller.permissions.has('risk.view'),
    seesResults: caller.is_office,
  }
}

export type ReadDay = (caller: Caller, date: string | undefined) => Promise<DrawDay>

export function createDayReader(db: Db): ReadDay {
  const days = new LRUCache<string, Promise<DrawDay>>({ max: 500, ttl: REUSE_MS })
  const parts: DayParts = {
    db,
    worstCases: createWorstCases(db),
    numbers: new LRUCache<number, { version: number; count: number }>({ max: 2_000, ttl: NUMBERS_MS }),
  }
  return (caller, date) => {
    const viewer = viewerOf(caller)
    const key = JSON.stringify([viewer, date])
    const known = days.get(key)
    if (known) return known
    const read = readDay(parts, viewer, date)
    days.set(key, read)
    read.catch(() => days.delete(key))
    return read
  }
}

interface DayParts {
  db: Db
  worstCases: WorstCases
  numbers: LRUCache<number, { version: number; count: number }>
}

async function readDay(parts: DayParts, viewer: Viewer, requestedDate: string | undefined): Promise<DrawDay> {
  const { db } = parts
  const now = await readClock(db)
  const date = requestedDate ?? bangkokDayOf(now)
  const rows = await listDayRows(db, date, addDays(date, 1), requestedDate === undefined)
  const { maintenance, products } = await listMaintenances(db)
  const maintained = new Map<string, Maintenance>(products.map((product) => [product.product_code, product]))
  const period_ids = rows.map(({ period_id }) => period_id)
  const sums = await sumPeriods(db, period_ids, viewer.agent_id)
  const undecided = rows.filter(({ outcome }) => outcome === 'pending' || outcome === 'settling')
  const worst = viewer.seesRisk
    ? await parts.worstCases.read(undecided.map(({ period_id }) => period_id))
    : new Map<number, { version: number; worst_case_satang: number }>()
  const periods: DayPeriod[] = []
  for (const row of rows) {
    const risk = worst.get(row.period_id)
    const numbers_near_quota = risk && row.status === 'open' ? await countNearQuota(parts, row, risk.version) : 0
    periods.push({
      period: toPeriod(row),
      ...presentSums(row, sums.get(row.period_id)),
      worst_case_satang: risk?.worst_case_satang ?? null,
      result: viewer.seesResults ? row.result : null,
      done_percent: viewer.seesResults ? row.done_percent : null,
      seal: viewer.agent_id === null && row.status !== 'open' && row.status !== 'upcoming' ? row.seal : null,
      alerts: listAlerts(row, viewer, now, {
        isMaintained: maintenance !== null || maintained.has(row.product_code),
        numbers_near_quota,
      }),
      numbers_near_quota,
    })
  }
  return { now: now.toISOString(), date, maintenance, periods }
}

function presentSums({ outcome }: DayRow, sums: PeriodSums | undefined) {
  const { tickets = 0, received_satang = 0, discount_satang = 0, win_satang = 0 } = sums ?? {}
  return {
    tickets,
    stake_satang: received_satang,
    result_satang: outcome === 'settled' ? received_satang - discount_satang - win_satang : null,
  }
}

function listAlerts(
  row: DayRow,
  viewer: Viewer,
  now: Date,
  { isMaintained, numbers_near_quota }: { isMaintained: boolean; numbers_near_quota: number },
): DayAlert[] {
  const isLate =
    row.outcome === 'pending' &&
    row.status === 'closed' &&
    now.getTime() - row.draw_at.getTime() > LATE_RESULT_MINUTES * 60_000
  const isUndecided = row.outcome === 'pending' || row.outcome === 'settling'
  const alerts: readonly [DayAlert, boolean][] = [
    ['entries_differ', viewer.seesResults && (row.result === 'differs' || row.result === 'correction_differs')],
    ['late_result', viewer.seesResults && isLate],
    ['book_differs', viewer.agent_id === null && isUndecided && row.seal === 'differs'],
    ['quota_nearly_used', numbers_near_quota > 0],
    ['void_requested', viewer.seesResults && row.is_void_requested],
    ['maintenance', isMaintained && row.status === 'open'],
    ['switched_off', !row.is_enabled && row.status === 'open'],
  ]
  return alerts.filter(([, isOn]) => isOn).map(([alert]) => alert)
}

async function countNearQuota(
  { db, numbers }: DayParts,
  { period_id, period_code }: DayRow,
  version: number,
): Promise<number> {
  const known = numbers.get(period_id)
  if (known?.version === version) return known.count
  const count = (await listNumbers(db, period_code)).filter(
    ({ accepted_satang, full_satang, half_satang }) =>
      full_satang !== null && accepted_satang > 0 && accepted_satang >= NEARLY_USED * (full_satang + half_satang),
  ).length
  numbers.set(period_id, { version, count })
  return count
}

/** The most days per call. */
const CALENDAR_DAYS = 31

/** @throws Refusal bad_input (too many days, or in reverse order) */
export async function listCalendar(db: Db, date_from: string, date_to: string): Promise<Period[]> {
  if (date_to < date_from || date_to > addDays(date_from, CALENDAR_DAYS - 1))
    throw new Refusal('bad_input', { problems: [{ part: 'query', path: '/date_to', rule: 'at most 31 days' }] })
  return (await listPeriodsFrom(db, date_from, date_to)).map(toPeriod)
}
