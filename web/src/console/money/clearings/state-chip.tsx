import type { ClearingState } from '@megalot/contract'
import { useTranslations } from 'use-intl'
import classes from './clearings.module.css'

const tones: Readonly<Record<ClearingState, 'plain' | 'good' | 'warn' | 'bad'>> = {
  draft: 'plain',
  sent: 'warn',
  disputed: 'bad',
  confirmed: 'good',
  paid: 'good',
  closed: 'plain',
}

/** The state of a statement in words. */
export function StateChip({ state }: { state: ClearingState }) {
  const t = useTranslations('clearings.state')
  return (
    <span className={classes.chip} data-tone={tones[state]}>
      {t(state)}
    </span>
  )
}
