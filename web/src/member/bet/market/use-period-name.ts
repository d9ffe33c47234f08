import type { Period } from '@megalot/contract'
import { useLocale, useTranslations } from 'use-intl'
import { formatDay } from '../../../lib/format/dates.ts'

/** Names a period in a sentence: its round, else its day. */
export function usePeriodName(): (period: Period) => string {
  const common = useTranslations('common')
  const language = useLocale()
  return ({ round, period_date }) =>
    round === null
      ? common('period', { day: formatDay(period_date, language, 'shortDay') })
      : common('round', { round: String(round) })
}
