import { Link, useLocation } from '@tanstack/react-router'
import { useTranslations } from 'use-intl'
import { useNamedPage } from '../../lib/page/page-title-store.ts'
import classes from '../../ui/centred.module.css'

export function NotFoundPage() {
  const t = useTranslations('common.not_found')
  const mistyped = useLocation({ select: ({ state }) => state.mistyped })
  useNamedPage(t('title'))
  return (
    <main className={classes.centred}>
      <p className={classes.code} aria-hidden="true">
        404
      </p>
      <h1 className={classes.title}>{t('title')}</h1>
      <p className={classes.text}>{t('text')}</p>
      {mistyped !== undefined && (
        <p className={classes.text}>
          <code>{mistyped}</code>
        </p>
      )}
      <Link to="/" className={classes.link}>
        {t('back')}
      </Link>
    </main>
  )
}
