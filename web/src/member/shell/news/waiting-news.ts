import type { OrderSummary } from '@megalot/contract'
import { listOrders } from '@megalot/contract/browser'
import { useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { useTranslations } from 'use-intl'
import { queryKeys } from '../../../lib/api/query-keys.ts'
import { callRoute } from '../../../lib/api/http-client.ts'
import type { NewsItem } from './news-item.ts'
import { NEWS_MS } from './news-pace.ts'
import { noteRead, useReadNews } from './read-news.ts'
import { billPath } from '../../../lib/page/addresses.ts'

const NONE: readonly OrderSummary[] = []

/** Tickets that wait for the member's answer, with the time left for the first of them. */
export function useWaitingNews(user_id: number): readonly NewsItem[] {
  const t = useTranslations('news.waiting')
  const pathname = useLocation({ select: (location) => location.pathname })
  const read = useReadNews(user_id)
  const { data: orders = NONE } = useQuery({
    queryKey: queryKeys.orders.waiting,
    queryFn: async ({ signal }) =>
      (await callRoute(listOrders, { query: { status: 'WAIT_CONFIRM', ipp: '20', v: '2' }, signal })).data,
    refetchInterval: NEWS_MS,
  })
  // The page of a ticket says it itself.
  const shown = orders.filter(({ order_id }) => pathname !== billPath(order_id))
  if (shown.length === 0) return []
  const names = shown.map(({ order_id }) => `waiting ${order_id}`)
  const unread = names.filter((name) => !read.has(name)).length
  const deadlines = shown.flatMap(({ confirm_deadline_at }) =>
    confirm_deadline_at === null ? [] : [Date.parse(confirm_deadline_at)],
  )
  return [
    {
      name: 'waiting',
      key: 'waiting',
      kind: 'warn',
      text: t('title', { count: shown.length }),
      until_ms: deadlines.length === 0 ? null : Math.min(...deadlines),
      link:
        shown.length === 1
          ? { to: '/bills/$order_id', params: { order_id: String(shown[0]!.order_id) } }
          : { to: '/bills', search: { status: 'WAIT_CONFIRM' } },
      unread,
      isShown: unread > 0,
      putAside: () => noteRead(user_id, names),
    },
  ]
}
