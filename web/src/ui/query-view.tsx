import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { useErrorMessage } from '../lib/errors/use-error-message.ts'
import { Alert } from './alert.tsx'
import { Button } from './button.tsx'
import classes from './query-view.module.css'

interface QueryViewProps<Data> {
  /** The state of a fetch, as the query library gives it. */
  query: { data: Data | undefined; error: Error | null; refetch: () => Promise<unknown> }
  /** Shown while there is nothing yet: of the same size as what will come. */
  skeleton: ReactNode
  children: (data: Data) => ReactNode
}

/** Shows the data, a skeleton while it loads, or the failure with a retry button. */
export function QueryView<Data>({ query, skeleton, children }: QueryViewProps<Data>) {
  const t = useTranslations('common')
  const errorMessage = useErrorMessage()
  if (query.data !== undefined) return children(query.data)
  if (query.error === null) {
    return (
      <output className={classes.waiting} aria-label={t('loading')}>
        {skeleton}
      </output>
    )
  }
  return (
    <div className={classes.failure}>
      <Alert kind="bad">{errorMessage(query.error)}</Alert>
      <Button variant="default" onClick={() => void query.refetch()}>
        {t('action.retry')}
      </Button>
    </div>
  )
}

interface SkeletonProps {
  count: number
  height: number
  gap?: number
}

/** Grey bars in place of rows or cards. */
export function Skeleton({ count, height, gap = 8 }: SkeletonProps) {
  return (
    <div className={classes.skeleton} style={{ gap }} aria-hidden="true" data-testid="skeleton">
      {Array.from({ length: count }, (_, index) => (
        <div key={index} className={classes.bar} style={{ height }} />
      ))}
    </div>
  )
}

/** Nothing here yet, and what to do about it. */
export function EmptyNote({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className={classes.empty} data-testid="empty-note">
      <p className={classes.emptyTitle}>{title}</p>
      {children}
    </div>
  )
}
