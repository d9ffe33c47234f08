import { useTranslations } from 'use-intl'
import { formatBaht } from '../../lib/format/money.ts'
import classes from './own-money.module.css'

interface OwnBalanceProps {
  /** Above 0: the agent owes the member. */
  satang: number
  isLarge?: boolean
}

/** A balance with the agent: who owes, and how much. */
export function OwnBalance({ satang, isLarge = false }: OwnBalanceProps) {
  const t = useTranslations('balance.state')
  const state = satang === 0 ? 'clear' : satang > 0 ? 'owed' : 'owe'
  return (
    <span className={classes.balance} data-state={state} data-large={isLarge || undefined}>
      <span>{t(state)}</span> {state !== 'clear' && <strong>{formatBaht(Math.abs(satang))}</strong>}
    </span>
  )
}
