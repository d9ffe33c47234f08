import { useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { useLocale, useTranslations } from 'use-intl'
import { localizedName } from '../../../lib/i18n/localized-name.ts'
import { isEmptyRow } from '../../bet/slip/slip-rows.ts'
import { readSlip, slipName } from '../../bet/slip/stored-slip.ts'
import { NO_MARKETS, marketsQuery } from '../../../shared/markets/queries.ts'
import { CLOSING_SOON_MS } from '../../../lib/clock/closing-soon.ts'
import { useServerTime } from '../../../lib/clock/server-clock.ts'
import type { NewsItem } from './news-item.ts'
import { noteRead, useReadNews } from './read-news.ts'
import { betPath } from '../../../lib/page/addresses.ts'

/** Markets that are about to close, and for which a slip on this device was not sent. */
export function useClosingNews(user_id: number): readonly NewsItem[] {
  const t = useTranslations('news.closing')
  const language = useLocale()
  const place = useLocation({ select: ({ pathname, search }) => `${pathname} ${search.period ?? ''}`.trim() })
  const { data: markets = NO_MARKETS } = useQuery(marketsQuery)
  const read = useReadNews(user_id)
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
  return markets.flatMap((market): NewsItem[] => {
    const { product_code, current_period: period } = market
    if (period === null || !closing.split(' ').includes(period.period_code)) return []
    const { period_code, close_at } = period
    const path = betPath(product_code)
    if (place === path || place === `${path} ${period_code}` || !hasDraft(user_id, product_code, period_code)) return []
    const name = `closing ${period_code}`
    const isUnread = !read.has(name)
    return [
      {
        name: 'closing',
        key: name,
        kind: 'warn',
        text: t('title', { market: localizedName(market, language) }),
        until_ms: Date.parse(close_at),
        link: { to: '/bet/$product_code', params: { product_code }, search: { period: period_code } },
        unread: isUnread ? 1 : 0,
        isShown: isUnread,
        putAside: () => noteRead(user_id, [name]),
      },
    ]
  })
}

function hasDraft(user_id: number, product_code: string, period_code: string): boolean {
  return (readSlip(slipName(user_id, product_code, period_code))?.rows ?? []).some((row) => !isEmptyRow(row))
}
