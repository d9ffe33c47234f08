import { useTranslations } from 'use-intl'
import { SegmentedControl } from '../../../ui/segmented-control.tsx'
import { betStyles } from '../entry-style-choice.ts'
import type { BetStyle } from '../entry-style-choice.ts'
import { chooseBetStyle } from '../style-memory.ts'
import classes from './style-switch.module.css'

/** The three ways to enter numbers; the slip stays the same in all of them. Their formal names are in the tooltips. */
export function StyleSwitch({ style }: { style: BetStyle }) {
  const t = useTranslations('entry.style')
  return (
    <SegmentedControl<BetStyle>
      label={t('label')}
      value={style}
      choices={betStyles.map((value) => ({
        value,
        label: (
          <span className={classes.name} title={t(`formal.${value}`)}>
            {t(value)}
          </span>
        ),
      }))}
      onChange={chooseBetStyle}
      fill
    />
  )
}
