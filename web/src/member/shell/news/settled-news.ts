import { listPeriodWinLoss } from '@megalot/contract/browser'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTranslations } from 'use-intl'
import { queryKeys } from '../../../lib/api/query-keys.ts'
import { keepOnDevice } from '../../../lib/device/device-storage.ts'
import { readStored, writeStored } from '../../../lib/device/stored-value.ts'
import { callRoute } from '../../../lib/api/http-client.ts'
import { formatSignedBaht } from '../../../lib/format/money.ts'
import { AWAITED_KEY_PREFIX } from '../../../lib/device/page-storage-keys.ts'
import type { NewsItem } from './news-item.ts'
import { NEWS_MS } from './news-pace.ts'
import { noteRead, useReadNews } from './read-news.ts'
import { NOTHING_SETTLED, noteSettled, settledForm } from './settled-memory.ts'

/** Periods whose result came since the member last looked: won or not, and how much. */
export function useSettledNews(user_id: number): readonly NewsItem[] {
  const t = useTranslations('news.settled')
  const read = useReadNews(user_id)
  const { data: rows } = useQuery({
    queryKey: queryKeys.reports.newest,
    queryFn: async ({ signal }) => (await callRoute(listPeriodWinLoss, { query: { ipp: '50' }, signal })).data,
    refetchInterval: NEWS_MS,
  })
  const storage = `${AWAITED_KEY_PREFIX}${user_id}`
  const [memory, setMemory] = useState(() => readStored(settledForm, storage) ?? NOTHING_SETTLED)
  const noted = rows === undefined ? memory : noteSettled(memory, rows)
  if (noted !== memory) setMemory(noted)
  useEffect(() => void keepOnDevice(storage, writeStored(settledForm, memory)), [storage, memory])
  return noted.settled.flatMap((period_code): NewsItem[] => {
    const row = rows?.find(({ period }) => period.period_code === period_code)
    if (row === undefined) return []
    const hasWon = row.win_satang > 0
    const name = `settled ${period_code} ${row.win_satang}`
    const isUnread = !read.has(name)
    return [
      {
        name: 'settled',
        key: name,
        kind: hasWon ? 'good' : 'plain',
        text: hasWon ? t('won', { amount: formatSignedBaht(row.win_satang) }) : t('lost', { count: row.ticket_count }),
        until_ms: null,
        link: { to: '/reports/win-loss/$period_code', params: { period_code } },
        unread: isUnread ? 1 : 0,
        isShown: isUnread,
        putAside: () => noteRead(user_id, [name]),
      },
    ]
  })
}
