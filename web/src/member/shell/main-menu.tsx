import IconBook2 from '~icons/book-2'
import IconChartBar from '~icons/chart-bar'
import IconGridDots from '~icons/grid-dots'
import IconReceipt2 from '~icons/receipt-2'
import IconTrophy from '~icons/trophy'
import { Link } from '@tanstack/react-router'
import { useTranslations } from 'use-intl'
import classes from './main-menu.module.css'

const entries = [
  { to: '/', name: 'lotto', icon: IconGridDots },
  { to: '/bills', name: 'bills', icon: IconReceipt2 },
  { to: '/reports', name: 'reports', icon: IconChartBar },
  { to: '/awards', name: 'awards', icon: IconTrophy },
  { to: '/manual', name: 'manual', icon: IconBook2 },
] as const

interface MainMenuProps {
  form: 'tabs' | 'line'
  /** A market's page belongs to the first entry. */
  isAtMarket: boolean
}

/** The five entries: tabs at the thumb on a phone, a line of links above on a desktop. */
export function MainMenu({ form, isAtMarket }: MainMenuProps) {
  const t = useTranslations('shell.menu')
  return (
    <nav className={classes.menu} data-form={form} aria-label={t('label')}>
      {entries.map(({ to, name, icon: Icon }) => (
        <Link
          key={to}
          to={to}
          className={classes.entry}
          activeOptions={{ exact: to === '/', includeSearch: false }}
          activeProps={{ 'aria-current': 'page' }}
          {...(to === '/' && isAtMarket ? { 'aria-current': 'true' as const } : {})}
        >
          <Icon size={form === 'tabs' ? 24 : 20} stroke={1.6} aria-hidden="true" />
          <span className={classes.word}>{t(name)}</span>
        </Link>
      ))}
    </nav>
  )
}
