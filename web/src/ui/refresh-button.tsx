import IconRefresh from '~icons/refresh'
import { useTranslations } from 'use-intl'
import { Button } from './button.tsx'
import classes from './refresh-button.module.css'

interface RefreshButtonProps {
  isBusy: boolean
  onRefresh: () => void
  /** Whether it stands beside other controls, so that a phone shows the icon alone. */
  isCompact?: boolean
}

export function RefreshButton({ isBusy, onRefresh, isCompact = false }: RefreshButtonProps) {
  const t = useTranslations('common.action')
  return (
    <Button
      variant="default"
      icon={<IconRefresh size={18} stroke={1.75} aria-hidden="true" />}
      isBusy={isBusy}
      onClick={onRefresh}
      className={isCompact ? classes.compact : undefined}
    >
      <span>{t('refresh')}</span>
    </Button>
  )
}
