import { useLocation } from '@tanstack/react-router'
import { useTranslations } from 'use-intl'
import { useUser } from '../../lib/user/user-query.ts'
import { PageTabs } from '../../ui/page-tabs.tsx'
import { findScreen, tabsOf } from '../menu.ts'

/** The pages of the entry that is open. Nothing below one of them, such as a profile, has tabs. */
export function ScreenTabs() {
  const t = useTranslations('console')
  const user = useUser()
  const pathname = useLocation({ select: (location) => location.pathname })
  const found = findScreen(pathname)
  if (found === undefined || found.tab.page.path !== pathname) return null
  const tabs = tabsOf(user, found.screen)
  if (tabs.length < 2) return null
  return (
    <PageTabs
      label={t(`screen.${found.screen.name}`)}
      tabs={tabs.map(({ name, page }) => ({ to: page.path, word: t(`tab.${name}`) }))}
    />
  )
}
