import { APP_VERSION, WEB_VERSION } from '@megalot/contract'
import { useTranslations } from 'use-intl'
import classes from './app-version.module.css'

/** Which version this is, for whoever is asked by the support. */
export function AppVersion() {
  const t = useTranslations('common')
  return (
    <p className={classes.version} data-testid="app-version">
      {t('version', { app: APP_VERSION, web: WEB_VERSION })}
    </p>
  )
}
