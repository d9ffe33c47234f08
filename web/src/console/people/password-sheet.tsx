import type { Person } from '@megalot/contract'
import { useEffect, useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { useChange } from '../../lib/api/use-change.ts'
import { Alert } from '../../ui/alert.tsx'
import { DialogSheet } from '../../ui/dialog-sheet.tsx'
import { ReasonForm } from '../../ui/reason-form.tsx'
import { HandoverCard } from './handover-card.tsx'
import { makeOneTimePassword } from '../changes/one-time-password.ts'
import { changePeople } from './queries.ts'
import { useRequestId } from '../../lib/forms/use-request-id.ts'

interface PasswordSheetProps {
  person: Pick<Person, 'user_id' | 'username' | 'level'> | null
  onClose: () => void
  /** The reason is known: the password is made at once. Absent: a reason is asked for first. */
  reason?: string
}

/** Sets a password for one log-in, and shows it once. */
export function PasswordSheet({ person, onClose, reason }: PasswordSheetProps) {
  const t = useTranslations('people.password')
  const [isMade, setIsMade] = useState(false)
  const close = (): void => {
    setIsMade(false)
    onClose()
  }
  return (
    <DialogSheet
      isOpen={person !== null}
      onClose={close}
      title={t('title', { name: person?.username ?? '' })}
      // The password cannot be shown again: only the button that says it is noted closes it.
      dismissible={isMade ? 'never' : 'explicitly'}
    >
      {person !== null && (
        <PasswordForm person={person} isMade={isMade} onMade={() => setIsMade(true)} onClose={close} given={reason} />
      )}
    </DialogSheet>
  )
}

interface PasswordFormProps {
  person: Pick<Person, 'user_id' | 'username' | 'level'>
  isMade: boolean
  onMade: () => void
  onClose: () => void
  given: string | undefined
}

function PasswordForm({ person, isMade, onMade, onClose, given }: PasswordFormProps) {
  const t = useTranslations('people.password')
  // Sent again it is the same: a password of a call that seemed lost may be in force.
  const [password] = useState(makeOneTimePassword)
  const [refusal, setRefusal] = useState<string | null>(null)
  const { isBusy, failure, run } = useChange(useRequestId(changePeople))
  const send = async (said: string): Promise<void> => {
    const rows = [{ user_id: person.user_id, password }]
    const sent = await run({ change: { kind: 'password', rows }, reason: said })
    if (sent === null) return
    const made = sent.result
    setRefusal(made.ok_count === 1 ? null : (made.messages[0]?.message ?? made.outcomes[0]!.code))
    if (made.ok_count === 1) onMade()
  }
  // An agent's assistants are suspended with it: that is confirmed first.
  const isAtOnce = given !== undefined && person.level === 'member'
  const sendAtOnce = useRef(() => void send((given ?? '').trim()))
  useEffect(() => {
    if (isAtOnce) sendAtOnce.current()
  }, [isAtOnce])
  if (isMade) return <HandoverCard username={person.username} password={password} onNoted={onClose} />
  return (
    <ReasonForm
      action={t('reset')}
      tone="plain"
      isBusy={isBusy}
      failure={failure ?? refusal}
      given={given}
      onSend={(reason) => void send(reason)}
      onCancel={onClose}
    >
      <Alert kind="warn">{t('hint')}</Alert>
      {person.level !== 'member' && <Alert kind="warn">{t('assistants')}</Alert>}
    </ReasonForm>
  )
}
