import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslations } from 'use-intl'
import { markNoticesRead, noticesQuery } from '../../../lib/notice-queries.ts'
import { CorrectedAward } from '../../../ui/corrected-award.tsx'
import { NewsStrip } from './news-strip.tsx'

/** The newest correction that was not read yet; all of them stand with the announcements. */
export function CorrectedNews() {
  const t = useTranslations('news.corrected')
  const { data } = useQuery(noticesQuery)
  const newest = data?.notices.find(({ is_read }) => !is_read)
  if (newest === undefined || data === undefined) return null
  // Whether it was noted or not: it was there to be read.
  const putAside = (): void => void markNoticesRead(newest.notice_id).catch(() => undefined)
  return (
    <NewsStrip kind="warn" title={t('title')} name="corrected-news" onPutAside={putAside}>
      <CorrectedAward notice={newest} />
      {data.unread_count > 1 && (
        <p>
          <Link to="/announcements">{t('more', { count: data.unread_count - 1 })}</Link>
        </p>
      )}
    </NewsStrip>
  )
}
