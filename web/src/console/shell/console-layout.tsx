import '../../ui/paper.css'
import type { User } from '@megalot/contract'
import { permissionsOfApprovals } from '@megalot/contract/browser'
import { QueryClientProvider, useQuery } from '@tanstack/react-query'
import { Link, Outlet, useLocation } from '@tanstack/react-router'
import IconMenu2 from '~icons/menu-2'
import IconSearch from '~icons/search'
import { lazy, Suspense, useEffect, useState } from 'react'
import { useTranslations } from 'use-intl'
import { sessionStateQuery } from '../../shared/second-factor/queries.ts'
import { queryClient } from '../../lib/api/query-client.ts'
import { useIsOnline } from '../../lib/device/use-is-online.ts'
import { loadArea } from '../../lib/i18n/language-store.ts'
import { formatBaht } from '../../lib/format/money.ts'
import { followLive } from '../../lib/live/live.ts'
import { usePageTitle } from '../../lib/page/page-title-store.ts'
import { offerStepUp, useStepUp } from '../../lib/session/step-up-store.ts'
import { useKeepAlive } from '../../lib/user/use-keep-alive.ts'
import { useUser } from '../../lib/user/user-query.ts'
import { Alert } from '../../ui/alert.tsx'
import { DialogSheet } from '../../ui/dialog-sheet.tsx'
import { Row, Stack } from '../../ui/layout.tsx'
import { Logo } from '../../ui/logo.tsx'
import { ShownToasts } from '../../shared/feedback/shown-toasts.tsx'
import { useAwaitedFiles } from '../money/downline/awaited-files-store.ts'
import classes from './console-layout.module.css'
import { permissionsOf } from '../menu.ts'
import { ConsoleMenu } from './console-menu.tsx'
import { ScreenTabs } from './screen-tabs.tsx'

const NewMembers = lazy(async () => {
  const [module] = await Promise.all([import('../people/new-members.tsx'), loadArea('people')])
  return { default: module.NewMembers }
})
const RejectedRequests = lazy(async () => {
  const [module] = await Promise.all([
    import('../day/approvals/rejected-requests.tsx'),
    loadArea('approvals'),
    loadArea('audit'),
  ])
  return { default: module.RejectedRequests }
})
const AwaitedFiles = lazy(async () => {
  const [module] = await Promise.all([import('../money/downline/awaited-files.tsx'), loadArea('downline')])
  return { default: module.AwaitedFiles }
})
const CommandPalette = lazy(async () => {
  const [module] = await Promise.all([import('../palette/command-palette.tsx'), loadArea('palette')])
  return { default: module.CommandPalette }
})
const StepUpDialog = lazy(async () => {
  const [{ StepUpDialog }] = await Promise.all([import('../account/security/step-up-dialog.tsx'), loadArea('factor')])
  return { default: StepUpDialog }
})

/** The layout around every page of the console. */
export function ConsoleLayout() {
  // One user's read news must not be shown to the next user on the device.
  useEffect(() => () => queryClient.clear(), [])
  useEffect(followLive, [])
  useEffect(offerStepUp, [])
  return (
    <QueryClientProvider client={queryClient}>
      <Frame />
      <ShownToasts />
    </QueryClientProvider>
  )
}

function Frame() {
  const t = useTranslations('console')
  const user = useUser()
  const isOnline = useIsOnline()
  const [isMenuOpen, setIsMenuOpen] = useState(false)
  const palette = usePalette()
  useKeepAlive('console', { title: t('update.title'), text: t('update.text'), still: t('update.still') })
  return (
    <div className={classes.frame}>
      <a href="#content" className={classes.skip}>
        {t('skip')}
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
          aria-label={t('search')}
          aria-keyshortcuts="Control+K"
          onClick={palette.open}
        >
          <IconSearch size={18} stroke={1.75} aria-hidden="true" />
          <span className={classes.searchText}>{t('search')}</span>
          <kbd className={classes.key}>Ctrl K</kbd>
        </button>
        {user.credit_to_give_satang !== null && (
          <p className={classes.credit}>
            <span className={classes.creditLabel}>{t('credit')}</span>
            <span className="number" data-testid="credit-to-give">
              {formatBaht(user.credit_to_give_satang)}
            </span>
          </p>
        )}
        <Link to="/account/password" className={classes.user}>
          {user.username}
        </Link>
      </header>
      <Stack id="content" as="main" gap={12} className={classes.content} tabIndex={-1}>
        {!isOnline && <Alert kind="warn">{t('offline')}</Alert>}
        {user.status === 'SUSPENDED' && <Alert kind="bad">{t('suspended')}</Alert>}
        <EnrolmentNotice />
        {hasNewMembers(user) && (
          <Suspense fallback={null}>
            <NewMembers />
          </Suspense>
        )}
        {mayPropose(user) && (
          <Suspense fallback={null}>
            <RejectedRequests />
          </Suspense>
        )}
        <Awaited />
        <ScreenTabs />
        <Outlet />
      </Stack>
      <DialogSheet isOpen={isMenuOpen} onClose={() => setIsMenuOpen(false)} title={t('menu.label')} form="drawer">
        <ConsoleMenu user={user} onLeave={() => setIsMenuOpen(false)} />
      </DialogSheet>
      <StepUp />
      {palette.isRequested && (
        <Suspense fallback={null}>
          <CommandPalette user={user} isOpen={palette.isOpen} onClose={palette.close} />
        </Suspense>
      )}
    </div>
  )
}

/** Files of reports that somebody waits for, wherever the page was left for. */
function Awaited() {
  const isAwaiting = useAwaitedFiles(({ file_ids }) => file_ids.length > 0)
  return (
    isAwaiting && (
      <Suspense fallback={null}>
        <AwaitedFiles />
      </Suspense>
    )
  )
}

/** Only agents have codes of their own; who may give credit is shown who came. */
function hasNewMembers(user: User): boolean {
  const permissions = permissionsOf(user)
  return !user.is_office && permissions.has('people.view') && permissions.has('credit.do')
}

/** Whether the user has approvals to see, its own rejected requests included. */
function mayPropose(user: User): boolean {
  return user.is_office && permissionsOfApprovals.some((permission) => permissionsOf(user).has(permission))
}

/** The dialog that asks for a second factor; its code is fetched when a call first needs it. */
function StepUp() {
  const isOpen = useStepUp((state) => state.isOpen)
  const [isRequested, setIsRequested] = useState(false)
  if (isOpen && !isRequested) setIsRequested(true)
  return (
    isRequested && (
      <Suspense fallback={null}>
        <StepUpDialog />
      </Suspense>
    )
  )
}

/** Tells a user without the required second factor that it can only read, and links to the set-up. */
function EnrolmentNotice() {
  const t = useTranslations('console.enrolment')
  const { data } = useQuery(sessionStateQuery)
  const isThere = useLocation({ select: ({ pathname }) => pathname === '/account/security' })
  if (data?.must_enrol !== true || isThere) return null
  return (
    <Alert kind="warn">
      {t('text')} <Link to="/account/security">{t('link')}</Link>
    </Alert>
  )
}

function PageName() {
  const { title } = usePageTitle()
  return (
    <Row as="span" nowrap gap={10} align="center" strong className={classes.name}>
      <Logo size={22} />
      <span className={classes.title}>{title}</span>
    </Row>
  )
}

/** Ctrl-K, or command-K, opens the palette wherever the focus is; its code is fetched when it is first wanted. */
function usePalette() {
  const [isOpen, setIsOpen] = useState(false)
  const [isRequested, setIsRequested] = useState(false)
  const open = (): void => {
    setIsRequested(true)
    setIsOpen(true)
  }
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey) return
      event.preventDefault()
      // The page's keys rest while a dialog is open.
      if (document.querySelector('dialog[open]') !== null) return
      setIsRequested(true)
      setIsOpen(true)
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [])
  return { isOpen, isRequested, open, close: () => setIsOpen(false) }
}
