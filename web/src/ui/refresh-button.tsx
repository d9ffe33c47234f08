import { Button } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { useTranslations } from 'use-intl'

interface RefreshButtonProps {
  isBusy: boolean
  onRefresh: () => void
}

export function RefreshButton({ isBusy, onRefresh }: RefreshButtonProps) {
  const t = useTranslations('common.action')
  return (
    <Button
      variant="default"
      leftSection={<IconRefresh size={18} stroke={1.75} />}
      loading={isBusy}
      onClick={onRefresh}
    >
      {t('refresh')}
    </Button>
  )
}
