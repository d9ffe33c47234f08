import '../../ui/paper.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { Link, Outlet } from '@tanstack/react-router'
import { IconMenu2, IconSearch } from '@tabler/icons-react'
import { lazy, Suspense, useEffect, useState } from 'react'
import { useTranslations } from 'use-intl'
import { queryClient } from '../../lib/api/query-client.ts'
import { useIsOnline } from '../../lib/device/use-is-online.ts'
import { formatBaht } from '../../lib/format/money.ts'
import { followLive } from '../../lib/live/live.ts'
import { usePageTitle } from '../../lib/page/page-title-store.ts'
import { useKeepAlive } from '../../lib/user/use-keep-alive.ts'
import { useUser } from '../../lib/user/user-query.ts'
import { Alert } from '../../ui/alert.tsx'
import { DialogSheet } from '../../ui/dialog-sheet.tsx'
import { Logo } from '../../ui/logo.tsx'
import { ShownToasts } from '../../features/feedback/shown-toasts.tsx'
import classes from './console-layout.module.css'
import { ConsoleMenu } from './console-menu.tsx'

const CommandPalette = lazy(async () => ({
  default: (await import('../palette/command-palette.tsx')).CommandPalette,
}))

/** What stands around every page of the console. */
export function ConsoleLayout() {
  // What one user has read must not greet the next one on the same device.
  useEffect(() => () => queryClient.clear(), [])
  useEffect(followLive, [])
  return (
    <QueryClientProvider client={queryClient}>
      <Frame />
      <ShownToasts />
    </QueryClientProvider>
  )
}

function Frame() {
  const t = useTranslations('console')
  const skip = useTranslations('shell')('skip')
  const user = useUser()
  const isOnline = useIsOnline()
  const [isMenuOpen, setIsMenuOpen] = useState(false)
  const palette = usePalette()
  useKeepAlive('console', { title: t('update.title'), text: t('update.text'), still: t('update.still') })
  return (
    <div className={classes.frame}>
      <a href="#content" className={classes.skip}>
        {skip}
      </a>
      <aside className={classes.side} aria-label={t('menu.label')}>
        <ConsoleMenu user={user} />
      </aside>
      <header className={classes.bar}>
        <button type="button" className={classes.open} aria-label={t('menu.open')} onClick={() => setIsMenuOpen(true)}>
          <IconMenu2 size={24} stroke={1.6} />
        </button>
        <PageName />
        <button
          type="button"
          className={classes.search}
          aria-label={t('palette.open')}
          aria-keyshortcuts="Control+K"
          onClick={palette.open}
        >
          <IconSearch size={18} stroke={1.75} aria-hidden="true" />
          <span className={classes.searchText}>{t('palette.open')}</span>
          <kbd className={classes.key}>Ctrl K</kbd>
        </button>
        <p className={classes.credit}>
          <span className={classes.creditLabel}>{t('credit')}</span>
          <span className="number" data-testid="credit-remain">
            {formatBaht(user.credit_remain_satang)}
          </span>
        </p>
        <Link to="/account/password" className={classes.user ?? ''}>
          {user.username}
        </Link>
      </header>
      <main id="content" className={classes.content} tabIndex={-1}>
        {!isOnline && <Alert kind="warn">{t('offline')}</Alert>}
        {user.status === 'SUSPENDED' && <Alert kind="bad">{t('suspended')}</Alert>}
        <Outlet />
      </main>
      <DialogSheet isOpen={isMenuOpen} onClose={() => setIsMenuOpen(false)} title={t('menu.label')} form="drawer">
        <ConsoleMenu user={user} onLeave={() => setIsMenuOpen(false)} />
      </DialogSheet>
      {palette.isWanted && (
        <Suspense fallback={null}>
          <CommandPalette user={user} isOpen={palette.isOpen} onClose={palette.close} />
        </Suspense>
      )}
    </div>
  )
}

function PageName() {
  const { title } = usePageTitle()
  return (
    <span className={classes.name}>
      <Logo size={22} />
      <span className={classes.title}>{title}</span>
    </span>
  )
}

/** Ctrl-K, or command-K, opens the palette wherever the focus is; its code is fetched when it is first wanted. */
function usePalette() {
  const [isOpen, setIsOpen] = useState(false)
  const [isWanted, setIsWanted] = useState(false)
  const open = (): void => {
    setIsWanted(true)
    setIsOpen(true)
  }
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey) return
      event.preventDefault()
      setIsWanted(true)
      setIsOpen(true)
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [])
  return { isOpen, isWanted, open, close: () => setIsOpen(false) }
}
