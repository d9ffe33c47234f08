import { useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { nameOfTab, usePendingTickets } from '../../bet/ticket/pending-tickets.ts'
import { marketsQuery } from '../../../shared/markets/queries.ts'
import { localizedName } from '../../../lib/i18n/localized-name.ts'
import type { NewsItem } from './news-item.ts'
import { noteRead, useReadNews } from './read-news.ts'
import { betPath } from '../../../lib/page/addresses.ts'

/** An answer usually comes at once: nothing flashes up before it had time to. */
const SHOWN_AFTER_MS = 3_000

/** Tickets that were sent and whose outcome is not known. */
export function usePendingNews(user_id: number): readonly NewsItem[] {
  const t = useTranslations('news.pending')
  const language = useLocale()
  const read = useReadNews(user_id)
  const { data: markets } = useQuery(marketsQuery)
  const tickets = usePendingTickets(user_id)
  const nowMs = useNextInstant(tickets.map(({ sent_ms }) => sent_ms + SHOWN_AFTER_MS))
  const pathname = useLocation({ select: (location) => location.pathname })
  return tickets
    .filter(({ sent_ms, product_code, tab }) => {
      // The page of the market says it itself.
      const isThere = tab === nameOfTab() && pathname === betPath(product_code)
      return nowMs >= sent_ms + SHOWN_AFTER_MS && !isThere
    })
    .map(({ body, product_code }) => {
      const market = markets?.find((one) => one.product_code === product_code)
      const name = `pending ${body.request_id}`
      const isUnread = !read.has(name)
      return {
        name: 'pending',
        key: name,
        kind: 'warn',
        text: t('title', { market: market === undefined ? product_code : localizedName(market, language) }),
        until_ms: null,
        link: { to: '/bet/$product_code', params: { product_code } },
        unread: isUnread ? 1 : 0,
        isShown: isUnread,
        putAside: () => noteRead(user_id, [name]),
      }
    })
}

/** Now, as it was when the last of the given instants passed. */
function useNextInstant(instants: readonly number[]): number {
  const [nowMs, setNowMs] = useState(() => Date.now())
  const next = Math.min(...instants.filter((instant) => instant > nowMs))
  useEffect(() => {
    if (next === Infinity) return undefined
    const timer = setTimeout(() => setNowMs(Date.now()), Math.max(0, next - Date.now()) + 1)
    return () => clearTimeout(timer)
  }, [next])
  return nowMs
}
