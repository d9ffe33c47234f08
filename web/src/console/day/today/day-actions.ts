// Actions on a period of the day, and their keys.

import type { DayPeriod, Period, Permission } from '@megalot/contract'
import type { DayFilter } from './today-search.ts'

export const dayActions = ['close', 'move', 'result', 'void'] as const
export type DayAction = (typeof dayActions)[number]

export const keyOfAction: Readonly<Record<DayAction, string>> = { close: 'c', move: 'm', result: 'r', void: 'v' }

const needsOfAction: Readonly<Record<DayAction, Permission>> = {
  close: 'periods.do',
  move: 'periods.do',
  result: 'results.do',
  void: 'periods.do',
}

interface Actor {
  is_office: boolean
  permissions: readonly Permission[]
}

/** The actions that a user of the office may do with a period as it is at an instant; nobody else may do any. */
export function listDayActions(
  { period, result }: DayPeriod,
  { is_office, permissions }: Actor,
  nowMs: number,
): DayAction[] {
  if (!is_office) return []
  const isOpen = period.status === 'open' && nowMs < Date.parse(period.close_at)
  const isDrawn = nowMs >= Date.parse(period.draw_at)
  const isUndecided = result === 'none' || result === 'one_of_two' || result === 'differs'
  const possible: Readonly<Record<DayAction, boolean>> = {
    close: isOpen,
    move: isOpen || period.status === 'upcoming',
    result: isDrawn && !isOpen && result !== 'settling' && result !== 'voiding' && result !== 'void',
    void: isUndecided,
  }
  return dayActions.filter((action) => possible[action] && permissions.includes(needsOfAction[action]))
}

/** Whether a user may enter the result of a period later, because it is not drawn yet. */
export function awaitsDraw({ period }: DayPeriod, { is_office, permissions }: Actor, nowMs: number): boolean {
  const isRunning = period.status === 'upcoming' || period.status === 'open' || period.status === 'closed'
  return is_office && permissions.includes(needsOfAction.result) && isRunning && nowMs < Date.parse(period.draw_at)
}

/** The sum of a figure of the day. A period that is void or is being voided has none: its stakes are refunded. */
export function sumDay(periods: readonly DayPeriod[], figure: 'tickets' | 'stake_satang'): number {
  return periods.reduce((sum, row) => sum + (row.result === 'void' || row.result === 'voiding' ? 0 : row[figure]), 0)
}

/** The action that a key means. */
export function actionOfKey(key: string): DayAction | undefined {
  return dayActions.find((action) => keyOfAction[action] === key.toLowerCase())
}

function isCalm({ alerts }: DayPeriod): boolean {
  return alerts.length === 0
}

/**
 * The periods of a part of the day, by close. Among those to be watched now, periods with alerts come first, so that it is found
 * without scrolling.
 */
export function listDayRows(periods: readonly DayPeriod[], filter: DayFilter): readonly DayPeriod[] {
  const rows = periods.filter((row) => isInFilter(row, filter))
  return filter === 'now' ? rows.toSorted((one, other) => Number(isCalm(one)) - Number(isCalm(other))) : rows
}

/** Whether a period belongs to a part of the day. */
export function isInFilter({ period, alerts, result }: DayPeriod, filter: DayFilter): boolean {
  const isCorrected = result === 'correction_one_of_two' || result === 'correction_differs'
  const parts: Readonly<Record<DayFilter, boolean>> = {
    now: period.status === 'open' || period.status === 'closed' || isCorrected || alerts.length > 0,
    open: period.status === 'open',
    due: period.status === 'closed',
    alerts: alerts.length > 0,
    done: period.status === 'settled' || period.status === 'void',
    all: true,
  }
  return parts[filter]
}

/** The text shown instead of the countdown, and its instant; null while the period is open. */
export function nameNoCountdown({
  status,
  open_at,
  close_at,
}: Period): { name: 'opens_at' | 'closed_at'; at: string } | null {
  if (status === 'open') return null
  return status === 'upcoming' ? { name: 'opens_at', at: open_at } : { name: 'closed_at', at: close_at }
}
