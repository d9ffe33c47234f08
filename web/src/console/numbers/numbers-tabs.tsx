import { useTranslations } from 'use-intl'
import { PageTabs } from '../../ui/page-tabs.tsx'
import { consolePaths } from '../paths.ts'

/** The pages of limit rules. */
export function NumbersTabs() {
  const t = useTranslations('numbers.tab')
  return (
    <PageTabs
      label={t('label')}
      tabs={[
        { to: consolePaths.numbers, word: t('set') },
        { to: consolePaths.standingNumbers, word: t('standing') },
        { to: consolePaths.quotas, word: t('quotas') },
        { to: consolePaths.limitRules, word: t('rules') },
      ]}
    />
  )
}
