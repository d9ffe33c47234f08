import { useEffect } from 'react'
import { useTranslations } from 'use-intl'
import { takeCopiedTicket } from '../../tickets/copied-ticket.ts'
import { showToast } from '../../../lib/feedback/toast.ts'
import type { Desk } from '../desk.ts'
import { useAddLines } from '../slip/use-add-lines.ts'

/** Appends a ticket copied on its own page to the slip. */
export function useCopiedTicket({ store, isLocked }: Desk, product_code: string): void {
  const t = useTranslations('entry.tools')
  const addLines = useAddLines(store)
  useEffect(() => {
    const copied = isLocked ? null : takeCopiedTicket(product_code)
    if (copied !== null && addLines(copied.lines))
      showToast('good', t('repeated', { order_id: String(copied.order_id), count: copied.lines.length }))
  }, [product_code, isLocked, addLines, t])
}
