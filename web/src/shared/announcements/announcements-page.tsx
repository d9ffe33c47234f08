import type { Announcement } from '@megalot/contract'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { ReactNode } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { makeChange } from '../../lib/api/use-change.ts'
import { announcementsQuery, textOf, markRead, titleOf } from './queries.ts'
import { formatInstant } from '../../lib/format/dates.ts'
import { markNoticesRead, noticesQuery } from './notices/queries.ts'
import { useUser } from '../../lib/user/user-query.ts'
import { Card, Heading, Row, Stack, Text } from '../../ui/layout.tsx'
import { PeriodNotice } from './notices/period-notice.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { Skeleton, EmptyNote, QueryView } from '../../ui/query-view.tsx'
import { RefreshButton } from '../../ui/refresh-button.tsx'
import classes from './announcements-page.module.css'

const READ_AFTER_MS = 2_000

/** @param props.children is listed first */
export function AnnouncementsPage({ children }: { children?: ReactNode }) {
  const t = useTranslations('announcements')
  const user = useUser()
  const query = useQuery(announcementsQuery)
  useMarkRead(query.data)
  return (
    <>
      <PageTitle title={t('title')}>
        <RefreshButton isBusy={query.isRefetching} onRefresh={() => void query.refetch()} />
      </PageTitle>
      {children}
      {user.level === 'member' && <OwnNotices />}
      <QueryView query={query} skeleton={<Skeleton count={4} height={72} />}>
        {(announcements) =>
          announcements.length === 0 ? (
            <EmptyNote title={t('none')}>{t('none_hint')}</EmptyNote>
          ) : (
            <Stack as="ul" gap={10}>
              {announcements.map((one) => (
                <OneAnnouncement key={one.announce_id} announcement={one} />
              ))}
            </Stack>
          )
        }
      </QueryView>
    </>
  )
}

/** Marks every announcement read once its title was on screen for a moment. */
function useMarkRead(announcements: readonly Announcement[] | undefined): void {
  const unread = (announcements ?? []).filter(({ is_read }) => !is_read).map(({ announce_id }) => announce_id)
  const names = unread.join()
  useEffect(() => {
    if (names === '') return undefined
    const ids = names.split(',').map(Number)
    const timer = setTimeout(
      () => void Promise.all(ids.map((id) => makeChange(markRead, id))).catch(() => undefined),
      READ_AFTER_MS,
    )
    return () => clearTimeout(timer)
  }, [names])
}

/** Notices about periods in which the member has bet. Opening one marks it read. */
function OwnNotices() {
  const t = useTranslations('news')
  const language = useLocale()
  const { data } = useQuery(noticesQuery)
  const newest = data?.notices[0]
  const unread = data?.unread_count ?? 0
  useEffect(() => {
    if (newest === undefined || unread === 0) return undefined
    // Only what stayed open for a moment counts as read.
    const timer = setTimeout(
      () => void makeChange(markNoticesRead, newest.notice_id).catch(() => undefined),
      READ_AFTER_MS,
    )
    return () => clearTimeout(timer)
  }, [newest, unread])
  if (data === undefined || data.notices.length === 0) return null
  return (
    <Stack as="section" gap={10} aria-labelledby="own-notices">
      <Heading id="own-notices">{t('notices_heading')}</Heading>
      <Stack as="ul" gap={10}>
        {data.notices.map((notice) => (
          <Card as="li" key={notice.notice_id} className={classes.card} data-unread={!notice.is_read || undefined}>
            <Stack gap={4} pad={[12, 16]}>
              <PeriodNotice notice={notice} />
              <Row as="p" gap={[4, 10]} size="small" tone="dim">
                {formatInstant(notice.at, language, 'dayAndTime')}
              </Row>
            </Stack>
          </Card>
        ))}
      </Stack>
    </Stack>
  )
}

function OneAnnouncement({ announcement }: { announcement: Announcement }) {
  const t = useTranslations('announcements')
  const language = useLocale()
  const [isOpen, setIsOpen] = useState(false)
  return (
    <Card as="li" className={classes.card} data-unread={!announcement.is_read || undefined}>
      <Text as="h2" size="body">
        <button type="button" className={classes.toggle} aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
          <Text as="span" strong>
            {titleOf(announcement, language)}
          </Text>
          <Row as="span" gap={[4, 10]} size="small" tone="dim">
            {announcement.type === 'important' && <span className={classes.important}>{t('important')}</span>}
            {!announcement.is_read && <span className={classes.unread}>{t('unread')}</span>}
            <span>{formatInstant(announcement.updated_at, language, 'dayAndTime')}</span>
          </Row>
        </button>
      </Text>
      {isOpen && <p className={classes.body}>{textOf(announcement, language)}</p>}
    </Card>
  )
}
