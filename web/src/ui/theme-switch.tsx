import { useMantineColorScheme } from '@mantine/core'
import type { MantineColorScheme } from '@mantine/core'
import { useTranslations } from 'use-intl'
import { SegmentedControl } from './segmented-control.tsx'

export function ThemeSwitch() {
  const t = useTranslations('common.theme')
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    <SegmentedControl<MantineColorScheme>
      label={t('label')}
      value={colorScheme}
      choices={[
        { value: 'auto', label: t('auto') },
        { value: 'light', label: t('light') },
        { value: 'dark', label: t('dark') },
      ]}
      onChange={setColorScheme}
      fill
    />
  )
}
