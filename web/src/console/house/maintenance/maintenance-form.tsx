import { MAX_REASON_LENGTH } from '@megalot/contract/browser'
import { Button } from '../../../ui/button.tsx'
import { TextInput } from '../../../ui/text-input.tsx'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { localizedName } from '../../../lib/i18n/localized-name.ts'
import { marketsQuery } from '../../../shared/markets/queries.ts'
import { showToast } from '../../../lib/feedback/toast.ts'
import { useFields } from '../../../lib/forms/use-fields.ts'
import { Alert } from '../../../ui/alert.tsx'
import { Stack } from '../../../ui/layout.tsx'
import { SelectField } from '../../../ui/select-field.tsx'
import { readBangkok, writeBangkok } from '../../../lib/format/bangkok-field.ts'
import { saveMaintenance } from '../messages/queries.ts'
import type { MaintenanceEntry } from '../messages/queries.ts'
import { useAction } from '../../../lib/forms/use-action.ts'
import { isShortReason } from '../../../lib/forms/reason.ts'

const EVERYTHING = ''

type Problem = 'message' | 'reason'

function findReasonProblem({ reason }: { reason: string }): Problem | null {
  return isShortReason(reason) ? 'reason' : null
}

/** Begins maintenance, or changes the message of one that is on. */
export function MaintenanceForm({ entry, onDone }: { entry: MaintenanceEntry | null; onDone: () => void }) {
  const t = useTranslations('maintenance')
  const language = useLocale()
  const { data: markets = [] } = useQuery(marketsQuery)
  const { isBusy, failure, run } = useAction()
  const [scope, setScope] = useState(entry?.product_code ?? EVERYTHING)
  const fields = useFields(
    {
      message_th: entry?.message_th ?? t('usual_th'),
      message_en: entry?.message_en ?? t('usual_en'),
      until: writeBangkok(entry?.until_at ?? null),
      reason: '',
    },
    (values): Record<'message_th' | 'message_en' | 'until' | 'reason', Problem | null> => ({
      message_th: values.message_th.trim() === '' ? 'message' : null,
      message_en: values.message_en.trim() === '' ? 'message' : null,
      until: null,
      reason: findReasonProblem(values),
    }),
    (problem) => t(`problem.${problem}`),
    ['until'],
  )

  const save = async (): Promise<void> => {
    const { message_th, message_en, until, reason } = fields.values
    const until_at = readBangkok(until)
    const isDone = await run(() =>
      saveMaintenance({
        ...(scope === EVERYTHING ? {} : { product_code: scope }),
        is_on: true,
        message_th: message_th.trim(),
        message_en: message_en.trim(),
        ...(until_at === null ? {} : { until_at }),
        reason: reason.trim(),
      }),
    )
    if (!isDone) return
    showToast('good', t('saved'))
    onDone()
  }

  return (
    <Stack
      as="form"
      gap={14}
      noValidate
      aria-label={t(entry === null ? 'begin' : 'change')}
      onSubmit={(event) => fields.submit(event, () => void save())}
    >
      {entry === null && (
        <SelectField
          label={t('scope')}
          value={scope}
          choices={[
            { value: EVERYTHING, label: t('everything') },
            ...markets.map((one) => ({ value: one.product_code, label: localizedName(one, language) })),
          ]}
          onChange={setScope}
        />
      )}
      {scope === EVERYTHING && <Alert kind="warn">{t('all_out')}</Alert>}
      <TextInput {...fields.propsOf('message_th')} label={t('message_th')} maxLength={500} lang="th" />
      <TextInput {...fields.propsOf('message_en')} label={t('message_en')} maxLength={500} lang="en" />
      <TextInput {...fields.propsOf('until')} label={t('until')} description={t('until_hint')} type="datetime-local" />
      <TextInput
        {...fields.propsOf('reason')}
        label={t('reason')}
        description={t('reason_hint')}
        maxLength={MAX_REASON_LENGTH}
      />
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
  const { isBusy, failure, run } = useAction()
  const fields = useFields(
    { reason: '' },
    (values) => ({ reason: findReasonProblem(values) }),
    (problem) => t(`problem.${problem}`),
  )
  const end = async (): Promise<void> => {
    const scope = product_code === null ? {} : { product_code }
    if (!(await run(() => saveMaintenance({ ...scope, is_on: false, reason: fields.values.reason.trim() })))) return
    showToast('good', t('ended'))
    onDone()
  }
  return (
    <Stack
      as="form"
      gap={14}
      noValidate
      aria-label={t('end')}
      onSubmit={(event) => fields.submit(event, () => void end())}
    >
      <p>{t('end_text', { name })}</p>
      <TextInput
        {...fields.propsOf('reason')}
        label={t('reason')}
        description={t('reason_hint')}
        maxLength={MAX_REASON_LENGTH}
      />
      {failure !== null && <Alert kind="bad">{failure}</Alert>}
      <Button type="submit" isBusy={isBusy}>
        {t('end')}
      </Button>
    </Stack>
  )
}
