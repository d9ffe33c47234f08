import { Button } from './button.tsx'
import { IconRefresh } from '@tabler/icons-react'
import { useTranslations } from 'use-intl'

interface RefreshButtonProps {
  isBusy: boolean
  onRefresh: () => void
}

export function RefreshButton({ isBusy, onRefresh }: RefreshButtonProps) {
  const t = useTranslations('common.action')
  return (
    <Button variant="default" icon={<IconRefresh size={18} stroke={1.75} />} isBusy={isBusy} onClick={onRefresh}>
      {t('refresh')}
    </Button>
  )
}
