import { Link } from '@tanstack/react-router'
import { useEffect, useEffectEvent } from 'react'
import { useTranslations } from 'use-intl'
import { AnnouncementsPage } from '../../../shared/announcements/announcements-page.tsx'
import { useUser } from '../../../lib/user/user-query.ts'
import { Countdown } from '../../../ui/countdown.tsx'
import classes from './inbox.module.css'
import { useNews } from './use-news.ts'

const READ_AFTER_MS = 2_000

/** The bell's page: what happened to the member's tickets, then notices and announcements. Opened, all of it is read. */
export function InboxPage() {
  return (
    <AnnouncementsPage>
      <TicketNews user_id={useUser().user_id} />
    </AnnouncementsPage>
  )
}

function TicketNews({ user_id }: { user_id: number }) {
  const t = useTranslations('news')
  // The page lists notices and announcements in full.
  const items = useNews(user_id).filter(({ name }) => name !== 'period' && name !== 'announcement')
  const unread = items.filter((item) => item.unread > 0)
  const unreadKeys = unread.map(({ key }) => key).join()
  const readAll = useEffectEvent(() => unread.forEach(({ putAside }) => putAside()))
  useEffect(() => {
    if (unreadKeys === '') return undefined
    const timer = setTimeout(readAll, READ_AFTER_MS)
    return () => clearTimeout(timer)
  }, [unreadKeys])
  if (items.length === 0) return null
  return (
    <section aria-label={t('tickets_heading')}>
      <ul className={classes.list}>
        {items.map(({ key, name, kind, text, until_ms, link }) => (
          <li key={key} data-testid={`${name}-entry`}>
            <Link className={classes.entry} data-kind={kind} {...link}>
              <span className={classes.text}>{text}</span>
              {until_ms !== null && <Countdown until_ms={until_ms} />}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}
