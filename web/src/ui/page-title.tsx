import type { ReactNode } from 'react'
import { useEffect } from 'react'
import { useTranslations } from 'use-intl'
import classes from './page-title.module.css'

interface PageTitleProps {
  title: string
  children?: ReactNode
}

/** The heading of a page, its controls beside it, and the name of the browser's tab. */
export function PageTitle({ title, children }: PageTitleProps) {
  const t = useTranslations('common')
  useEffect(() => {
    document.title = `${title} · ${t('app_name')}`
  }, [title, t])
  return (
    <div className={classes.head}>
      <h1 className={classes.title}>{title}</h1>
      {children}
    </div>
  )
}
