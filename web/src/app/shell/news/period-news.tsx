import { useQuery } from '@tanstack/react-query'
import { Link, useLocation } from '@tanstack/react-router'
import { useTranslations } from 'use-intl'
import { markNoticesRead, noticesQuery } from '../../../features/notices/queries.ts'
import { PeriodNotice } from '../../../features/notices/period-notice.tsx'
import { paths } from '../../paths.ts'
import { NewsStrip } from './news-strip.tsx'
import classes from './period-news.module.css'

/** The newest corrected result or voided period that was not read yet; all of them stand with the announcements. */
export function PeriodNews() {
  const t = useTranslations('news')
  const { data } = useQuery(noticesQuery)
  // Its own page lists it.
  const isListed = useLocation({ select: ({ pathname }) => pathname === paths.announcements })
  const newest = data?.notices.find(({ is_read }) => !is_read)
  if (newest === undefined || data === undefined || isListed) return null
  // Whether it was noted or not: it was there to be read.
  const putAside = (): void => void markNoticesRead(newest.notice_id).catch(() => undefined)
  return (
    <div className={classes.news}>
      <NewsStrip
        kind="warn"
        title={t(newest.kind === 'award_corrected' ? 'corrected.title' : 'voided.title')}
        name="period-news"
        onPutAside={putAside}
      >
        <PeriodNotice notice={newest} />
        {data.unread_count > 1 && (
          <p>
            <Link to="/announcements">{t('more_notices', { count: data.unread_count - 1 })}</Link>
          </p>
        )}
      </NewsStrip>
    </div>
  )
}
