import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocale } from 'use-intl'
import { announcementsQuery, titleOf } from '../../../shared/announcements/queries.ts'
import { keepOnDevice } from '../../../lib/device/device-storage.ts'
import { ANNOUNCEMENT_KEY } from '../../../lib/device/storage-keys.ts'
import { readStored, textForm, writeStored } from '../../../lib/device/stored-value.ts'
import type { NewsItem } from './news-item.ts'

/** The newest announcement that the member has not read. Put aside, it stays unread. */
export function useAnnouncementNews(): readonly NewsItem[] {
  const language = useLocale()
  const { data } = useQuery(announcementsQuery)
  // Lasts until log-out. Editing an announcement shows it again.
  const [asideAt, setAsideAt] = useState(() => readStored(textForm, ANNOUNCEMENT_KEY))
  const unread = data?.filter(({ is_read }) => !is_read) ?? []
  const [newest] = unread
  if (newest === undefined) return []
  return [
    {
      name: 'announcement',
      key: 'announcement',
      kind: 'plain',
      text: titleOf(newest, language),
      until_ms: null,
      link: { to: '/announcements' },
      unread: unread.length,
      isShown: asideAt !== newest.updated_at,
      putAside: () => {
        setAsideAt(newest.updated_at)
        keepOnDevice(ANNOUNCEMENT_KEY, writeStored(textForm, newest.updated_at))
      },
    },
  ]
}
