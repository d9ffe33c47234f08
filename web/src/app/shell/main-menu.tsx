import { IconBook2, IconChartBar, IconGridDots, IconHome, IconReceipt2, IconTrophy } from '@tabler/icons-react'
import { Link, useLocation } from '@tanstack/react-router'
import { useTranslations } from 'use-intl'
import { readBetPath } from '../path-params.ts'
import { paths } from '../paths.ts'
import classes from './main-menu.module.css'

/** The first page: who bets chooses a market there, who does not finds what there is to do. */
const first = {
  betting: { to: paths.lotto, name: 'lotto', icon: IconGridDots },
  other: { to: paths.lotto, name: 'home', icon: IconHome },
} as const
const rest = [
  { to: paths.bills, name: 'bills', icon: IconReceipt2 },
  { to: paths.reports, name: 'reports', icon: IconChartBar },
  { to: paths.awards, name: 'awards', icon: IconTrophy },
  { to: paths.manual, name: 'manual', icon: IconBook2 },
] as const

interface MainMenuProps {
  form: 'tabs' | 'line'
  /** The user bets, and does not only look after those who do. */
  isBetting: boolean
}

/** The five entries: tabs at the thumb on a phone, a line of links above on a desktop. */
export function MainMenu({ form, isBetting }: MainMenuProps) {
  const t = useTranslations('shell.menu')
  const isAtMarket = useLocation({ select: ({ pathname }) => readBetPath(pathname) !== undefined })
  return (
    <nav className={classes.menu} data-form={form} aria-label={t('label')}>
      {[isBetting ? first.betting : first.other, ...rest].map(({ to, name, icon: Icon }) => (
        <Link
          key={to}
          to={to}
          className={classes.entry ?? ''}
          activeOptions={{ exact: to === paths.lotto, includeSearch: false }}
          activeProps={{ 'aria-current': 'page' }}
          {...(to === paths.lotto && isAtMarket ? { 'aria-current': 'true' as const } : {})}
        >
          <Icon size={form === 'tabs' ? 24 : 20} stroke={1.6} aria-hidden="true" />
          <span className={classes.word}>{t(name)}</span>
        </Link>
      ))}
    </nav>
  )
}
