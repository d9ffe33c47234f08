import { useTranslations } from 'use-intl'
import { SegmentedControl } from './segmented-control.tsx'

const choices = ['auto', 'light', 'dark'] as const
type Choice = (typeof choices)[number]

interface ThemeSwitchProps {
  /** `auto`: as the system has it. */
  choice: Choice
  onChoose: (choice: Choice) => void
}

export function ThemeSwitch({ choice, onChoose }: ThemeSwitchProps) {
  const t = useTranslations('common.theme')
  return (
    <SegmentedControl<Choice>
      label={t('label')}
      value={choice}
      choices={choices.map((value) => ({ value, label: t(value) }))}
      onChange={onChoose}
      fill
    />
  )
}
