import { useTranslations } from 'use-intl'
import { useUser } from '../../lib/user/user-query.ts'
import { PageTabs } from '../../ui/page-tabs.tsx'

/** The pages of reports. Those of a line are in the console alone. */
export function ReportTabs() {
  const t = useTranslations('reports.tabs')
  const { level } = useUser()
  return (
    <PageTabs
      label={t('label')}
      tabs={[
        ...(level === 'member' ? [] : [{ to: '/downline', word: t('line') } as const]),
        { to: '/reports', word: t('win_loss') },
        { to: '/reports/balance', word: t('balance') },
        { to: '/reports/summary', word: t('summary') },
      ]}
    />
  )
}
