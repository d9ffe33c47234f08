import type { NumberSetting } from '@megalot/contract'
import { MAX_REASON_LENGTH, MIN_REASON_LENGTH } from '@megalot/contract/browser'
import { betTypeByCode } from '@megalot/rules'
import type { BetTypeCode } from '@megalot/rules'
import { useEffect, useRef, useState } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { showToast } from '../../../lib/feedback/toast.ts'
import { useChange } from '../../../lib/api/use-change.ts'
import { localizedName } from '../../../lib/i18n/localized-name.ts'
import { Alert } from '../../../ui/alert.tsx'
import { Button } from '../../../ui/button.tsx'
import { Stack } from '../../../ui/layout.tsx'
import { TextInput } from '../../../ui/text-input.tsx'
import { focusInDialog } from './focus-in-dialog.ts'
import { sendNumber } from './queries.ts'
import { isShortReason } from '../../../lib/forms/reason.ts'

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
  const [reason, setReason] = useState<string>(t(`reason.${set_to}`))
  const action = useChange(sendNumber)
  const isShort = isShortReason(reason)
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (isFocused) focusInDialog(form.current?.querySelector<HTMLButtonElement>('button[type="submit"]'))
  }, [isFocused])
  const send = async (): Promise<void> => {
    if (isShort) return
    if (!(await action.run({ period_code, bet_type, number, set_to, reason: reason.trim() }))) return
    showToast('good', t(`done.${set_to}`, { number, type: localizedName(betTypeByCode[bet_type], language) }))
    onDone()
  }
  return (
    <Stack
      ref={form}
      noValidate
      as="form"
      gap={14}
      onSubmit={(event) => {
        event.preventDefault()
        void send()
      }}
    >
      <Alert kind="plain">{t(`consequence.${set_to}`, { number })}</Alert>
      <TextInput
        label={t('reason_label')}
        value={reason}
        maxLength={MAX_REASON_LENGTH}
        autoComplete="off"
        error={isShort ? t('reason_short', { least: String(MIN_REASON_LENGTH) }) : null}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
      {action.failure !== null && <Alert kind="bad">{action.failure}</Alert>}
      <Button type="submit" tone={set_to === 'closed' ? 'bad' : 'plain'} isBusy={action.isBusy}>
        {t(`confirm.${set_to}`, { number })}
      </Button>
    </Stack>
  )
}
