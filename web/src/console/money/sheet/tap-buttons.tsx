// Virtual rows are put where they belong one by one, so the markup is a table by its roles.
/* oxlint-disable jsx-a11y/prefer-tag-over-role */

import type { EdgeWeek } from '@megalot/contract'
import { useTranslations } from 'use-intl'
import { toRefusal } from '../../../lib/errors/refusal.ts'
import { useErrorMessage } from '../../../lib/errors/use-error-message.ts'
import { formatBaht } from '../../../lib/format/money.ts'
import { Button } from '../../../ui/button.tsx'
import { dropHeld, holdPayment, sendHeld, useHeldPayments } from './held-payments.ts'
import type { SheetRowActions } from './sheet-rows.ts'
import classes from './sheet.module.css'

interface TapButtonsProps extends Pick<SheetRowActions, 'onArm' | 'onOther'> {
  row: EdgeWeek
  isArmed: boolean
}

/** A phone's way to the full amount: the first tap asks, the second holds the payment for a moment. */
export function TapButtons({ row, isArmed, onArm, onOther }: TapButtonsProps) {
  const t = useTranslations('sheet.tap')
  const isHeld = useHeldPayments(({ held }) => held[row.user_id] !== undefined)
  const { user_id, username: name, balance_satang } = row
  if (isHeld) return null
  if (!isArmed) {
    const kind = balance_satang > 0 ? 'collect' : balance_satang < 0 ? 'pay' : 'other'
    return (
      <Button
        variant="light"
        aria-label={t(`${kind}_of`, { name })}
        onClick={() => (kind === 'other' ? onOther(row) : onArm(user_id))}
      >
        {t(kind === 'other' ? 'either' : kind)}
      </Button>
    )
  }
  return (
    <>
      <Button
        onClick={() => {
          onArm(null)
          holdPayment({ user_id, amount_satang: balance_satang, method: 'cash' })
        }}
      >
        {t('full', { amount: formatBaht(Math.abs(balance_satang)) })}
      </Button>
      <Button
        variant="default"
        aria-label={t('other_of', { name })}
        onClick={() => {
          onArm(null)
          onOther(row)
        }}
      >
        {t('other')}
      </Button>
    </>
  )
}

/** Over the row: a payment that can still be taken back, is on its way, or was refused. */
export function HeldRow({ user_id, name }: { user_id: number; name: string }) {
  const t = useTranslations('sheet.tap')
  const errorMessage = useErrorMessage()
  const payment = useHeldPayments(({ held }) => held[user_id])
  if (payment === undefined) return null
  const { row, state, message, error } = payment
  // It may have been recorded already, and entering it again would record it twice.
  const isUnsure = message === null && toRefusal(error).isUnsure
  const what = t(row.amount_satang > 0 ? 'held_receive' : 'held_pay', {
    amount: formatBaht(Math.abs(row.amount_satang)),
  })
  return (
    <div role="cell" className={classes.held} data-state={state} data-testid="held-payment">
      <output className={classes.heldText}>
        <strong>{name}</strong>
        <span>{what}</span>
        {state === 'sending' && <span>{t('sending')}</span>}
        {state === 'failed' && <span className={classes.refused}>{message ?? errorMessage(error)}</span>}
      </output>
      {state === 'held' && (
        <Button variant="default" onClick={() => dropHeld(user_id)}>
          {t('undo')}
        </Button>
      )}
      {state === 'failed' && (
        <>
          <Button onClick={() => void sendHeld(user_id)}>{t('again')}</Button>
          {!isUnsure && (
            <Button variant="default" onClick={() => dropHeld(user_id)}>
              {t('drop')}
            </Button>
          )}
        </>
      )}
    </div>
  )
}
