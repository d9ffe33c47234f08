import { useTranslations } from 'use-intl'
import { PageTabs } from '../../ui/page-tabs.tsx'

export function AwardTabs() {
  const t = useTranslations('awards.tabs')
  return (
    <PageTabs
      label={t('label')}
      tabs={[
        { to: '/awards', word: t('results') },
        { to: '/awards/statistics', word: t('statistics') },
      ]}
    />
  )
}
