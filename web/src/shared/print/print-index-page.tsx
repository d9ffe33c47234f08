import IconChartBar from '~icons/chart-bar'
import IconListDetails from '~icons/list-details'
import IconReceipt2 from '~icons/receipt-2'
import IconTrophy from '~icons/trophy'
import { Link } from '@tanstack/react-router'
import { useTranslations } from 'use-intl'
import { useNamedPage } from '../../lib/page/page-title-store.ts'
import classes from './print-index-page.module.css'

/** What can be printed, and the page from which each is printed. */
const things = [
  { name: 'ticket', to: '/bills', icon: IconReceipt2 },
  { name: 'win_loss', to: '/reports', icon: IconTrophy },
  { name: 'balance', to: '/reports/balance', icon: IconListDetails },
  { name: 'summary', to: '/reports/summary', icon: IconChartBar },
] as const

/** The print area by itself, for whom has come here by the address: papers are asked for elsewhere. */
export function PrintIndexPage() {
  const t = useTranslations('print.index')
  useNamedPage(t('title'))
  return (
    <>
      <h1 className={classes.title}>{t('title')}</h1>
      <p>{t('text')}</p>
      <ul className={classes.things}>
        {things.map(({ name, to, icon: Icon }) => (
          <li key={name}>
            <Link to={to} className={classes.thing}>
              <Icon size={24} stroke={1.6} aria-hidden="true" className={classes.icon} />
              <span className={classes.words}>
                <strong>{t(`${name}.title`)}</strong>
                <span className={classes.text}>{t(`${name}.from`)}</span>
              </span>
            </Link>
          </li>
        ))}
      </ul>
      <p>
        <Link to="/" className={classes.back}>
          {t('to_main')}
        </Link>
      </p>
    </>
  )
}
