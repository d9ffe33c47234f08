import { Button } from './button.tsx'
import { useTranslations } from 'use-intl'
import classes from './load-more.module.css'

export interface LoadMoreProps {
  hasMore: boolean
  isBusy: boolean
  onMore: () => void
}

export function LoadMore({ hasMore, isBusy, onMore }: LoadMoreProps) {
  const t = useTranslations('common.action')
  if (!hasMore) return null
  return (
    <div className={classes.more}>
      <Button variant="default" isBusy={isBusy} onClick={onMore}>
        {t('load_more')}
      </Button>
    </div>
  )
}
