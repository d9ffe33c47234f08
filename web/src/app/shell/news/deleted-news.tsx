import { listOrders } from '@megalot/contract'
import type { OrderSummary } from '@megalot/contract'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { queryKeys } from '../../../lib/api/query-keys.ts'
import { keepOnDevice } from '../../../lib/device/device-storage.ts'
import { readStored, writeStored } from '../../../lib/device/stored-value.ts'
import type { StoredForm } from '../../../lib/device/stored-value.ts'
import { callRoute } from '../../../lib/api/http-client.ts'
import { formatBaht } from '../../../lib/format/money.ts'
import { serverNowMs } from '../../../lib/clock/server-clock.ts'
import { DELETED_READ_KEY_PREFIX } from '../../../lib/device/page-storage-keys.ts'
import { NEWS_MS } from './news-pace.ts'
import { NewsStrip } from './news-strip.tsx'

/** An older ticket is not shown any more once its period is settled, also not on a device that has shown none yet. */
const RECENT_MS = 3 * 24 * 3_600_000
const MAX_SHOWN = 3
const MAX_READ_IDS = 50
const NONE: readonly OrderSummary[] = []

const idsForm: StoredForm<readonly number[]> = {
  version: 0,
  read: (stored) => (Array.isArray(stored) ? stored.filter((one): one is number => typeof one === 'number') : null),
}

/** Tickets that somebody above has deleted, until the member has put that aside on this device. */
export function DeletedNews({ user_id }: { user_id: number }) {
  const t = useTranslations('news.deleted')
  const name = `${DELETED_READ_KEY_PREFIX}${user_id}`
  const [read, setRead] = useState(() => readStored(idsForm, name) ?? [])
  const { data: orders = NONE } = useQuery({
    queryKey: queryKeys.orders.deletedNews,
    queryFn: async ({ signal }) =>
      (await callRoute(listOrders, { query: { status: 'DELETED', ipp: '10', v: '2' }, signal })).data,
    refetchInterval: NEWS_MS,
  })
  const shown = orders.filter(
    ({ order_id, created_at, period }) =>
      !read.includes(order_id) && (period.status !== 'settled' || Date.parse(created_at) > serverNowMs() - RECENT_MS),
  )
  if (shown.length === 0) return null
  const putAside = (): void => {
    const next = [...shown.map(({ order_id }) => order_id), ...read].slice(0, MAX_READ_IDS)
    keepOnDevice(name, writeStored(idsForm, next))
    setRead(next)
  }
  return (
    <NewsStrip kind="warn" title={t('title', { count: shown.length })} name="deleted-news" onPutAside={putAside}>
      {shown.slice(0, MAX_SHOWN).map(({ order_id, cancelled_by, net_satang }) => (
        <p key={order_id}>
          {t('by', { username: cancelled_by ?? t('office'), amount: formatBaht(net_satang) })}
          <Link to="/bills/$order_id" params={{ order_id: String(order_id) }}>
            {t('ticket', { order_id: String(order_id) })}
          </Link>
        </p>
      ))}
      {shown.length > MAX_SHOWN && (
        <p>
          <Link to="/bills/deleted">{t('all')}</Link>
        </p>
      )}
    </NewsStrip>
  )
}
