import { MAX_REASON_LENGTH, MIN_REASON_LENGTH } from '@megalot/contract/browser'
import { Button } from './button.tsx'
import { TextInput } from './text-input.tsx'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { useFields } from '../lib/forms/use-fields.ts'
import { Alert } from './alert.tsx'
import { Stack } from './layout.tsx'
import { isShortReason } from '../lib/forms/reason.ts'

interface ReasonFormProps {
  action: string
  isBusy: boolean
  /** Not to be sent yet; the reason can be typed. */
  isDisabled?: boolean
  failure: ReactNode
  onSend: (reason: string) => void
}

/** What is done to somebody else's money has a reason, which the audit log keeps. */
export function ReasonForm({ action, isBusy, isDisabled = false, failure, onSend }: ReasonFormProps) {
  const t = useTranslations('common.reason')
  const fields = useFields<'reason', 'short'>(
    { reason: '' },
    ({ reason }) => ({ reason: isShortReason(reason) ? 'short' : null }),
    () => t('too_short', { least: String(MIN_REASON_LENGTH) }),
  )
  return (
    <Stack
      noValidate
      as="form"
      gap={12}
      above={12}
      onSubmit={(event) => fields.submit(event, () => onSend(fields.values.reason.trim()))}
    >
      <TextInput label={t('label')} maxLength={MAX_REASON_LENGTH} autoComplete="off" {...fields.propsOf('reason')} />
      {failure !== null && <Alert kind="bad">{failure}</Alert>}
      <Button type="submit" tone="bad" isBusy={isBusy} disabled={isDisabled}>
        {action}
      </Button>
    </Stack>
  )
}
