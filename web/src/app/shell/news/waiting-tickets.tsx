import { listOrders } from '@megalot/contract'
import { useQuery } from '@tanstack/react-query'
import { Link, useLocation } from '@tanstack/react-router'
import { useTranslations } from 'use-intl'
import { queryKeys } from '../../../lib/api/query-keys.ts'
import { callRoute } from '../../../lib/api/http-client.ts'
import { Countdown } from '../../../ui/countdown.tsx'
import { NEWS_MS } from './news-pace.ts'
import { billPath } from '../../path-params.ts'
import { NewsStrip } from './news-strip.tsx'

const MAX_SHOWN = 3

/** Tickets that wait for the member's answer, with the time left for it. */
export function WaitingTickets() {
  const t = useTranslations('news.waiting')
  const pathname = useLocation({ select: (location) => location.pathname })
  const { data: orders = [] } = useQuery({
    queryKey: queryKeys.orders.waiting,
    queryFn: async ({ signal }) =>
      (await callRoute(listOrders, { query: { status: 'WAIT_CONFIRM', ipp: '20', v: '2' }, signal })).data,
    refetchInterval: NEWS_MS,
  })
  // Its own page says it itself.
  const shown = orders.filter(({ order_id }) => pathname !== billPath(order_id))
  if (shown.length === 0) return null
  return (
    <NewsStrip kind="warn" title={t('title', { count: shown.length })} name="waiting-news">
      {shown.slice(0, MAX_SHOWN).map(({ order_id, confirm_deadline_at }) => (
        <p key={order_id}>
          <Link to="/bills/$order_id" params={{ order_id: String(order_id) }}>
            {t('ticket', { order_id: String(order_id) })}
          </Link>
          {confirm_deadline_at !== null && <Countdown until_ms={Date.parse(confirm_deadline_at)} />}
        </p>
      ))}
      {shown.length > MAX_SHOWN && (
        <p>
          <Link to="/bills" search={{ status: 'WAIT_CONFIRM' }}>
            {t('all')}
          </Link>
        </p>
      )}
    </NewsStrip>
  )
}
