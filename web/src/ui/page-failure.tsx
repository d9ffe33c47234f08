import { useTranslations } from 'use-intl'
import classes from './centred.module.css'

/** A page that broke while rendering, or code that could not be fetched: say so, and offer the one thing that helps. */
export function PageFailure() {
  const t = useTranslations('common')
  return (
    <main className={classes.centred}>
      <h1 className={classes.title}>{t('failure.page')}</h1>
      <button type="button" className={classes.link} onClick={() => window.location.reload()}>
        {t('action.reload')}
      </button>
    </main>
  )
}
