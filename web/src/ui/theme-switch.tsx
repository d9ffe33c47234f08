import { useTranslations } from 'use-intl'
import { chooseTheme, themeChoices, useThemeChoice } from '../lib/device/color-scheme.ts'
import type { ThemeChoice } from '../lib/device/color-scheme.ts'
import { SegmentedControl } from './segmented-control.tsx'

export function ThemeSwitch() {
  const t = useTranslations('common.theme')
  const { choice } = useThemeChoice()
  return (
    <SegmentedControl<ThemeChoice>
      label={t('label')}
      value={choice}
      choices={themeChoices.map((value) => ({ value, label: t(value) }))}
      onChange={chooseTheme}
      fill
    />
  )
}
