import type { PaymentMethod } from '@megalot/contract'
import { useTranslations } from 'use-intl'
import { formatBaht } from '../../lib/format/money.ts'
import classes from './balance.module.css'

export type BalanceSide = 'collect' | 'pay' | 'clear'

/** @param satang in the reader's favour if above 0 */
export function sideOf(satang: number): BalanceSide {
  if (satang === 0) return 'clear'
  return satang > 0 ? 'collect' : 'pay'
}

export const paymentMethods = ['cash', 'transfer', 'offset'] as const satisfies readonly PaymentMethod[]

/** The words of the payment methods. The page loads the area `money`. */
export function useMethodWords(): Readonly<Record<PaymentMethod, string>> {
  const t = useTranslations('money.method')
  return { cash: t('cash'), transfer: t('transfer'), offset: t('offset') }
}

interface BalanceProps {
  /** In the reader's favour if above 0. */
  satang: number
  /** The reader's parent is on the other side. */
  isAbove?: boolean
  /** The word over the amount. */
  isStacked?: boolean
}

/** A balance: its word and its amount, in the colour of its side. The page loads the area `money`. */
export function Balance({ satang, isAbove = false, isStacked = false }: BalanceProps) {
  const t = useTranslations(isAbove ? 'money.above' : 'money.balance')
  const side = sideOf(satang)
  return (
    <span className={classes.balance} data-side={side} data-stacked={isStacked || undefined}>
      <span className={classes.word}>{t(side)}</span> {side !== 'clear' && <span>{formatBaht(Math.abs(satang))}</span>}
    </span>
  )
}
