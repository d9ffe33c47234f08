import IconBook2 from '~icons/book-2'
import IconChartBar from '~icons/chart-bar'
import IconChevronRight from '~icons/chevron-right'
import IconReceipt2 from '~icons/receipt-2'
import IconTrophy from '~icons/trophy'
import IconUserPlus from '~icons/user-plus'
import { Link, useLocation } from '@tanstack/react-router'
import { useTranslations } from 'use-intl'
import { useSession } from '../../lib/session/session-store.ts'
import { AuthFrame } from '../../shared/account/auth-frame.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import classes from './not-found-page.module.css'

const waysOfMembers = [
  { to: '/bills', name: 'bills', icon: IconReceipt2 },
  { to: '/reports', name: 'reports', icon: IconChartBar },
  { to: '/awards', name: 'awards', icon: IconTrophy },
  { to: '/manual', name: 'manual', icon: IconBook2 },
] as const

const waysOfVisitors = [
  { to: '/auth/register', name: 'register', icon: IconUserPlus },
  { to: '/help', name: 'manual', icon: IconBook2 },
] as const

/** The page of an address that does not exist: within a member's shell, or within the frame of the log-in. */
export function NotFoundPage() {
  const title = useTranslations('common.not_found')('title')
  const isMember = useSession(({ user }) => user?.level === 'member')
  if (!isMember) {
    return (
      <AuthFrame title={title}>
        <NotFound ways={waysOfVisitors} />
      </AuthFrame>
    )
  }
  return (
    <>
      <PageTitle title={title} />
      <NotFound ways={waysOfMembers} />
    </>
  )
}

function NotFound({ ways }: { ways: typeof waysOfMembers | typeof waysOfVisitors }) {
  const t = useTranslations('away.not_found')
  const common = useTranslations('common.not_found')
  const mistyped = useLocation({ select: ({ state }) => state.mistyped })
  return (
    <div className={classes.body}>
      <p className={classes.text}>{common('text')}</p>
      {mistyped !== undefined && (
        <p className={classes.text}>
          {t('mistyped')} <code className={classes.address}>{mistyped}</code>
        </p>
      )}
      <Link to="/" className={classes.back}>
        {common('back')}
      </Link>
      <nav aria-label={t('ways')}>
        <ul className={classes.ways}>
          {ways.map(({ to, name, icon: Icon }) => (
            <li key={to}>
              <Link to={to} className={classes.way}>
                <Icon size={20} stroke={1.6} aria-hidden="true" />
                <span>{t(name)}</span>
                <IconChevronRight size={18} stroke={1.6} aria-hidden="true" />
              </Link>
            </li>
          ))}
        </ul>
      </nav>
    </div>
  )
}
