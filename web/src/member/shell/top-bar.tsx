import type { User } from '@megalot/contract'
import { usePageTitle } from '../../lib/page/page-title-store.ts'
import { useUnreadNews } from './news/unread-news.ts'
import { TopBarView } from './top-bar-view.tsx'

interface TopBarProps {
  user: User
  isAtMarket: boolean
  onOpenPanel: () => void
}

export function TopBar({ user, isAtMarket, onOpenPanel }: TopBarProps) {
  const { title } = usePageTitle()
  const unread = useUnreadNews((news) => news.unread)
  return (
    <TopBarView
      title={title}
      unread={unread}
      credit_remain_satang={user.credit_remain_satang}
      isAtMarket={isAtMarket}
      onOpenPanel={onOpenPanel}
    />
  )
}
