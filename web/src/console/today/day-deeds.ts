// What can be done with a period of the day, and by which key.

import type { DayPeriod, Permission } from '@megalot/contract'
import type { DayFilter } from '../page-search.ts'

export const dayDeeds = ['close', 'move', 'result', 'void'] as const
export type DayDeed = (typeof dayDeeds)[number]

export const keyOfDeed: Readonly<Record<DayDeed, string>> = { close: 'c', move: 'm', result: 'r', void: 'v' }

const needsOfDeed: Readonly<Record<DayDeed, Permission>> = {
  close: 'periods.do',
  move: 'periods.do',
  result: 'results.do',
  void: 'periods.do',
}

interface Actor {
  is_office: boolean
  permissions: readonly Permission[]
}

/** The deeds that a user of the office may do with a period as it is at an instant; nobody else may do any. */
export function listDayDeeds(
  { period, result }: DayPeriod,
  { is_office, permissions }: Actor,
  nowMs: number,
): DayDeed[] {
  if (!is_office) return []
  const isOpen = period.status === 'open' && nowMs < Date.parse(period.close_at)
  const isDrawn = nowMs >= Date.parse(period.draw_at)
  const isUndecided = result === 'none' || result === 'one_of_two' || result === 'differs'
  const possible: Readonly<Record<DayDeed, boolean>> = {
    close: isOpen,
    move: isOpen || period.status === 'upcoming',
    result: isDrawn && !isOpen && result !== 'settling' && result !== 'voiding' && result !== 'void',
    void: isUndecided,
  }
  return dayDeeds.filter((deed) => possible[deed] && permissions.includes(needsOfDeed[deed]))
}

/** The deed that a key means. */
export function deedOfKey(key: string): DayDeed | undefined {
  return dayDeeds.find((deed) => keyOfDeed[deed] === key.toLowerCase())
}

/** Whether a period belongs to a part of the day. */
export function isInFilter({ period, alerts }: DayPeriod, filter: DayFilter): boolean {
  if (filter === 'open') return period.status === 'open'
  if (filter === 'due') return period.status === 'closed'
  if (filter === 'done') return period.status === 'settled' || period.status === 'void'
  return filter === 'all' || alerts.length > 0
}
