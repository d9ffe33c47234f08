import type { Period, ProductPeriod } from '@megalot/contract'
import { Link, getRouteApi } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { formatInstant, formatMoment } from '../../lib/dates.ts'
import { messageOf } from '../../lib/maintenance-store.ts'
import { nameOfMarket, stateOfMarket, useMarkets } from '../../lib/market-queries.ts'
import type { MarketState } from '../../lib/market-queries.ts'
import { useNamedPage } from '../../lib/page-title-store.ts'
import { serverNowMs, useServerTime } from '../../lib/server-clock.ts'
import { useShownLater } from '../../lib/shown-later.ts'
import { useUser } from '../../lib/user-query.ts'
import { Notice } from '../../ui/notice.tsx'
import { Bones, EmptyNote, QueryView } from '../../ui/query-view.tsx'
import { BetDesk } from './bet-desk.tsx'
import classes from './bet-page.module.css'
import { LatestOrders } from './latest/latest-orders.tsx'
import { MarketLine } from './market/market-line.tsx'
import { useShownPeriod } from './market/use-shown-period.ts'
import { rememberMarketName } from './slip/kept-slips.ts'
import { ViewSwitch } from './latest/view-switch.tsx'

const route = getRouteApi('/main/bet/$product_code')

export function BetPage() {
  const { product_code } = route.useParams()
  const query = useMarkets()
  return (
    <QueryView query={query} skeleton={<Waiting />}>
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

function Waiting() {
  const t = useTranslations('bet')
  return (
    <>
      <h1 className="visually-hidden">{t('title')}</h1>
      <Bones count={6} height={72} />
    </>
  )
}

function MarketBet({ market }: { market: ProductPeriod }) {
  const t = useTranslations('bet')
  const language = useLocale()
  const kind = useServerTime((nowMs) => stateOfMarket(market, nowMs).kind)
  const period = market.current_period
  const name = nameOfMarket(market, language)

  useNamedPage(t('title'), name)
  useEffect(() => rememberMarketName(market), [market])

  if (kind === 'no_package' || period === null) {
    return (
      <>
        <MarketLine market={market} period={null} isOpen={false} blocked={isBlocked(kind) ? kind : null} />
        {isBlocked(kind) ? (
          <MarketBlocked market={market} />
        ) : (
          <Notice kind="warn">{t(period === null ? 'market.no_period' : 'market.no_package')}</Notice>
        )}
      </>
    )
  }
  return <PeriodBet market={market} current={period} kind={kind} />
}

/** Whether no ticket is taken whatever the time is: the slip stays as it is meanwhile. */
function isBlocked(kind: MarketState['kind']): kind is 'off' | 'maintained' {
  return kind === 'off' || kind === 'maintained'
}

/** Why the market takes no tickets: it is switched off, or the office says what is being mended and until when. */
function MarketBlocked({ market }: { market: ProductPeriod }) {
  const t = useTranslations('bet.market')
  const language = useLocale()
  const maintenance = market.is_enabled ? market.maintenance : null
  const untilMs = Date.parse(maintenance?.until_at ?? '') || 0
  const isAhead = useServerTime((nowMs) => untilMs > nowMs)
  if (maintenance === null) return <Notice kind="warn">{t('off')}</Notice>
  return (
    <Notice kind="warn" title={t('maintained')}>
      <p className={classes.told}>{messageOf(maintenance, language)}</p>
      {isAhead && <p>{t('maintained_until', { time: formatMoment(untilMs, serverNowMs(), language) })}</p>}
    </Notice>
  )
}

interface PeriodBetProps {
  market: ProductPeriod
  current: Period
  kind: Exclude<MarketState['kind'], 'no_package'>
}

function PeriodBet({ market, current, kind: currentKind }: PeriodBetProps) {
  const t = useTranslations('bet')
  const language = useLocale()
  const user = useUser()
  const { view } = route.useSearch()
  // On a phone they are out of sight until they are asked for.
  const isRestShown = useShownLater()
  const { period, isFree } = useShownPeriod(user.user_id, market.product_code, current)
  const kind = period.period_code === current.period_code || isBlocked(currentKind) ? currentKind : 'closed'
  // Nothing is drafted for a market that is off; a ticket on its way keeps the desk that shows its answer.
  const hasDesk = kind !== 'off' || !isFree
  return (
    <>
      <MarketLine market={market} period={period} isOpen={kind === 'open'} blocked={isBlocked(kind) ? kind : null}>
        {hasDesk && <ViewSwitch view={view ?? 'slip'} />}
      </MarketLine>
      {isBlocked(kind) && <MarketBlocked market={market} />}
      {kind === 'opens_later' && (
        <Notice kind="warn">
          {t('market.opens_at', { time: formatInstant(period.open_at, language, 'dayAndTime') })}
        </Notice>
      )}
      {kind === 'closed' && <Notice kind="warn">{t('market.period_closed')}</Notice>}
      <div className={classes.columns} data-view={hasDesk ? (view ?? 'slip') : 'latest'}>
        {hasDesk && (
          <div className={classes.slip}>
            <BetDesk key={period.period_code} user={user} market={market} period={period} isOpen={kind === 'open'} />
          </div>
        )}
        <div className={classes.latest}>{isRestShown && <LatestOrders period_code={period.period_code} />}</div>
      </div>
    </>
  )
}
