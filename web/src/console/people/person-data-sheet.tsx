import type { PersonProfile } from '@megalot/contract'
import { exportPersonData, MAX_REASON_LENGTH, MIN_REASON_LENGTH, proposeApproval } from '@megalot/contract/browser'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { fetchFile } from '../../lib/api/fetch-file.ts'
import { callRoute } from '../../lib/api/http-client.ts'
import { withRefresh } from '../../lib/api/with-refresh.ts'
import { randomUuid } from '../../lib/device/random-uuid.ts'
import { saveFile } from '../../lib/device/save-file.ts'
import { showToast } from '../../lib/feedback/toast.ts'
import { isShortReason } from '../../lib/forms/reason.ts'
import { useAction } from '../../lib/forms/use-action.ts'
import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import { DialogSheet } from '../../ui/dialog-sheet.tsx'
import { Row, Stack } from '../../ui/layout.tsx'
import { TextInput } from '../../ui/text-input.tsx'
import classes from './people.module.css'

interface PersonDataSheetProps {
  profile: Pick<PersonProfile, 'user_id' | 'username'>
  /** What is asked for; null: the sheet is closed. */
  act: 'copy' | 'erase' | null
  onClose: () => void
}

/** Saves the copy of what is stored about a person, or proposes to erase it. */
export function PersonDataSheet({ profile, act, onClose }: PersonDataSheetProps) {
  const t = useTranslations('people.data')
  const title = act === null ? '' : t(`${act}.title`, { name: profile.username })
  return (
    <DialogSheet isOpen={act !== null} onClose={onClose} title={title} dismissible="explicitly">
      {act !== null && <PersonDataForm key={act} profile={profile} act={act} onClose={onClose} />}
    </DialogSheet>
  )
}

async function saveCopy({ user_id }: PersonDataSheetProps['profile'], reason: string): Promise<void> {
  const file = await fetchFile(exportPersonData, { user_id: String(user_id) }, { reason })
  saveFile(`personal-data-${user_id}.json`, file)
}

async function proposeErasing({ user_id }: PersonDataSheetProps['profile'], reason: string): Promise<void> {
  const body = { kind: 'erase_person' as const, payload: { user_id }, request_id: randomUuid(), reason }
  await withRefresh('approval_decided', () => callRoute(proposeApproval, { body }))
}

interface PersonDataFormProps {
  profile: PersonDataSheetProps['profile']
  act: 'copy' | 'erase'
  onClose: () => void
}

function PersonDataForm({ profile, act, onClose }: PersonDataFormProps) {
  const t = useTranslations('people.data')
  const change = useTranslations('people.change')
  const [reason, setReason] = useState('')
  const [isTried, setIsTried] = useState(false)
  const { isBusy, failure, run } = useAction()
  const isReasonShort = isShortReason(reason)
  const send = async (): Promise<void> => {
    await (act === 'copy' ? saveCopy : proposeErasing)(profile, reason.trim())
    showToast('good', t(`${act}.done`))
    onClose()
  }
  return (
    <Stack
      noValidate
      as="form"
      gap={12}
      onSubmit={(event) => {
        event.preventDefault()
        setIsTried(true)
        if (isReasonShort) event.currentTarget.querySelector<HTMLElement>('[name=reason]')?.focus()
        else void run(send)
      }}
    >
      <p>{t(`${act}.text`)}</p>
      {act === 'erase' && <Alert kind="warn">{t('erase.warning')}</Alert>}
      <TextInput
        name="reason"
        label={change('reason')}
        maxLength={MAX_REASON_LENGTH}
        autoComplete="off"
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
        error={isTried && isReasonShort ? change('reason_short', { least: String(MIN_REASON_LENGTH) }) : null}
      />
      {failure !== null && <Alert kind="bad">{failure}</Alert>}
      <Row gap={8} align="center" className={classes.buttons}>
        <Button type="submit" isBusy={isBusy} tone={act === 'erase' ? 'bad' : 'plain'}>
          {t(`${act}.send`)}
        </Button>
        <Button variant="default" onClick={onClose}>
          {change('cancel')}
        </Button>
      </Row>
    </Stack>
  )
}
