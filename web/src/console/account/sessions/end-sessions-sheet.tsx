import type { SessionListing } from '@megalot/contract'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { ReasonForm } from '../../../ui/reason-form.tsx'
import { endSessionsOf } from '../../../shared/sessions/queries.ts'
import type { SessionScope } from '../../../shared/sessions/queries.ts'
import { useErrorMessage } from '../../../lib/errors/use-error-message.ts'
import { showToast } from '../../../lib/feedback/toast.ts'
import { makeChange } from '../../../lib/api/use-change.ts'
import { useSend } from '../../../lib/forms/use-send.ts'
import { DialogSheet } from '../../../ui/dialog-sheet.tsx'
import { Intro, Stack, Text } from '../../../ui/layout.tsx'

interface EndSessionsSheetProps {
  scope: Exclude<SessionScope, 'own'>
  /** Null: closed. */
  sessions: readonly SessionListing[] | null
  onClose: () => void
}

/** Asks for the reason, and ends the sessions of each chosen user. */
export function EndSessionsSheet({ scope, sessions, onClose }: EndSessionsSheetProps) {
  const t = useTranslations('sessions')
  const [only] = sessions ?? []
  const title =
    sessions?.length === 1 && only !== undefined ? t('end_of', { username: only.username }) : t('end_selected')
  return (
    <DialogSheet isOpen={sessions !== null} onClose={onClose} title={title} dismissible="explicitly">
      {sessions !== null && <EndForm scope={scope} sessions={sessions} onDone={onClose} />}
    </DialogSheet>
  )
}

interface Outcome {
  username: string
  /** Null: ended. */
  failure: string | null
}

interface EndFormProps extends Pick<EndSessionsSheetProps, 'scope'> {
  sessions: readonly SessionListing[]
  onDone: () => void
}

function EndForm({ scope, sessions, onDone }: EndFormProps) {
  const t = useTranslations('sessions')
  const errorMessage = useErrorMessage()
  const [outcomes, setOutcomes] = useState<readonly Outcome[]>([])
  const end = async (reason: string): Promise<void> => {
    const done: Outcome[] = []
    // One after another: the first may ask for a second factor.
    for (const { user_id, username } of sessions) {
      const failure = await makeChange(endSessionsOf, { scope, user_id, reason }).then(() => null, errorMessage)
      done.push({ username, failure })
    }
    if (done.some(({ failure }) => failure !== null)) {
      setOutcomes(done)
      return
    }
    showToast('good', t('done'))
    onDone()
  }
  const { isBusy, run } = useSend(end)
  return (
    <>
      <Intro>{t('end_text')}</Intro>
      {outcomes.length > 0 && (
        <Stack as="ul" marked above={8} below={8} aria-label={t('outcome')} role="alert">
          {outcomes.map(({ username, failure }) => (
            <Text key={username} as="li" {...(failure !== null && { tone: 'bad' })}>
              {username}: {failure ?? t('done')}
            </Text>
          ))}
        </Stack>
      )}
      <ReasonForm action={t('end_submit')} isBusy={isBusy} failure={null} onSend={(reason) => void run(reason)} />
    </>
  )
}
