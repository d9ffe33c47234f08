import type { Timetable } from '@megalot/contract'
import { useLocale, useTranslations } from 'use-intl'
import { formatDay } from '../../lib/format/dates.ts'

/** A Monday. */
const MONDAY = Date.UTC(2026, 0, 5)

/** The short name of a weekday, 1 for Monday to 7 for Sunday. */
export function useWeekdayName(): (weekday: number) => string {
  const language = useLocale()
  return (weekday) =>
    formatDay(new Date(MONDAY + (weekday - 1) * 86_400_000).toISOString().slice(0, 10), language, 'weekdayName')
}

/** A timetable in one line: its days, and when its periods open, close and are drawn. */
export function useTimetableWords(): (timetable: Timetable) => string {
  const t = useTranslations('changes.timetable')
  const weekdayName = useWeekdayName()
  const daysOf = ({ days }: Timetable): string => {
    if (days === 'every_day') return t('every_day')
    return 'weekdays' in days
      ? days.weekdays.map(weekdayName).join(' ')
      : t('month_days', { days: days.month_days.join(', ') })
  }
  const timeOf = ({ time, day_offset = 0 }: Timetable['open']): string => {
    if (day_offset === 0) return time
    return day_offset < 0 ? t('before', { time, days: -day_offset }) : t('after', { time })
  }
  return (timetable) =>
    [
      daysOf(timetable),
      t('open', { time: timeOf(timetable.open) }),
      t('close', { time: timeOf(timetable.close) }),
      t('draw', { time: timeOf(timetable.draw) }),
      ...(timetable.rounds
        ? [t('rounds', { count: timetable.rounds.count, minutes: timetable.rounds.every_minutes })]
        : []),
    ].join(' · ')
}
