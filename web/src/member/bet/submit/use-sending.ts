import type { OnChange, RateChange } from '@megalot/contract'
import type { SlipLine } from '@megalot/rules'
import { useState } from 'react'
import type { RefObject } from 'react'
import { useTranslations } from 'use-intl'
import { announce } from '../../../lib/feedback/announce.ts'
import { showToast } from '../../../lib/feedback/toast.ts'
import type { Column } from '../slip/slip-columns.ts'
import { nameOfLine } from '../slip/slip-check.ts'
import { removeLines } from '../slip/slip-lines.ts'
import { editRows } from '../slip/slip-store.ts'
import { focusCell } from '../entry/grid/grid-keys.ts'
import type { DeskState } from '../use-desk.ts'
import { splitIntoTickets } from '../slip/ticket-batch.ts'
import { countTickets, toPlaceOrderBody, toastBlockingProblems } from './slip-obstacles.ts'
import type { useSubmission } from './use-submission.ts'

interface SendingOf {
  desk: DeskState
  submission: ReturnType<typeof useSubmission>
  root: RefObject<HTMLElement | null>
  period_code: string
  isOpen: boolean
  on_change: OnChange
}

/** Sends the checked slip, or corrects it as the house asks. */
export function useSending({ desk, submission, root, period_code, isOpen, on_change }: SendingOf) {
  const t = useTranslations('bet')
  const { store, slip, config, lacking, isLocked } = desk
  // Counts the times duplicates stopped sending. Each time they are shown again.
  const [timesAsked, setTimesAsked] = useState(0)

  /** Sends the slip, at the rates of the terms or those the member has been shown since; says why where it cannot. */
  const send = (seen_rates: readonly RateChange[] = []): 'sent' | 'duplicates' | 'no' => {
    if (isLocked || !isOpen) return 'no'
    const { check } = slip.getState()
    const tickets = countTickets(check)
    if (config === null || (!check.is_acceptable && tickets === 1)) {
      if (lacking === 'terms_failed') desk.refetchTerms()
      toastBlockingProblems(check, lacking === 'terms_failed' ? 'terms_loading' : lacking, t)
      const bad = check.row_states.findIndex((state) => state.kind === 'bad')
      const column = check.row_states[bad]?.columns.split(' ')[0]
      if (root.current !== null && column !== undefined) focusCell(root.current, { row: bad, column: column as Column })
      return 'no'
    }
    // A number typed twice costs twice: the member says first whether that is meant.
    if (check.duplicates.length > 0) {
      showToast('bad', t('refusal.duplicate'))
      setTimesAsked(timesAsked + 1)
      return 'duplicates'
    }
    const { note, rows } = store.getState()
    const toBody = (lines: readonly SlipLine[]) =>
      toPlaceOrderBody({ lines, config, period_code, note, on_change, seen_rates })
    if (tickets === 1) submission.submit(toBody(check.lines))
    else
      submission.submitBatch(
        splitIntoTickets(check.lines, config.max_items).map((lines) => ({
          body: toBody(lines),
          rows: [...new Set(lines.map(({ row }) => rows[row]!))],
        })),
      )
    return 'sent'
  }

  /** Takes the numbers off the slip that the house has closed; that can be undone. */
  const removeClosed = (closed: readonly SlipLine[]): void => {
    const names = new Set(closed.map(nameOfLine))
    const lines = slip.getState().check.lines.filter((line) => names.has(nameOfLine(line)))
    submission.dismiss()
    editRows(store, removeLines(store.getState().rows, lines))
    announce(t('submission.numbers.removed', { count: lines.length }))
  }
  return { send, removeClosed, timesAsked }
}
