import { getRouteApi } from '@tanstack/react-router'
import { useLocale, useTranslations } from 'use-intl'
import { localizedName } from '../../../lib/i18n/localized-name.ts'
import { EmptyNote, QueryView, Skeleton } from '../../../ui/query-view.tsx'
import { PageTitle } from '../../../ui/page-title.tsx'
import { useMarkets } from '../../../shared/markets/queries.ts'
import { LatestOrders } from '../../../shared/tickets/latest/latest-orders.tsx'
import { MarketFacts } from '../../../shared/markets/market-facts.tsx'
import classes from '../../../shared/markets/market-facts.module.css'

const route = getRouteApi('/main/markets/$product_code')

/** A market for users who do not bet: its times, the rates given to this user, and the newest tickets of the downline. */
export function MarketPage() {
  const t = useTranslations('bet')
  const language = useLocale()
  const { product_code } = route.useParams()
  const query = useMarkets()
  return (
    <QueryView query={query} skeleton={<Skeleton count={6} height={72} />}>
      {(markets) => {
        const market = markets.find((one) => one.product_code === product_code)
        if (market === undefined) return <EmptyNote title={t('market.unknown')} />
        const period = market.current_period
        return (
          <>
            <PageTitle title={localizedName(market, language)} />
            <div className={classes.columns}>
              <MarketFacts product_code={product_code} period={period} />
              {period !== null && <LatestOrders period_code={period.period_code} hint={t('look.no_tickets')} />}
            </div>
          </>
        )
      }}
    </QueryView>
  )
}
