import type { PeriodChanges } from '@megalot/contract'
import { useLocale, useTranslations } from 'use-intl'
import { formatDay } from '../../lib/format/dates.ts'
import { dayOfPeriod } from '../../shared/markets/use-names.ts'
import { Stack } from '../../ui/layout.tsx'

const kinds = ['removed', 'made', 'kept'] as const

/** The effect of a changed timetable or holiday on periods, by day. */
export function PeriodChangesNote({ changes }: { changes: PeriodChanges }) {
  const t = useTranslations('calendar.period_changes')
  const language = useLocale()
  const daysOf = (codes: readonly string[]): string =>
    [...new Set(codes.map((code) => formatDay(dayOfPeriod(code), language, 'weekday')))].join(', ')
  const named = kinds.filter((kind) => changes[kind].length > 0)
  return (
    <Stack as="ul" tabular aria-label={t('label')} data-testid="period-changes">
      {named.length === 0 && <li>{t('none')}</li>}
      {named.map((kind) => (
        <li key={kind}>
          {t(kind, { count: changes[kind].length })}: {daysOf(changes[kind])}
        </li>
      ))}
    </Stack>
  )
}
