import { MAX_REASON_LENGTH } from '@megalot/contract/browser'
import { useTranslations } from 'use-intl'
import { TextInput } from './text-input.tsx'
import type { TextInputProps } from './text-input.tsx'

/** The reason for an action, which the audit log keeps. */
export function ReasonField({ label, ...props }: TextInputProps) {
  const t = useTranslations('common.reason')
  return <TextInput label={label ?? t('label')} maxLength={MAX_REASON_LENGTH} autoComplete="off" {...props} />
}
