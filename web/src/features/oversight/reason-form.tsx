import { Button } from '../../ui/button.tsx'
import { TextInput } from '../../ui/text-input.tsx'
import { useTranslations } from 'use-intl'
import { useFields } from '../../lib/forms/use-fields.ts'
import { useErrorMessage } from '../../lib/errors/use-error-message.ts'
import { Alert } from '../../ui/alert.tsx'
import classes from './oversight.module.css'

const LEAST = 3
const MOST = 200

interface ReasonFormProps {
  action: string
  isBusy: boolean
  error: unknown
  onSend: (reason: string) => void
}

/** What is done to somebody else's money has a reason, which the audit log keeps. */
export function ReasonForm({ action, isBusy, error, onSend }: ReasonFormProps) {
  const t = useTranslations('oversight')
  const errorMessage = useErrorMessage()
  const fields = useFields<'reason', 'short'>(
    { reason: '' },
    ({ reason }) => ({ reason: reason.trim().length < LEAST ? 'short' : null }),
    () => t('reason_short', { least: String(LEAST) }),
  )
  return (
    <form
      noValidate
      className={classes.form}
      onSubmit={(event) => fields.submit(event, () => onSend(fields.values.reason.trim()))}
    >
      <TextInput label={t('reason')} maxLength={MOST} autoComplete="off" {...fields.propsOf('reason')} />
      {error !== null && <Alert kind="bad">{errorMessage(error)}</Alert>}
      <Button type="submit" tone="bad" isBusy={isBusy}>
        {action}
      </Button>
    </form>
  )
}
