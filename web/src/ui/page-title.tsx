import type { ReactNode } from 'react'
import { useNamedPage } from '../lib/page/page-title-store.ts'
import classes from './page-title.module.css'

interface PageTitleProps {
  title: string
  children?: ReactNode
}

/** The heading of a page, its controls beside it, and the name of the browser's tab. */
export function PageTitle({ title, children }: PageTitleProps) {
  useNamedPage(title)
  return (
    <div className={classes.head} data-alone={children === undefined || undefined}>
      <h1 className={classes.title}>{title}</h1>
      {children}
    </div>
  )
}
