import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import classes from './waiting-count.module.css'
import { waitingCountQuery } from './queries.ts'

/** How much the user may decide, beside the screen's name in the menu. */
export function WaitingCount() {
  const t = useTranslations('console')
  const { data } = useQuery(waitingCountQuery)
  if (data === undefined || data.waiting === 0) return null
  return (
    <span className={classes.count} data-own={data.to_decide > 0 || undefined} data-testid="waiting-count">
      <span aria-hidden="true">{data.to_decide > 0 ? data.to_decide : data.waiting}</span>
      <span className="visually-hidden">{t('waiting', { waiting: data.waiting, to_decide: data.to_decide })}</span>
    </span>
  )
}
