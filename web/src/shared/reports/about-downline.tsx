import { useQuery } from '@tanstack/react-query'
import { useLocale, useTranslations } from 'use-intl'
import { formatDay } from '../../lib/format/dates.ts'
import { localizedName } from '../../lib/i18n/localized-name.ts'
import { marketsQuery } from '../markets/queries.ts'
import { codesOf } from './report-search.ts'
import type { ReportSearch } from './report-search.ts'

/** What the report is about, in words: days, markets, and whose it is. */
export function AboutDownline({
  search,
  span,
}: {
  search: ReportSearch
  span: { date_from?: string; date_to?: string }
}) {
  const t = useTranslations('reports')
  const language = useLocale()
  const { data: markets = [] } = useQuery(marketsQuery)
  const codes = codesOf(search)
  const names = codes.map((code) => {
    const market = markets.find((one) => one.product_code === code)
    return market === undefined ? code : localizedName(market, language)
  })
  const days = [span.date_from, span.date_to].map((day) => (day === undefined ? '…' : formatDay(day, language)))
  return (
    <p>
      {[
        search.username ?? null,
        span.date_from === undefined && span.date_to === undefined ? t('bar.all_days') : days.join(' – '),
        codes.length === 0 ? t('bar.all_markets') : names.join(', '),
        search.filter === undefined ? null : t(`filter.${search.filter}`),
      ]
        .filter((part) => part !== null)
        .join(' · ')}
    </p>
  )
}
