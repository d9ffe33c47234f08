import { listOrders } from '@megalot/contract'
import type { OrderSummary } from '@megalot/contract'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useTranslations } from 'use-intl'
import { keepOnDevice, readFromDevice } from '../../../lib/device-storage.ts'
import { callRoute } from '../../../lib/http-client.ts'
import { formatSignedBaht } from '../../../lib/money.ts'
import { AWAITED_KEY_PREFIX } from '../../../lib/storage-keys.ts'
import { MarketName } from '../../../ui/market-name.tsx'
import { NewsStrip } from './news-strip.tsx'
import { noteSettled, readSettled } from './settled-memory.ts'

/** Tickets whose result came since the member last looked: won or not, and how much. */
export function SettledNews({ user_id }: { user_id: number }) {
  const { data: orders } = useQuery({
    queryKey: ['orders', 'newest'],
    queryFn: async ({ signal }) =>
      (await callRoute(listOrders, { query: { status: 'CONFIRMED', ipp: '100', v: '2' }, signal })).data,
    refetchInterval: 60_000,
  })
  const name = `${AWAITED_KEY_PREFIX}${user_id}`
  const [memory, setMemory] = useState(() => readSettled(readFromDevice(name)))
  const noted = orders === undefined ? memory : noteSettled(memory, orders)
  if (noted !== memory) setMemory(noted)
  useEffect(() => void keepOnDevice(name, JSON.stringify(memory)), [name, memory])
  return noted.told.map((period_code) => {
    const own = orders?.filter(({ period }) => period.period_code === period_code) ?? []
    return own[0] === undefined ? null : (
      <OneSettled
        key={period_code}
        orders={own}
        onPutAside={() => setMemory({ ...noted, told: noted.told.filter((one) => one !== period_code) })}
      />
    )
  })
}

function OneSettled({ orders, onPutAside }: { orders: readonly OrderSummary[]; onPutAside: () => void }) {
  const t = useTranslations('news.settled')
  const { period } = orders[0]!
  const win_satang = orders.reduce((sum, order) => sum + order.win_satang, 0)
  const hasWon = win_satang > 0
  return (
    <NewsStrip
      kind={hasWon ? 'good' : 'plain'}
      title={hasWon ? t('won', { amount: formatSignedBaht(win_satang) }) : t('lost', { count: orders.length })}
      name="settled-news"
      onPutAside={onPutAside}
    >
      <p>
        <MarketName period={period} />
        <Link to="/reports/win-loss/$period_code" params={{ period_code: period.period_code }} onClick={onPutAside}>
          {t('link')}
        </Link>
      </p>
    </NewsStrip>
  )
}
