import IconAlertTriangle from '~icons/alert-triangle'
import IconBan from '~icons/ban'
import IconCircleHalf2 from '~icons/circle-half-2'
import type { NumberState } from '@megalot/rules'
import { useTranslations } from 'use-intl'
import classes from './risk.module.css'

const icons = { grey: IconBan, half: IconCircleHalf2, yellow: IconAlertTriangle } as const

interface StateMarkProps {
  /** Null: the number accepts bets at the full rate. */
  state: NumberState | null
  /** With its word beside it; else only for readers. */
  isWorded?: boolean
}

/** Whether a number is closed, pays half, or is nearly full. */
export function StateMark({ state, isWorded = false }: StateMarkProps) {
  const t = useTranslations('risk.state')
  if (state === null) return isWorded ? <span className={classes.state}>{t('open')}</span> : null
  const Icon = icons[state]
  return (
    <span className={classes.state} data-state={state}>
      <Icon size={16} stroke={1.75} aria-hidden="true" />
      <span className={isWorded ? undefined : 'visually-hidden'}>{t(state)}</span>
    </span>
  )
}
