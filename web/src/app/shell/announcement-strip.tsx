import type { User } from '@megalot/contract'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { IconSpeakerphone, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { announcementsQuery, titleOf } from '../../features/announcements/queries.ts'
import { keepOnDevice } from '../../lib/device/device-storage.ts'
import { readStored, textForm, writeStored } from '../../lib/device/stored-value.ts'
import { noticesQuery } from '../../features/notices/queries.ts'
import { ANNOUNCEMENT_KEY } from '../../lib/device/storage-keys.ts'
import classes from './announcement-strip.module.css'

/** The newest announcement that the member has not read, until it is put aside; its text is a click away. */
export function AnnouncementStrip() {
  const t = useTranslations('shell.announcement')
  const language = useLocale()
  const { data } = useQuery(announcementsQuery)
  // Kept until the log-out, by what it said then: one that was written anew is shown again.
  const [asideAt, setAsideAt] = useState(() => readStored(textForm, ANNOUNCEMENT_KEY))
  const newest = data?.find(({ is_read }) => !is_read)
  if (newest === undefined || asideAt === newest.updated_at) return null
  const putAside = (): void => {
    setAsideAt(newest.updated_at)
    keepOnDevice(ANNOUNCEMENT_KEY, writeStored(textForm, newest.updated_at))
  }
  return (
    <section className={classes.strip} aria-label={t('none')}>
      <IconSpeakerphone size={20} stroke={1.6} aria-hidden="true" className={classes.icon} />
      <Link to="/announcements" className={classes.link}>
        {titleOf(newest, language)}
      </Link>
      <button type="button" className={classes.close} aria-label={t('put_aside')} onClick={putAside}>
        <IconX size={20} stroke={1.75} aria-hidden="true" />
      </button>
    </section>
  )
}

/** How many announcements, and notices of its own, the user has not read. */
export function useUnreadCount({ level }: User): number {
  const { data } = useQuery(announcementsQuery)
  const { data: own } = useQuery({ ...noticesQuery, enabled: level === 'member' })
  return (data?.filter(({ is_read }) => !is_read).length ?? 0) + (own?.unread_count ?? 0)
}
