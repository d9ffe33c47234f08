import type { Language } from '@megalot/contract'
import { useLocale, useTranslations } from 'use-intl'
import { SegmentedControl } from './segmented-control.tsx'

interface LanguageSwitchProps {
  onSwitch: (language: Language) => unknown
}

export function LanguageSwitch({ onSwitch }: LanguageSwitchProps) {
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
      onChange={(next) => void onSwitch(next)}
    />
  )
}
