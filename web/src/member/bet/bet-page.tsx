import type { Period, ProductPeriod } from '@megalot/contract'
import { Link, getRouteApi } from '@tanstack/react-router'
import { Suspense, useEffect } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { localizedName } from '../../lib/i18n/localized-name.ts'
import { formatInstant } from '../../lib/format/dates.ts'
import { ContactButton } from '../contact/contact-button.tsx'
import { stateOfMarket, useMarkets } from '../../shared/markets/queries.ts'
import { useNamedPage } from '../../lib/page/page-title-store.ts'
import { useServerTime } from '../../lib/clock/server-clock.ts'
import { useDeferredMount } from '../../lib/page/use-deferred-mount.ts'
import { useUser } from '../../lib/user/user-query.ts'
import { Alert } from '../../ui/alert.tsx'
import { EmptyNote, QueryView, Skeleton } from '../../ui/query-view.tsx'
import { BetDesk } from './bet-desk.tsx'
import { BetPageSkeleton } from './bet-skeleton.tsx'
import classes from './bet-page.module.css'
import { lazyChunks } from './lazy-chunks.ts'
import type { BettableState } from './market/bettable-state.ts'
import { isBlocked, MarketBlocked } from './market/market-blocked.tsx'
import { MarketLine } from './market/market-line.tsx'
import { MarketFacts } from '../../shared/markets/market-facts.tsx'
import { RateChoice } from './market/rate-choice.tsx'
import { useOpenPeriods } from './market/use-open-periods.ts'
import { useShownPeriod } from './market/use-shown-period.ts'
import { rememberMarketName } from './slip/kept-slips.ts'
import { ViewSwitch } from './latest/view-switch.tsx'
import { StyleSwitch } from './entry/style-switch.tsx'
import { useBetStyle } from './style-memory.ts'

const { LatestTickets } = lazyChunks

const route = getRouteApi('/main/bet/$product_code')

export function BetPage() {
  const { product_code } = route.useParams()
  const query = useMarkets()
  return (
    <QueryView query={query} skeleton={<BetPageSkeleton />}>
      {(markets) => {
        const market = markets.find((one) => one.product_code === product_code)
        if (market !== undefined) return <MarketBet key={product_code} market={market} />
        return <UnknownMarket />
      }}
    </QueryView>
  )
}

function UnknownMarket() {
  const t = useTranslations('bet.market')
  useNamedPage(t('unknown'))
  return (
    <EmptyNote title={t('unknown')}>
      <Link to="/">{t('to_list')}</Link>
    </EmptyNote>
  )
}

function MarketBet({ market }: { market: ProductPeriod }) {
  const t = useTranslations('bet')
  const language = useLocale()
  const kind = useServerTime((nowMs) => stateOfMarket(market, nowMs).kind)
  const current = market.current_period
  const open = useOpenPeriods(market.product_code)
  const { period: chosen } = route.useSearch()
  const name = localizedName(market, language)

  useNamedPage(t('title'), name)
  useEffect(() => rememberMarketName(market), [market])

  if (kind === 'no_package' || current === null) {
    return (
      <>
        <MarketLine market={market} period={null} isOpen={false} blocked={isBlocked(kind) ? kind : null} />
        {isBlocked(kind) ? (
          <MarketBlocked market={market} />
        ) : (
          <Alert kind="warn">
            <p>{t(current === null ? 'market.no_period' : 'market.no_package')}</p>
            {current !== null && <ContactButton />}
          </Alert>
        )}
      </>
    )
  }
  if (chosen !== undefined && chosen !== current.period_code && !open.isKnown) return <BetPageSkeleton />
  const period = open.periods.find(({ period_code }) => period_code === chosen)
  return (
    <PeriodBet
      market={market}
      requested={period ?? current}
      kind={period === undefined || isBlocked(kind) ? kind : 'open'}
      open={open.periods}
    />
  )
}

interface PeriodBetProps {
  market: ProductPeriod
  /** The period that the member chose, or the market's current one. */
  requested: Period
  kind: BettableState
  open: readonly Period[]
}

function PeriodBet({ market, requested, kind: requestedKind, open }: PeriodBetProps) {
  const t = useTranslations('bet')
  const language = useLocale()
  const user = useUser()
  const { view } = route.useSearch()
  const style = useBetStyle()
  // On a phone they are out of sight until they are asked for.
  const isRestShown = useDeferredMount()
  const { period, before, isFree } = useShownPeriod(user.user_id, market.product_code, requested)
  const isShown = period.period_code === requested.period_code
  const isStillOpen = open.some(({ period_code }) => period_code === period.period_code)
  const kind = isShown || isBlocked(requestedKind) ? requestedKind : isStillOpen ? 'open' : 'closed'
  const slipKey = { user_id: user.user_id, product_code: market.product_code, period_code: period.period_code }
  const mayBet = user.status === 'NORMAL'
  // No desk for a market that is off, nor for a member who may not bet; a ticket on its way keeps the desk that shows its answer.
  const hasDesk = (kind !== 'off' && mayBet) || !isFree
  return (
    <>
      <MarketLine
        market={market}
        period={period}
        isOpen={kind === 'open'}
        blocked={isBlocked(kind) ? kind : null}
        open={isFree ? open : []}
        rate={hasDesk && <RateChoice user={user} market={market} period_code={period.period_code} />}
      >
        {hasDesk && <StyleSwitch style={style} />}
        {hasDesk && <ViewSwitch view={view ?? 'slip'} />}
      </MarketLine>
      {isBlocked(kind) && <MarketBlocked market={market} />}
      {hasDesk && kind === 'opens_later' && (
        <Alert kind="warn">
          {t('market.opens_at', { time: formatInstant(period.open_at, language, 'dayAndTime') })}
        </Alert>
      )}
      {hasDesk && kind === 'closed' && <Alert kind="warn">{t('market.period_closed')}</Alert>}
      {!mayBet && <Alert kind="plain">{t('look.disabled')}</Alert>}
      {/* Not asked by `:has()`: each key on the slip would have the browser look through all of it again. */}
      <div
        className={classes.columns}
        data-sides={hasDesk || !mayBet ? 2 : 1}
        data-view={hasDesk ? (view ?? 'slip') : 'latest'}
      >
        {hasDesk && (
          <div className={classes.slip}>
            <BetDesk
              key={period.period_code}
              user={user}
              market={market}
              period={period}
              before={before}
              isFree={isFree}
              state={kind}
            />
          </div>
        )}
        {!mayBet && !hasDesk && (
          <div>
            <MarketFacts product_code={market.product_code} period={period} />
          </div>
        )}
        <div className={classes.latest}>
          {isRestShown && (
            <Suspense fallback={<Skeleton count={4} height={64} gap={6} />}>
              <LatestTickets slipKey={slipKey} canBet={hasDesk && kind === 'open'} />
            </Suspense>
          )}
        </div>
      </div>
    </>
  )
}
