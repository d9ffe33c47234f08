import type { User } from '@megalot/contract'
import { useLocation } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useTranslations } from 'use-intl'
import { usePushRenewal } from '../../push/use-push-renewal.ts'
import { useUnreadNews } from './unread-news.ts'
import { NewsLine } from './news-line.tsx'
import { useNews } from './use-news.ts'

export interface NewsProps {
  user: User
  /** On the bet page only a ticket without an outcome is worth the room. */
  isAtMarket: boolean
  /** Something graver has the line. */
  isHidden: boolean
}

/** The most urgent news in one line. The bell counts all news. */
export function News({ user, isAtMarket, isHidden }: NewsProps) {
  const t = useTranslations('news')
  const items = useNews(user.user_id)
  usePushRenewal(user.user_id)
  const unread = items.reduce((sum, item) => sum + item.unread, 0)
  useEffect(() => useUnreadNews.setState({ unread }), [unread])
  const isListed = useLocation({ select: ({ pathname }) => pathname === '/announcements' })
  const item = items.find(({ name, isShown }) => isShown && (!isAtMarket || name === 'waiting' || name === 'pending'))
  if (item === undefined || isListed || isHidden) return null
  const { kind, name, text, until_ms, link, putAside } = item
  return (
    <NewsLine
      kind={kind}
      name={`${name}-news`}
      text={text}
      until_ms={until_ms}
      link={link}
      // Finished events count as read once their page opens.
      onFollow={name === 'settled' || name === 'deleted' ? putAside : undefined}
      closeLabel={t('put_aside', { title: text })}
      onClose={putAside}
    />
  )
}
