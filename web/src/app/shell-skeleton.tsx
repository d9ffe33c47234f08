import { useTranslations } from 'use-intl'
import classes from './shell-skeleton.module.css'

/** The page frame while the user is being restored: the same bars at the same places as the real one. */
export function ShellSkeleton() {
  const t = useTranslations('common')
  return (
    <output className={classes.frame} aria-label={t('loading')}>
      <div className={classes.bar} />
      <div className={classes.side} />
      <div className={classes.tabs} />
    </output>
  )
}
