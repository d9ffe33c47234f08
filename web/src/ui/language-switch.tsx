import type { Language } from '@megalot/contract'
import { useLocale, useTranslations } from 'use-intl'
import { switchLanguage } from '../lib/i18n/language-store.ts'
import { SegmentedControl } from './segmented-control.tsx'

export function LanguageSwitch() {
  const t = useTranslations('common.language')
  const language = useLocale()
  return (
    <SegmentedControl<Language>
      label={t('label')}
      value={language}
      choices={[
        { value: 'th', label: t('th'), lang: 'th' },
        { value: 'en', label: t('en'), lang: 'en' },
      ]}
      onChange={(next) => void switchLanguage(next)}
    />
  )
}
