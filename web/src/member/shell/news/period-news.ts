import type { Notice } from '@megalot/contract'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { makeChange } from '../../../lib/api/use-change.ts'
import { markNoticesRead, noticesQuery } from '../../../shared/announcements/notices/queries.ts'
import type { NewsItem } from './news-item.ts'

const titles = {
  award_corrected: 'corrected.title',
  period_voided: 'voided.title',
  period_postponed: 'postponed.title',
} as const satisfies Readonly<Record<Notice['kind'], string>>

/** The newest corrected result, or voided or postponed period, that was not read yet. */
export function usePeriodNews(): readonly NewsItem[] {
  const t = useTranslations('news')
  const { data } = useQuery(noticesQuery)
  const newest = data?.notices.find(({ is_read }) => !is_read)
  if (newest === undefined || data === undefined) return []
  return [
    {
      name: 'period',
      key: 'period',
      kind: 'warn',
      text: t(titles[newest.kind]),
      until_ms: null,
      link: { to: '/announcements' },
      unread: data.unread_count,
      isShown: true,
      // Whether it was noted or not: it was there to be read.
      putAside: () => void makeChange(markNoticesRead, newest.notice_id).catch(() => undefined),
    },
  ]
}
