import { listPeriodWinLoss } from '@megalot/contract'
import type { DataOf } from '@megalot/contract'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useTranslations } from 'use-intl'
import { queryKeys } from '../../../lib/api/query-keys.ts'
import { keepOnDevice } from '../../../lib/device/device-storage.ts'
import { readStored, writeStored } from '../../../lib/device/stored-value.ts'
import { callRoute } from '../../../lib/api/http-client.ts'
import { formatSignedBaht } from '../../../lib/format/money.ts'
import { AWAITED_KEY_PREFIX } from '../../../lib/device/page-storage-keys.ts'
import { MarketName } from '../../../features/markets/market-name.tsx'
import { NEWS_MS } from './news-pace.ts'
import { NewsStrip } from './news-strip.tsx'
import { NOTHING_SETTLED, noteSettled, settledForm } from './settled-memory.ts'

type PeriodRow = DataOf<typeof listPeriodWinLoss>[number]

/** Periods whose result came since the member last looked: won or not, and how much. */
export function SettledNews({ user_id }: { user_id: number }) {
  const { data: rows } = useQuery({
    queryKey: queryKeys.reports.newest,
    queryFn: async ({ signal }) => (await callRoute(listPeriodWinLoss, { query: { ipp: '50' }, signal })).data,
    refetchInterval: NEWS_MS,
  })
  const name = `${AWAITED_KEY_PREFIX}${user_id}`
  const [memory, setMemory] = useState(() => readStored(settledForm, name) ?? NOTHING_SETTLED)
  const noted = rows === undefined ? memory : noteSettled(memory, rows)
  if (noted !== memory) setMemory(noted)
  useEffect(() => void keepOnDevice(name, writeStored(settledForm, memory)), [name, memory])
  return noted.unseen.map((period_code) => {
    const row = rows?.find(({ period }) => period.period_code === period_code)
    return row === undefined ? null : (
      <OneSettled
        key={period_code}
        row={row}
        onPutAside={() => setMemory({ ...noted, unseen: noted.unseen.filter((one) => one !== period_code) })}
      />
    )
  })
}

function OneSettled({ row, onPutAside }: { row: PeriodRow; onPutAside: () => void }) {
  const t = useTranslations('news.settled')
  const { period, win_satang, ticket_count } = row
  const hasWon = win_satang > 0
  return (
    <NewsStrip
      kind={hasWon ? 'good' : 'plain'}
      title={hasWon ? t('won', { amount: formatSignedBaht(win_satang) }) : t('lost', { count: ticket_count })}
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
