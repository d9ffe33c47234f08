import { useTranslations } from 'use-intl'
import { toRefusal } from '../../../lib/errors/refusal.ts'
import type { Sending } from '../../../lib/forms/use-send.ts'
import { Alert } from '../../../ui/alert.tsx'

/** A refusal in words. A need for a second person is shown as a warning. */
export function ActionFailure({
  action: { error, failure },
  waits,
}: {
  action: Pick<Sending<never, unknown>, 'error' | 'failure'>
  /** What to do where a second person is needed. */
  waits?: string
}) {
  const t = useTranslations('staff')
  if (failure === null) return null
  if (toRefusal(error).code !== 'approval_needed') return <Alert kind="bad">{failure}</Alert>
  return (
    <Alert kind="warn" title={t('waits.title')}>
      <p>{failure}</p>
      {waits !== undefined && <p>{waits}</p>}
    </Alert>
  )
}
