import type { Language } from '@megalot/contract'
import { useQuery } from '@tanstack/react-query'
import { useLocale, useTranslations } from 'use-intl'
import { formatDay } from '../../lib/format/dates.ts'
import { localizedName } from '../../lib/i18n/localized-name.ts'
import { marketsQuery, NO_MARKETS } from '../../shared/markets/queries.ts'

/** Names a period by its code alone: the market, the day and the round. What is not known of it stays as it is in the code. */
export function usePeriodName(): (period_code: string) => string {
  const common = useTranslations('common')
  const language: Language = useLocale()
  const { data: markets = NO_MARKETS } = useQuery(marketsQuery)
  return (period_code) => {
    const [, product_code, year, month, day, round] = /^(.+)-(\d{4})(\d{2})(\d{2})(?:-(\d+))?$/.exec(period_code) ?? []
    const market = markets.find((one) => one.product_code === product_code)
    if (market === undefined) return period_code
    return [
      localizedName(market, language),
      formatDay(`${year}-${month}-${day}`, language),
      ...(round === undefined ? [] : [common('round', { round })]),
    ].join(' · ')
  }
}
