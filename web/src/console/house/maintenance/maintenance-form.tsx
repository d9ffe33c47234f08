import { Button } from '../../../ui/button.tsx'
import { TextInput } from '../../../ui/text-input.tsx'
import { useQuery } from '@tanstack/react-query'
import { useLocale, useTranslations } from 'use-intl'
import { localizedName } from '../../../lib/i18n/localized-name.ts'
import { marketsQuery } from '../../../shared/markets/queries.ts'
import { showToast } from '../../../lib/feedback/toast.ts'
import { useReasonCheck } from '../../../lib/forms/reason.ts'
import { useForm } from '../../../lib/forms/use-form.ts'
import { Alert } from '../../../ui/alert.tsx'
import { ReasonField } from '../../../ui/reason-field.tsx'
import { ReasonForm } from '../../../ui/reason-form.tsx'
import { Stack } from '../../../ui/layout.tsx'
import { SelectField } from '../../../ui/select-field.tsx'
import { readBangkok, writeBangkok } from '../../../lib/format/bangkok-field.ts'
import { saveMaintenance } from '../messages/queries.ts'
import type { MaintenanceEntry } from '../messages/queries.ts'
import { useChange } from '../../../lib/api/use-change.ts'

const EVERYTHING = ''

/** Begins maintenance, or changes the message of one that is on. */
export function MaintenanceForm({ entry, onDone }: { entry: MaintenanceEntry | null; onDone: () => void }) {
  const t = useTranslations('maintenance')
  const language = useLocale()
  const { data: markets = [] } = useQuery(marketsQuery)
  const { isBusy, failure, run } = useChange(saveMaintenance)
  const checkReason = useReasonCheck()
  const fields = useForm({
    initial: {
      scope: entry?.product_code ?? EVERYTHING,
      message_th: entry?.message_th ?? t('usual_th'),
      message_en: entry?.message_en ?? t('usual_en'),
      until: writeBangkok(entry?.until_at ?? null),
      reason: '',
    },
    check: ({ message_th, message_en, reason }) => ({
      message_th: message_th.trim() === '' ? t('problem.message') : null,
      message_en: message_en.trim() === '' ? t('problem.message') : null,
      reason: checkReason(reason),
    }),
    send: async ({ scope, message_th, message_en, until, reason }) => {
      const until_at = readBangkok(until)
      const isDone = await run({
        ...(scope === EVERYTHING ? {} : { product_code: scope }),
        is_on: true,
        message_th: message_th.trim(),
        message_en: message_en.trim(),
        ...(until_at === null ? {} : { until_at }),
        reason: reason.trim(),
      })
      if (!isDone) return
      showToast('good', t('saved'))
      onDone()
    },
  })

  return (
    <Stack as="form" gap={14} noValidate aria-label={t(entry === null ? 'begin' : 'change')} onSubmit={fields.submit}>
      {entry === null && (
        <SelectField
          label={t('scope')}
          choices={[
            { value: EVERYTHING, label: t('everything') },
            ...markets.map((one) => ({ value: one.product_code, label: localizedName(one, language) })),
          ]}
          {...fields.propsOf('scope')}
        />
      )}
      {fields.values.scope === EVERYTHING && <Alert kind="warn">{t('all_out')}</Alert>}
      <TextInput {...fields.propsOf('message_th')} label={t('message_th')} maxLength={500} lang="th" />
      <TextInput {...fields.propsOf('message_en')} label={t('message_en')} maxLength={500} lang="en" />
      <TextInput {...fields.propsOf('until')} label={t('until')} description={t('until_hint')} type="datetime-local" />
      <ReasonField {...fields.propsOf('reason')} description={t('reason_hint')} />
      {failure !== null && <Alert kind="bad">{failure}</Alert>}
      <Button type="submit" isBusy={isBusy}>
        {t(entry === null ? 'begin' : 'save')}
      </Button>
    </Stack>
  )
}

interface EndFormProps {
  product_code: string | null
  name: string
  onDone: () => void
}

/** Ends maintenance; the reason stands in the audit log. */
export function EndForm({ product_code, name, onDone }: EndFormProps) {
  const t = useTranslations('maintenance')
  const { isBusy, failure, run } = useChange(saveMaintenance)
  const end = async (reason: string): Promise<void> => {
    const scope = product_code === null ? {} : { product_code }
    if (!(await run({ ...scope, is_on: false, reason }))) return
    showToast('good', t('ended'))
    onDone()
  }
  return (
    <ReasonForm
      label={t('end')}
      action={t('end')}
      tone="plain"
      isBusy={isBusy}
      failure={failure}
      hint={t('reason_hint')}
      onSend={(reason) => void end(reason)}
    >
      <p>{t('end_text', { name })}</p>
    </ReasonForm>
  )
}
