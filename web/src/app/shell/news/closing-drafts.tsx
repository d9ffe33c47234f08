import { useQuery } from '@tanstack/react-query'
import { Link, useLocation } from '@tanstack/react-router'
import { useState } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { localizedName } from '../../../lib/i18n/localized-name.ts'
import { isEmptyRow } from '../../../features/bet/slip/slip-rows.ts'
import { readSlip, slipName } from '../../../features/bet/slip/stored-slip.ts'
import { NO_MARKETS, marketsQuery } from '../../../features/markets/queries.ts'
import { CLOSING_SOON_MS } from '../../../lib/clock/closing-soon.ts'
import { useServerTime } from '../../../lib/clock/server-clock.ts'
import { Countdown } from '../../../ui/countdown.tsx'
import { betPath } from '../../path-params.ts'
import { NewsStrip } from './news-strip.tsx'

/** A market is about to close, and on this device a slip for it was begun and not sent. */
export function ClosingDrafts({ user_id }: { user_id: number }) {
  const t = useTranslations('news.closing')
  const language = useLocale()
  const place = useLocation({ select: ({ pathname, search }) => `${pathname} ${search.period ?? ''}`.trim() })
  const { data: markets = NO_MARKETS } = useQuery(marketsQuery)
  const [aside, setAside] = useState<ReadonlySet<string>>(new Set())
  // Names of periods as one text: the page renders again only when another one comes near its close.
  const closing = useServerTime((nowMs) =>
    markets
      .filter(({ is_enabled, maintenance }) => is_enabled && maintenance === null)
      .flatMap(({ current_period }) => (current_period === null ? [] : [current_period]))
      .filter(({ status, close_at }) => {
        const leftMs = Date.parse(close_at) - nowMs
        return status === 'open' && leftMs > 0 && leftMs <= CLOSING_SOON_MS
      })
      .map(({ period_code }) => period_code)
      .join(' '),
  )
  const closingDrafts = markets.flatMap((market) => {
    const period = market.current_period
    if (period === null || !closing.split(' ').includes(period.period_code)) return []
    const path = betPath(market.product_code)
    const isThere = place === path || place === `${path} ${period.period_code}`
    if (isThere || aside.has(period.period_code) || !hasDraft(user_id, market.product_code, period.period_code))
      return []
    return [{ market, period }]
  })
  return closingDrafts.map(({ market, period }) => (
    <NewsStrip
      key={period.period_code}
      kind="warn"
      title={t('title', { market: localizedName(market, language) })}
      name="closing-news"
      onPutAside={() => setAside(new Set([...aside, period.period_code]))}
    >
      <p>
        {t('text')} <Countdown until_ms={Date.parse(period.close_at)} />
        <Link
          to="/bet/$product_code"
          params={{ product_code: market.product_code }}
          search={{ period: period.period_code }}
        >
          {t('link')}
        </Link>
      </p>
    </NewsStrip>
  ))
}

function hasDraft(user_id: number, product_code: string, period_code: string): boolean {
  return (readSlip(slipName(user_id, product_code, period_code))?.rows ?? []).some((row) => !isEmptyRow(row))
}
