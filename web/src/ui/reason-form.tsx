import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { useReasonCheck } from '../lib/forms/reason.ts'
import { useForm } from '../lib/forms/use-form.ts'
import { Alert } from './alert.tsx'
import { Button } from './button.tsx'
import { ReasonField } from './reason-field.tsx'
import { Row, Stack } from './layout.tsx'

interface ReasonFormProps {
  /** The name of the form. */
  label?: string
  action: string
  tone?: 'plain' | 'bad'
  isBusy: boolean
  /** The form cannot be sent yet, but the reason can be typed. */
  isDisabled?: boolean
  failure: ReactNode
  /** The reason that the field has at first. */
  given?: string | undefined
  hint?: string
  onSend: (reason: string) => void
  /** Adds a button that leaves the form. */
  onCancel?: () => void
  /** Shown above the reason. */
  children?: ReactNode
}

/** Asks for the reason for an action. The button starts the action. */
export function ReasonForm(props: ReasonFormProps) {
  const { label, action, tone = 'bad', isBusy, isDisabled = false, failure, given = '', hint, onSend, onCancel } = props
  const cancel = useTranslations('common.action')('cancel')
  const checkReason = useReasonCheck()
  const form = useForm({
    initial: { reason: given },
    check: ({ reason }) => ({ reason: checkReason(reason) }),
    send: ({ reason }) => onSend(reason.trim()),
  })
  const submit = (
    <Button type="submit" tone={tone} isBusy={isBusy} disabled={isDisabled}>
      {action}
    </Button>
  )
  return (
    <Stack
      as="form"
      noValidate
      gap={12}
      above={props.children === undefined ? 12 : 0}
      aria-label={label}
      onSubmit={form.submit}
    >
      {props.children}
      <ReasonField {...form.propsOf('reason')} description={hint} />
      {failure !== null && <Alert kind="bad">{failure}</Alert>}
      {onCancel === undefined ? (
        submit
      ) : (
        <Row gap={8}>
          {submit}
          <Button variant="default" onClick={onCancel}>
            {cancel}
          </Button>
        </Row>
      )}
    </Stack>
  )
}
