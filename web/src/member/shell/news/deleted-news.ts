import type { OrderSummary } from '@megalot/contract'
import { listOrders } from '@megalot/contract/browser'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { queryKeys } from '../../../lib/api/query-keys.ts'
import { callRoute } from '../../../lib/api/http-client.ts'
import { formatBaht } from '../../../lib/format/money.ts'
import { serverNowMs } from '../../../lib/clock/server-clock.ts'
import type { NewsItem } from './news-item.ts'
import { NEWS_MS } from './news-pace.ts'
import { noteRead, useReadNews } from './read-news.ts'

/** An older ticket is not shown any more once its period is settled, also not on a device that has shown none yet. */
const RECENT_MS = 3 * 24 * 3_600_000
const NONE: readonly OrderSummary[] = []

/** Tickets that somebody above has deleted. */
export function useDeletedNews(user_id: number): readonly NewsItem[] {
  const t = useTranslations('news.deleted')
  const read = useReadNews(user_id)
  const { data: orders = NONE } = useQuery({
    queryKey: queryKeys.orders.deletedNews,
    queryFn: async ({ signal }) =>
      (await callRoute(listOrders, { query: { status: 'DELETED', ipp: '10', v: '2' }, signal })).data,
    refetchInterval: NEWS_MS,
  })
  return orders
    .filter(
      ({ created_at, period }) => period.status !== 'settled' || Date.parse(created_at) > serverNowMs() - RECENT_MS,
    )
    .map(({ order_id, cancelled_by, net_satang }) => {
      const name = `deleted ${order_id}`
      const isUnread = !read.has(name)
      return {
        name: 'deleted',
        key: name,
        kind: 'warn',
        text: t('text', { amount: formatBaht(net_satang), username: cancelled_by ?? t('office') }),
        until_ms: null,
        link: { to: '/bills/$order_id', params: { order_id: String(order_id) } },
        unread: isUnread ? 1 : 0,
        isShown: isUnread,
        putAside: () => noteRead(user_id, [name]),
      }
    })
}
