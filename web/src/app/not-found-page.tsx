import { Link } from '@tanstack/react-router'
import { useTranslations } from 'use-intl'
import classes from './centred.module.css'

export function NotFoundPage() {
  const t = useTranslations('common.not_found')
  return (
    <main className={classes.centred}>
      <p className={classes.code} aria-hidden="true">
        404
      </p>
      <h1 className={classes.title}>{t('title')}</h1>
      <p className={classes.text}>{t('text')}</p>
      <Link to="/" className={classes.link}>
        {t('back')}
      </Link>
    </main>
  )
}
