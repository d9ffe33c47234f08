import type { ClearingWithLines } from '@megalot/contract'
import { useLocale, useTranslations } from 'use-intl'
import { addDays } from '../../../lib/format/calendar-day.ts'
import { formatDays } from '../../../lib/format/dates.ts'
import { formatBaht } from '../../../lib/format/money.ts'

/** A statement as a message to the other side: it says who owes whom, because both read it. */
export function useClearingText(clearing: ClearingWithLines): string {
  const t = useTranslations('clearings.copy')
  const sum = useTranslations('clearings.sum')
  const language = useLocale()
  const { side, week } = clearing
  const name = clearing.child.username
  /** @param satang in the reader's favour */
  const debt = (satang: number): string => {
    if (satang === 0) return t('clear')
    const isOwedByChild = satang > 0 === (side === 'below')
    return t(isOwedByChild ? 'owes' : 'owed', { name, amount: formatBaht(Math.abs(satang)) })
  }
  const row = (label: string, amount: string): string => t('row', { label, amount })
  return [
    t('head', { name, days: formatDays(week, addDays(week, 6), language) }),
    row(sum('forward'), debt(clearing.forward_satang)),
    row(sum('received'), formatBaht(clearing.received_satang)),
    row(sum('discount'), formatBaht(0 - clearing.discount_satang)),
    row(sum('commission'), formatBaht(0 - clearing.commission_satang)),
    row(sum('win'), formatBaht(0 - clearing.win_satang)),
    row(sum('due'), debt(clearing.due_satang)),
    row(sum('payments'), formatBaht(Math.abs(clearing.payments_satang))),
    ...(clearing.adjusted_satang === 0 ? [] : [row(sum('adjusted'), debt(clearing.adjusted_satang))]),
    ...(clearing.corrected_satang === 0 ? [] : [row(sum('corrected'), debt(clearing.corrected_satang))]),
    row(sum('carried'), debt(clearing.carried_satang)),
  ].join('\n')
}
