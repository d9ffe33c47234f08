import type { Payment } from '@megalot/contract'
import { useQuery } from '@tanstack/react-query'
import { useLocale, useTranslations } from 'use-intl'
import { formatDay, formatInstant } from '../../lib/format/dates.ts'
import { formatBaht } from '../../lib/format/money.ts'
import { slipQuery } from '../../shared/payments/queries.ts'
import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import { Facts, Stack } from '../../ui/layout.tsx'
import { QueryView, Skeleton } from '../../ui/query-view.tsx'
import { OwnBalance } from './own-balance.tsx'
import classes from './own-money.module.css'

/** What a payment is to the member, in words. */
export function useOwnKind(): (payment: Payment) => string {
  const t = useTranslations('balance.kind')
  return ({ kind, reverses_id, amount_satang }) => {
    if (reverses_id !== null) return t('reversal')
    if (kind === 'adjustment') return t('adjustment')
    return t(amount_satang > 0 ? 'given' : 'got')
  }
}

/** A payment as its receipt shows it, with the dispute and the agent's answer. */
export function OwnReceipt({ payment, onDispute }: { payment: Payment; onDispute: () => void }) {
  const t = useTranslations('balance')
  const language = useLocale()
  const kindOf = useOwnKind()
  const { method, note, recorded_by, dispute } = payment
  return (
    <Stack gap={12}>
      <div>
        <p>{kindOf(payment)}</p>
        <p className={classes.paid}>{formatBaht(Math.abs(payment.amount_satang))}</p>
      </div>
      <Facts
        inLines
        tabular
        facts={[
          [t('receipt.day'), formatDay(payment.day, language)],
          ...(method === null ? [] : ([[t('receipt.method'), t(`method.${method}`)]] as const)),
          [t('receipt.after'), <OwnBalance key="after" satang={payment.balance_after_satang} />],
          ...(note === null ? [] : ([[t('receipt.note'), note]] as const)),
          [t('receipt.at'), formatInstant(payment.recorded_at, language, 'dayAndTime')],
          ...(recorded_by === null ? [] : ([[t('receipt.by'), recorded_by]] as const)),
        ]}
      />
      {payment.has_slip && <Slip payment={payment} />}
      {dispute !== null && (
        <Alert kind={dispute.answer === null ? 'warn' : 'plain'}>
          <p>{t('dispute.yours', { note: dispute.note })}</p>
          <p>{dispute.answer === null ? t('dispute.waits') : t('dispute.answer', { answer: dispute.answer })}</p>
        </Alert>
      )}
      {dispute === null && payment.reversed_by_id === null && payment.reverses_id === null && (
        <Button variant="default" onClick={onDispute}>
          {t('dispute.button')}
        </Button>
      )}
    </Stack>
  )
}

function Slip({ payment: { payment_id } }: { payment: Payment }) {
  const t = useTranslations('balance.receipt')
  const query = useQuery(slipQuery(payment_id))
  return (
    <QueryView query={query} skeleton={<Skeleton count={1} height={320} />}>
      {(slip) =>
        slip !== null && (
          <img className={classes.slip} src={`data:${slip.content_type};base64,${slip.image}`} alt={t('slip')} />
        )
      }
    </QueryView>
  )
}
