import type { CashDay } from '@megalot/contract'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useChange } from '../../../lib/api/use-change.ts'
import { showToast } from '../../../lib/feedback/toast.ts'
import { formatBaht } from '../../../lib/format/money.ts'
import { useForm } from '../../../lib/forms/use-form.ts'
import { useRequestId } from '../../../lib/forms/use-request-id.ts'
import { useUser } from '../../../lib/user/user-query.ts'
import { Alert } from '../../../ui/alert.tsx'
import { Button } from '../../../ui/button.tsx'
import { Facts, Row, Stack } from '../../../ui/layout.tsx'
import { SelectField } from '../../../ui/select-field.tsx'
import { TextInput } from '../../../ui/text-input.tsx'
import { readBaht, writeBaht } from '../../people/amounts.ts'
import { sendHandOver } from './queries.ts'

type Holder = Pick<CashDay['holder'], 'user_id' | 'username'>

interface HandOverFormProps {
  cash: CashDay
  others: readonly Holder[]
  onDone: () => void
}

/** Records cash that a holder hands to another of the same principal. Who is no agent itself records only what it takes over. */
export function HandOverForm({ cash, others, onDone }: HandOverFormProps) {
  const t = useTranslations('cash.hand')
  const user = useUser()
  const leads = !user.is_office && user.principal === null
  const { isBusy, failure, run } = useChange(useRequestId(sendHandOver))
  const takers = (leads ? others : [user]).filter(({ user_id }) => user_id !== cash.holder.user_id)
  const [to, setTo] = useState(String(takers[0]?.user_id ?? ''))
  const form = useForm({
    initial: { amount: '', note: '' },
    check: ({ amount }) => ({ amount: (readBaht(amount) ?? 0) > 0 ? null : t('problem') }),
    send: async ({ amount, note }) => {
      const handover = { from_id: cash.holder.user_id, to_id: Number(to), amount_satang: readBaht(amount)! }
      if (!(await run({ ...handover, ...(note.trim() !== '' && { note: note.trim() }) }))) return
      showToast('good', t('done'))
      onDone()
    },
  })
  return (
    <Stack as="form" noValidate gap={12} onSubmit={form.submit}>
      <SelectField
        label={t('to')}
        value={to}
        choices={takers.map(({ user_id, username }) => ({ value: String(user_id), label: username }))}
        onChange={setTo}
      />
      <TextInput {...form.propsOf('amount')} label={t('amount')} inputMode="decimal" autoComplete="off" />
      <Row>
        <Button size="sm" variant="default" onClick={() => form.change({ amount: writeBaht(cash.on_hand_satang) })}>
          {t('all', { amount: formatBaht(cash.on_hand_satang) })}
        </Button>
      </Row>
      <Facts tabular facts={[[t('after'), formatBaht(cash.on_hand_satang - (readBaht(form.values.amount) ?? 0))]]} />
      <TextInput {...form.propsOf('note')} label={t('note')} maxLength={200} autoComplete="off" />
      {failure !== null && <Alert kind="bad">{failure}</Alert>}
      <Button type="submit" isBusy={isBusy} disabled={takers.length === 0}>
        {t('send')}
      </Button>
    </Stack>
  )
}
