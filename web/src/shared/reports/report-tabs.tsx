import { useTranslations } from 'use-intl'
import { PageTabs } from '../../ui/page-tabs.tsx'

export function ReportTabs() {
  const t = useTranslations('reports.tabs')
  return (
    <PageTabs
      label={t('label')}
      tabs={[
        { to: '/reports', word: t('win_loss') },
        { to: '/reports/balance', word: t('balance') },
        { to: '/reports/summary', word: t('summary') },
      ]}
    />
  )
}
