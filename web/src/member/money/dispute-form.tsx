import type { Payment } from '@megalot/contract'
import { useTranslations } from 'use-intl'
import { useChange } from '../../lib/api/use-change.ts'
import { showToast } from '../../lib/feedback/toast.ts'
import { formatBaht } from '../../lib/format/money.ts'
import { useForm } from '../../lib/forms/use-form.ts'
import { sendDispute } from '../../shared/payments/queries.ts'
import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import { Stack } from '../../ui/layout.tsx'
import { TextInput } from '../../ui/text-input.tsx'
import { useOwnKind } from './own-receipt.tsx'

/** Tells the agent that a payment is not right. */
export function DisputeForm({ payment, onDone }: { payment: Payment; onDone: () => void }) {
  const t = useTranslations('balance.dispute')
  const kindOf = useOwnKind()
  const { isBusy, failure, run } = useChange(sendDispute)
  const form = useForm({
    initial: { note: '' },
    check: ({ note }) => ({ note: note.trim() === '' ? t('problem') : null }),
    send: async ({ note }) => {
      if (!(await run({ payment_id: payment.payment_id, note: note.trim() }))) return
      showToast('good', t('sent'))
      onDone()
    },
  })
  return (
    <Stack as="form" noValidate gap={12} onSubmit={form.submit}>
      <p>
        {kindOf(payment)} <strong>{formatBaht(Math.abs(payment.amount_satang))}</strong>
      </p>
      <p>{t('text')}</p>
      <TextInput
        {...form.propsOf('note')}
        label={t('note')}
        description={t('note_hint')}
        maxLength={200}
        autoComplete="off"
      />
      {failure !== null && <Alert kind="bad">{failure}</Alert>}
      <Button type="submit" isBusy={isBusy}>
        {t('send')}
      </Button>
    </Stack>
  )
}
