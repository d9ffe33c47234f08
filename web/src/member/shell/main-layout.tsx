import '../../ui/paper.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { Outlet, useLocation } from '@tanstack/react-router'
import { Suspense, lazy, useEffect, useState } from 'react'
import type { ComponentType } from 'react'
import { useTranslations } from 'use-intl'
import { ShownToasts } from '../../shared/feedback/shown-toasts.tsx'
import { afterNextPaint } from '../../lib/page/after-next-paint.ts'
import { loadArea } from '../../lib/i18n/language-store.ts'
import { followLive } from '../../lib/live/live.ts'
import { useIsOnline } from '../../lib/device/use-is-online.ts'
import { queryClient } from '../../lib/api/query-client.ts'
import { useDeferredMount } from '../../lib/page/use-deferred-mount.ts'
import { useKeepAlive } from '../../lib/user/use-keep-alive.ts'
import { useUser } from '../../lib/user/user-query.ts'
import { DialogSheet } from '../../ui/dialog-sheet.tsx'
import { useFrameHold } from '../../ui/static-frame.ts'
import { ElapsedReminder } from './elapsed-reminder.tsx'
import { MemberPanel } from './member-panel.tsx'
import type { NewsProps } from './news/news.tsx'
import { NewsLine } from './news/news-line.tsx'
import { usePendingResolution } from './pending-resolution.ts'
import { ShellFrame } from './shell-frame.tsx'
import { TopBar } from './top-bar.tsx'
import { readBetPath } from '../../lib/page/addresses.ts'

// The first format of a page has the browser read its language data, 50 ms on a cheap phone: in a task of its own.
setTimeout(() => new Intl.NumberFormat())

// News load after the page. Without news the page stays as it is.
const News = lazy(async (): Promise<{ default: ComponentType<NewsProps> }> => {
  await afterNextPaint()
  try {
    const [{ News: component }] = await Promise.all([import('./news/news.tsx'), loadArea('news')])
    return { default: component }
  } catch {
    return { default: () => null }
  }
})

export function MainLayout() {
  // One member's read news must not be shown to the next member on the device.
  useEffect(() => () => queryClient.clear(), [])
  useEffect(followLive, [])
  return (
    <QueryClientProvider client={queryClient}>
      <Frame />
      <ShownToasts />
    </QueryClientProvider>
  )
}

/** In place of a page that is about to be drawn: the prerendered frame stays. */
function PrerenderedPage() {
  useFrameHold()
  return null
}

function Frame() {
  const t = useTranslations('shell')
  const user = useUser()
  const isOnline = useIsOnline()
  const isAtMarket = useLocation({ select: ({ pathname }) => readBetPath(pathname) !== undefined })
  const [isPanelOpen, setIsPanelOpen] = useState(false)
  // Subscriptions to the router and to the queries render at once, whatever they take. What is deferred renders in slices, so the
  // frame and the page within it are two tasks that a finger can come between, instead of one long one.
  const isPageShown = useDeferredMount()
  usePendingResolution(user.user_id)
  useKeepAlive('user', { title: t('update.title'), text: t('update.text'), still: t('update.still') })
  return (
    <>
      <ShellFrame
        isAtMarket={isAtMarket}
        // On a phone it is out of sight.
        panel={isPageShown && <MemberPanel user={user} />}
        topBar={<TopBar user={user} isAtMarket={isAtMarket} onOpenPanel={() => setIsPanelOpen(true)} />}
      >
        {isOnline && user.status !== 'NORMAL' && (
          <NewsLine kind="bad" name="status-news" text={t(`notice.${user.status}`)} />
        )}
        {!isOnline && <NewsLine kind="warn" name="offline-news" text={t('offline')} />}
        <Suspense fallback={null}>
          <News user={user} isAtMarket={isAtMarket} isHidden={!isOnline || user.status !== 'NORMAL'} />
        </Suspense>
        {isPageShown ? <Outlet /> : <PrerenderedPage />}
      </ShellFrame>
      <ElapsedReminder />
      <DialogSheet isOpen={isPanelOpen} onClose={() => setIsPanelOpen(false)} title={t('panel.label')} form="drawer">
        <MemberPanel user={user} onLeave={() => setIsPanelOpen(false)} />
      </DialogSheet>
    </>
  )
}
