import type { CashDay } from '@megalot/contract'
import { useTranslations } from 'use-intl'
import { useChange } from '../../../lib/api/use-change.ts'
import { showToast } from '../../../lib/feedback/toast.ts'
import { formatBaht } from '../../../lib/format/money.ts'
import { useForm } from '../../../lib/forms/use-form.ts'
import { useRequestId } from '../../../lib/forms/use-request-id.ts'
import { Alert } from '../../../ui/alert.tsx'
import { Button } from '../../../ui/button.tsx'
import { Facts, Hint, Stack, Text } from '../../../ui/layout.tsx'
import { TextInput } from '../../../ui/text-input.tsx'
import { readBaht } from '../../people/amounts.ts'
import { wordOf } from './holder-card.tsx'
import { sendCount } from './queries.ts'

/** Takes the counted cash, and shows the difference before it is recorded. */
export function CountForm({ cash, onDone }: { cash: CashDay; onDone: () => void }) {
  const t = useTranslations('cash.count')
  const { isBusy, failure, run } = useChange(useRequestId(sendCount))
  const expected_satang = cash.on_hand_satang
  const form = useForm({
    initial: { counted: '', note: '' },
    check: ({ counted }) => ({ counted: readBaht(counted) === null ? t('problem') : null }),
    send: async ({ counted, note }) => {
      const count = { holder_id: cash.holder.user_id, counted_satang: readBaht(counted)!, expected_satang }
      if (!(await run({ ...count, ...(note.trim() !== '' && { note: note.trim() }) }))) return
      showToast('good', t('done'))
      onDone()
    },
  })
  const counted_satang = readBaht(form.values.counted)
  return (
    <Stack as="form" noValidate gap={12} onSubmit={form.submit}>
      <TextInput {...form.propsOf('counted')} label={t('counted')} inputMode="decimal" autoComplete="off" />
      <Facts
        tabular
        facts={[
          [t('expected'), formatBaht(expected_satang)],
          [
            t('difference'),
            <Difference key="difference" satang={counted_satang === null ? null : counted_satang - expected_satang} />,
          ],
        ]}
      />
      <TextInput {...form.propsOf('note')} label={t('note')} maxLength={200} autoComplete="off" />
      <Hint>{t('hint')}</Hint>
      {failure !== null && <Alert kind="bad">{failure}</Alert>}
      <Button type="submit" isBusy={isBusy}>
        {t('send')}
      </Button>
    </Stack>
  )
}

/** @param satang counted less expected; null: nothing was typed */
function Difference({ satang }: { satang: number | null }) {
  const t = useTranslations('cash.count')
  if (satang === null)
    return (
      <Text as="span" tone="dim">
        {t('wait')}
      </Text>
    )
  return (
    <Text as="output" strong tone={satang === 0 ? 'good' : 'warn'} data-testid="cash-difference">
      {t(wordOf(satang), { amount: formatBaht(Math.abs(satang)) })}
    </Text>
  )
}
