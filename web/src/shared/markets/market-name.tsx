import type { Period } from '@megalot/contract'
import { useQuery } from '@tanstack/react-query'
import { useLocale, useTranslations } from 'use-intl'
import { localizedName } from '../../lib/i18n/localized-name.ts'
import { formatDay } from '../../lib/format/dates.ts'
import { NO_MARKETS, marketsQuery } from './queries.ts'
import { Flag } from '../../ui/flag.tsx'
import classes from './market-name.module.css'

interface MarketNameProps {
  period: Period
  /** The day that the whole list is about: it is not repeated. */
  day?: string
}

/** A market and one of its periods, as lists of tickets and results name them. */
export function MarketName({ period, day }: MarketNameProps) {
  const common = useTranslations('common')
  const language = useLocale()
  const { data: markets = NO_MARKETS, isPending } = useQuery(marketsQuery)
  const details = [
    ...(period.period_date === day ? [] : [common('period', { day: formatDay(period.period_date, language) })]),
    ...(period.round === null ? [] : [common('round', { round: String(period.round) })]),
  ]
  const market = markets.find((one) => one.product_code === period.product_code)
  return (
    <span className={classes.market}>
      <Flag country_code={market?.country_code ?? ''} width={27} />
      <span>
        {market === undefined && isPending ? (
          <span className={classes.awaited} />
        ) : (
          <span className={classes.name}>
            {market === undefined ? period.product_code : localizedName(market, language)}
          </span>
        )}{' '}
        {details.length > 0 && <span className={classes.period}>{details.join('\u00a0· ')}</span>}
      </span>
    </span>
  )
}
