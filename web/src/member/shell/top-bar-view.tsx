import IconBell from '~icons/bell'
import IconMenu2 from '~icons/menu-2'
import { Link } from '@tanstack/react-router'
import { useTranslations } from 'use-intl'
import { formatBaht } from '../../lib/format/money.ts'
import { Logo } from '../../ui/logo.tsx'
import { MainMenu } from './main-menu.tsx'
import classes from './top-bar.module.css'

interface TopBarViewProps {
  title: string
  unread: number
  /** Null while it is not known. */
  credit_remain_satang: number | null
  isAtMarket: boolean
  onOpenPanel?: () => void
}

/** The bar above every page inside. */
export function TopBarView({ title, unread, credit_remain_satang, isAtMarket, onOpenPanel }: TopBarViewProps) {
  const t = useTranslations('shell')
  return (
    <header className={classes.bar} data-at-market={isAtMarket || undefined}>
      <button type="button" className={classes.button} aria-label={t('panel.open')} onClick={onOpenPanel}>
        <IconMenu2 size={24} stroke={1.6} />
      </button>
      <span className={classes.name}>
        <Logo size={24} />
        <span className={classes.title}>{title}</span>
      </span>
      <MainMenu form="line" isAtMarket={isAtMarket} />
      <Link
        to="/announcements"
        className={classes.bell}
        aria-label={unread === 0 ? t('announcement.none') : t('announcement.unread', { count: String(unread) })}
      >
        <IconBell size={24} stroke={1.6} aria-hidden="true" />
        {unread > 0 && (
          <span className={classes.count} aria-hidden="true">
            {unread}
          </span>
        )}
      </Link>
      <p className={classes.credit}>
        <span className={classes.label}>{t('credit.remain_short')}</span>
        <span className="number" data-testid="credit-remain">
          {credit_remain_satang === null ? '\u00a0' : formatBaht(credit_remain_satang)}
        </span>
      </p>
    </header>
  )
}
