import { APP_VERSION } from '@megalot/contract/browser'
import { useTranslations } from 'use-intl'
import classes from './app-version.module.css'

/** The version, which support asks for, and the licences of others' software. */
export function AppVersion() {
  const t = useTranslations('common')
  return (
    <p className={classes.version}>
      <span data-testid="app-version">{t('version', { version: APP_VERSION })}</span>
      {' · '}
      {/* Written by the build, beside the pages. */}
      <a className={classes.licences} href="/licences.txt" target="_blank" rel="noreferrer">
        {t('licences')}
      </a>
    </p>
  )
}
