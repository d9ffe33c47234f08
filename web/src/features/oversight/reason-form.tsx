import { Button } from '../../ui/button.tsx'
import { TextInput } from '../../ui/text-input.tsx'
import { useTranslations } from 'use-intl'
import { useFields } from '../../lib/forms/use-fields.ts'
import { Alert } from '../../ui/alert.tsx'
import classes from './oversight.module.css'

const MIN_REASON_LENGTH = 3
const MAX_REASON_LENGTH = 200

interface ReasonFormProps {
  action: string
  isBusy: boolean
  failure: string | null
  onSend: (reason: string) => void
}

/** What is done to somebody else's money has a reason, which the audit log keeps. */
export function ReasonForm({ action, isBusy, failure, onSend }: ReasonFormProps) {
  const t = useTranslations('oversight')
  const fields = useFields<'reason', 'short'>(
    { reason: '' },
    ({ reason }) => ({ reason: reason.trim().length < MIN_REASON_LENGTH ? 'short' : null }),
    () => t('reason_short', { least: String(MIN_REASON_LENGTH) }),
  )
  return (
    <form
      noValidate
      className={classes.form}
      onSubmit={(event) => fields.submit(event, () => onSend(fields.values.reason.trim()))}
    >
      <TextInput label={t('reason')} maxLength={MAX_REASON_LENGTH} autoComplete="off" {...fields.propsOf('reason')} />
      {failure !== null && <Alert kind="bad">{failure}</Alert>}
      <Button type="submit" tone="bad" isBusy={isBusy}>
        {action}
      </Button>
    </form>
  )
}
