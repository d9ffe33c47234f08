import { useTranslations } from 'use-intl'
import classes from './shell-skeleton.module.css'

/** The page frame while the user is being restored: the same bars at the same places as the real one. */
export function ShellSkeleton() {
  const t = useTranslations('common')
  return (
    <main className={classes.frame}>
      <h1 className="visually-hidden">{t('loading')}</h1>
      <div className={classes.bar} />
      <div className={classes.side} />
      <div className={classes.tabs} />
    </main>
  )
}
