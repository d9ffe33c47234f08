import { Link } from '@tanstack/react-router'
import { useTranslations } from 'use-intl'
import { ManualPage } from '../../shared/manual/manual-page.tsx'
import { switchLanguage } from '../../lib/i18n/language-store.ts'
import { LanguageSwitch } from '../../ui/language-switch.tsx'
import { Row } from '../../ui/layout.tsx'
import classes from './away.module.css'

/** The manual without the frame of the application, for visitors. */
export function HelpPage() {
  const t = useTranslations('manual.visitor')
  return (
    <main className={classes.help}>
      <Row as="nav" gap={16} below={16} align="center" aria-label={t('label')}>
        <Link to="/auth/login">{t('to_login')}</Link>
        <Link to="/auth/register">{t('to_register')}</Link>
        <Link to="/auth/forgot-password">{t('to_forgot')}</Link>
        <LanguageSwitch onSwitch={switchLanguage} />
      </Row>
      <ManualPage />
    </main>
  )
}
