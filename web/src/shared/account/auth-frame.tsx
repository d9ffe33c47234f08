import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { useNamedPage } from '../../lib/page/page-title-store.ts'
import { LanguageSwitch } from '../../ui/language-switch.tsx'
import { switchLanguage } from '../../lib/i18n/language-store.ts'
import { Logo } from '../../ui/logo.tsx'
import classes from './login-page.module.css'

/** The layout of the log-in forms: logo and language switch. */
export function AuthFrame({ title, children }: { title: string; children: ReactNode }) {
  const common = useTranslations('common')
  useNamedPage(title)
  return (
    <div className={classes.page}>
      <header className={classes.top}>
        <LanguageSwitch onSwitch={switchLanguage} />
      </header>
      <main className={classes.panel}>
        <Logo size={48} className={classes.mark} />
        <p className={classes.name}>{common('app_name')}</p>
        <h1 className={classes.title}>{title}</h1>
        {children}
      </main>
    </div>
  )
}
