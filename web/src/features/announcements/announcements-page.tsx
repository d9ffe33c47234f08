import type { Announcement } from '@megalot/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { announcementsQuery, bodyOf, markRead, titleOf } from '../../lib/announcement-queries.ts'
import { formatInstant } from '../../lib/dates.ts'
import { PageTitle } from '../../ui/page-title.tsx'
import { Bones, EmptyNote, QueryView } from '../../ui/query-view.tsx'
import { RefreshButton } from '../../ui/refresh-button.tsx'
import classes from './announcements-page.module.css'

export function AnnouncementsPage() {
  const t = useTranslations('announcements')
  const query = useQuery(announcementsQuery)
  return (
    <>
      <PageTitle title={t('title')}>
        <RefreshButton isBusy={query.isRefetching} onRefresh={() => void query.refetch()} />
      </PageTitle>
      <QueryView query={query} skeleton={<Bones count={4} height={72} />}>
        {(announcements) =>
          announcements.length === 0 ? (
            <EmptyNote title={t('none')} />
          ) : (
            <ul className={classes.list}>
              {announcements.map((one) => (
                <OneAnnouncement key={one.announce_id} announcement={one} />
              ))}
            </ul>
          )
        }
      </QueryView>
    </>
  )
}

function OneAnnouncement({ announcement }: { announcement: Announcement }) {
  const t = useTranslations('announcements')
  const language = useLocale()
  const [isOpen, setIsOpen] = useState(false)
  const toggle = (): void => {
    setIsOpen(!isOpen)
    // Whether it was noted or not: the text is there to be read.
    if (!isOpen && !announcement.is_read) markRead(announcement.announce_id).catch(() => undefined)
  }
  return (
    <li className={classes.card} data-unread={!announcement.is_read || undefined}>
      <h2 className={classes.head}>
        <button type="button" className={classes.toggle} aria-expanded={isOpen} onClick={toggle}>
          <span className={classes.title}>{titleOf(announcement, language)}</span>
          <span className={classes.marks}>
            {announcement.type === 'important' && <span className={classes.important}>{t('important')}</span>}
            {!announcement.is_read && <span className={classes.unread}>{t('unread')}</span>}
            <span>{formatInstant(announcement.updated_at, language, 'dayAndTime')}</span>
          </span>
        </button>
      </h2>
      {isOpen && <p className={classes.body}>{bodyOf(announcement, language)}</p>}
    </li>
  )
}
