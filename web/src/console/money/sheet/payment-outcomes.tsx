import type { BulkOutcome, BulkResult } from '@megalot/contract'
import { useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { useChange } from '../../../lib/api/use-change.ts'
import { showToast } from '../../../lib/feedback/toast.ts'
import { useRequestId } from '../../../lib/forms/use-request-id.ts'
import { nowInBangkok } from '../../../lib/format/bangkok-field.ts'
import { addDays } from '../../../lib/format/calendar-day.ts'
import { formatSignedBaht } from '../../../lib/format/money.ts'
import { Alert } from '../../../ui/alert.tsx'
import { ReasonForm } from '../../../ui/reason-form.tsx'
import { Becomes } from '../../changes/becomes.tsx'
import { propose } from '../../changes/queries.ts'
import { Balance } from '../balance.tsx'
import type { PaymentRow } from './queries.ts'
import classes from './sheet.module.css'

interface PaymentOutcomesProps {
  rows: readonly PaymentRow[]
  result: BulkResult
  nameOf: (user_id: number) => string
}

const isRefused = ({ code }: BulkOutcome): boolean => code !== 'ok'
const satangOf = (state: Record<string, unknown>, name: string): number => Number(state[name] ?? 0)

/** The balances before and after, or why a row is refused. */
export function PaymentOutcomes({ rows, result, nameOf }: PaymentOutcomesProps) {
  const t = useTranslations('sheet.save')
  const { is_preview, ok_count, refused_count, outcomes, messages } = result
  const amountOf = (user_id: number): number => rows.find((row) => row.user_id === user_id)?.amount_satang ?? 0
  return (
    <>
      <output data-testid="payment-count">
        {t(is_preview ? 'will' : 'did', { ok: ok_count, refused: refused_count })}
      </output>
      {/* A list that is scrolled takes the focus, or the keyboard could not scroll it. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <ul className={classes.outcomes} tabIndex={0} aria-label={t('list')}>
        {[...outcomes.filter(isRefused), ...outcomes.filter((outcome) => !isRefused(outcome))].map((outcome) => (
          <li key={outcome.user_id}>
            <strong>{nameOf(outcome.user_id)}</strong>
            <span className={classes.figure}>{formatSignedBaht(amountOf(outcome.user_id))}</span>
            {isRefused(outcome) ? (
              <span className={classes.refused}>
                {messages.find(({ code }) => code === outcome.code)?.message ?? outcome.code}
              </span>
            ) : (
              <span className={classes.change}>
                <Balance satang={satangOf(outcome.before, 'balance_satang')} />
                <Becomes />
                <Balance satang={satangOf(outcome.after, 'balance_satang')} />
              </span>
            )}
          </li>
        ))}
      </ul>
    </>
  )
}

interface ProposePaymentsProps {
  rows: readonly PaymentRow[]
  /** Of the rows, those that need a second person. */
  result: BulkResult
  onDone: (user_ids: readonly number[]) => void
}

/** Offers the rows that one person may not record to a second one. */
export function ProposePayments({ rows, result, onDone }: ProposePaymentsProps) {
  const t = useTranslations('sheet.propose')
  const { isBusy, failure, run } = useChange(useRequestId(propose))
  const [isDone, setDone] = useState(false)
  /** Those that were proposed before one failed. */
  const proposed = useRef(new Set<number>())
  const needed = result.outcomes.filter(({ code }) => code === 'approval_needed').map(({ user_id }) => user_id)
  if (needed.length === 0 || isDone) return null
  const send = async (reason: string): Promise<void> => {
    const today = nowInBangkok().slice(0, 10)
    for (const { user_id, day, note, ...row } of rows.filter((row) => needed.includes(row.user_id))) {
      if (proposed.current.has(user_id)) continue
      const payload = {
        ...{ user_id, amount_satang: row.amount_satang, method: row.method },
        day: day === 'yesterday' ? addDays(today, -1) : today,
        ...(note !== undefined && { note }),
      }
      // One after another: each has a `request_id` of its own.
      if ((await run({ kind: 'record_payment', payload, reason })) === null) return
      proposed.current.add(user_id)
    }
    setDone(true)
    showToast('good', t('done'))
    onDone(needed)
  }
  return (
    <ReasonForm
      action={t('send')}
      tone="plain"
      isBusy={isBusy}
      failure={failure}
      onSend={(reason) => void send(reason)}
    >
      <Alert kind="warn">{t('hint', { count: needed.length })}</Alert>
    </ReasonForm>
  )
}
