import type { Payment } from '@megalot/contract'
import { useTranslations } from 'use-intl'

/** A payment as money of the reader: above 0 it came in. */
export const forReader = ({ amount_satang }: Payment, isAbove: boolean): number =>
  isAbove ? 0 - amount_satang : amount_satang

/** What a payment is to the reader, in a word. */
export function useKindWord(isAbove: boolean): (payment: Payment) => string {
  const t = useTranslations('history.kind')
  return (payment) => {
    if (payment.reverses_id !== null) return t('reversal')
    if (payment.kind === 'adjustment') return t('adjustment')
    return t(forReader(payment, isAbove) > 0 ? 'received' : 'paid')
  }
}
