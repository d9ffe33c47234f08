import { Link } from '@tanstack/react-router'
import { useTranslations } from 'use-intl'
import { switchLanguage } from '../../lib/i18n/language-store.ts'
import { useNamedPage } from '../../lib/page/page-title-store.ts'
import { LanguageSwitch } from '../../ui/language-switch.tsx'
import { EmptyNote } from '../../ui/query-view.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import centred from '../../ui/centred.module.css'

/** A member who comes here is shown the way to the member app. */
export function MembersNotice() {
  const t = useTranslations('entrance.members')
  useNamedPage(t('title'))
  return (
    <main className={centred.centred}>
      <LanguageSwitch onSwitch={switchLanguage} />
      <h1 className={centred.title}>{t('title')}</h1>
      <p className={centred.text}>{t('text')}</p>
      <a href={'/'} className={centred.link}>
        {t('to_home')}
      </a>
    </main>
  )
}

/** A page for which the user lacks the permission. */
export function RefusedNotice() {
  const t = useTranslations('entrance.refused')
  return (
    <>
      <PageTitle title={t('title')} />
      <EmptyNote title={t('text')}>
        <Link to="/">{t('to_first')}</Link>
      </EmptyNote>
    </>
  )
}

export function NotFoundNotice() {
  const t = useTranslations('common.not_found')
  const to_first = useTranslations('entrance.refused')('to_first')
  return (
    <>
      <PageTitle title={t('title')} />
      <EmptyNote title={t('text')}>
        <Link to="/">{to_first}</Link>
      </EmptyNote>
    </>
  )
}
