import { useTranslations } from 'use-intl'
import { PageTabs } from '../../../ui/page-tabs.tsx'

/** The pages of limit rules. */
export function NumbersTabs() {
  const t = useTranslations('numbers.tab')
  return (
    <PageTabs
      label={t('label')}
      tabs={[
        { to: '/numbers', word: t('set') },
        { to: '/numbers/standing', word: t('standing') },
        { to: '/numbers/quotas', word: t('quotas') },
        { to: '/numbers/rules', word: t('rules') },
      ]}
    />
  )
}
