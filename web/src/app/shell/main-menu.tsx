import { IconBook2, IconChartBar, IconGridDots, IconReceipt2, IconTrophy } from '@tabler/icons-react'
import { Link, useLocation } from '@tanstack/react-router'
import { useTranslations } from 'use-intl'
import classes from './main-menu.module.css'

const entries = [
  { to: '/', name: 'lotto', icon: IconGridDots },
  { to: '/bills', name: 'bills', icon: IconReceipt2 },
  { to: '/reports', name: 'reports', icon: IconChartBar },
  { to: '/awards', name: 'awards', icon: IconTrophy },
  { to: '/manual', name: 'manual', icon: IconBook2 },
] as const

/** The five entries: tabs at the thumb on a phone, a line of links above on a desktop. */
export function MainMenu({ form }: { form: 'tabs' | 'line' }) {
  const t = useTranslations('shell.menu')
  const isBetting = useLocation({ select: ({ pathname }) => pathname.startsWith('/bet/') })
  return (
    <nav className={classes.menu} data-form={form} aria-label={t('label')}>
      {entries.map(({ to, name, icon: Icon }) => (
        <Link
          key={to}
          to={to}
          className={classes.entry ?? ''}
          activeOptions={{ exact: to === '/', includeSearch: false }}
          activeProps={{ 'aria-current': 'page' }}
          {...(to === '/' && isBetting ? { 'aria-current': 'true' as const } : {})}
        >
          <Icon size={form === 'tabs' ? 24 : 20} stroke={1.6} aria-hidden="true" />
          <span className={classes.word}>{t(name)}</span>
        </Link>
      ))}
    </nav>
  )
}
