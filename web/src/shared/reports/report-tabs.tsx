import { useTranslations } from 'use-intl'
import { useUser } from '../../lib/user/user-query.ts'
import { PageTabs } from '../../ui/page-tabs.tsx'

/** The pages of a member's reports. The console shows its own tabs. */
export function ReportTabs() {
  const t = useTranslations('reports.tabs')
  const { level } = useUser()
  if (level !== 'member') return null
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
