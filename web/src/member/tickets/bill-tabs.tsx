import { useTranslations } from 'use-intl'
import { PageTabs } from '../../ui/page-tabs.tsx'

export function BillTabs() {
  const t = useTranslations('bills')
  return (
    <PageTabs
      label={t('tabs')}
      tabs={[
        { to: '/bills', word: t('all') },
        { to: '/bills/deleted', word: t('deleted.title') },
      ]}
    />
  )
}
