import type { NumberSetting } from '@megalot/contract'
import { betTypeByCode } from '@megalot/rules'
import type { BetTypeCode } from '@megalot/rules'
import { useEffect, useRef } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { showToast } from '../../../lib/feedback/toast.ts'
import { useChange } from '../../../lib/api/use-change.ts'
import { localizedName } from '../../../lib/i18n/localized-name.ts'
import { Alert } from '../../../ui/alert.tsx'
import { Button } from '../../../ui/button.tsx'
import { Stack } from '../../../ui/layout.tsx'
import { focusInDialog } from './focus-in-dialog.ts'
import { sendNumber } from './queries.ts'
import { useReasonCheck } from '../../../lib/forms/reason.ts'
import { useForm } from '../../../lib/forms/use-form.ts'
import { ReasonField } from '../../../ui/reason-field.tsx'

interface NumberFormProps {
  period_code: string
  bet_type: BetTypeCode
  number: string
  set_to: NumberSetting
  /** Takes the focus, so that Enter confirms the action chosen by a key. */
  isFocused: boolean
  onDone: () => void
}

/** Half, closed or open, with its consequence. A reason stands there already: to set a number takes no typing. */
export function NumberForm({ period_code, bet_type, number, set_to, isFocused, onDone }: NumberFormProps) {
  const t = useTranslations('risk.limit')
  const language = useLocale()
  const action = useChange(sendNumber)
  const checkReason = useReasonCheck()
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (isFocused) focusInDialog(form.current?.querySelector<HTMLButtonElement>('button[type="submit"]'))
  }, [isFocused])
  const fields = useForm({
    initial: { reason: t(`reason.${set_to}`) },
    check: ({ reason }) => ({ reason: checkReason(reason) }),
    send: async ({ reason }) => {
      if (!(await action.run({ period_code, bet_type, number, set_to, reason: reason.trim() }))) return
      showToast('good', t(`done.${set_to}`, { number, type: localizedName(betTypeByCode[bet_type], language) }))
      onDone()
    },
  })
  return (
    <Stack ref={form} noValidate as="form" gap={14} onSubmit={fields.submit}>
      <Alert kind="plain">{t(`consequence.${set_to}`, { number })}</Alert>
      <ReasonField {...fields.propsOf('reason')} />
      {action.failure !== null && <Alert kind="bad">{action.failure}</Alert>}
      <Button type="submit" tone={set_to === 'closed' ? 'bad' : 'plain'} isBusy={action.isBusy}>
        {t(`confirm.${set_to}`, { number })}
      </Button>
    </Stack>
  )
}
