import { exportPersonData, MAX_REASON_LENGTH, MIN_REASON_LENGTH } from '@megalot/contract'
import type { PersonProfile } from '@megalot/contract'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { fetchFile } from '../../lib/api/fetch-file.ts'
import { saveFile } from '../../lib/device/save-file.ts'
import { showToast } from '../../lib/feedback/toast.ts'
import { isShortReason } from '../../lib/forms/reason.ts'
import { useAction } from '../../lib/forms/use-action.ts'
import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import { DialogSheet } from '../../ui/dialog-sheet.tsx'
import { TextInput } from '../../ui/text-input.tsx'
import classes from './people.module.css'

interface PersonDataSheetProps {
  profile: Pick<PersonProfile, 'user_id' | 'username'>
  isOpen: boolean
  onClose: () => void
}

/** Saves the copy of what is stored about a person, to be handed to that person. */
export function PersonDataSheet({ profile, isOpen, onClose }: PersonDataSheetProps) {
  const t = useTranslations('people.data')
  return (
    <DialogSheet
      isOpen={isOpen}
      onClose={onClose}
      title={t('title', { name: profile.username })}
      dismissible="explicitly"
    >
      <PersonDataForm profile={profile} onClose={onClose} />
    </DialogSheet>
  )
}

function PersonDataForm({ profile, onClose }: Omit<PersonDataSheetProps, 'isOpen'>) {
  const t = useTranslations('people.data')
  const change = useTranslations('people.change')
  const [reason, setReason] = useState('')
  const [isTried, setIsTried] = useState(false)
  const { isBusy, failure, run } = useAction()
  const isReasonShort = isShortReason(reason)
  const download = async (): Promise<void> => {
    const params = { user_id: String(profile.user_id) }
    const file = await fetchFile(exportPersonData, params, { reason: reason.trim() })
    saveFile(`personal-data-${profile.user_id}.json`, file)
    showToast('good', t('done'))
    onClose()
  }
  return (
    <form
      noValidate
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault()
        setIsTried(true)
        if (isReasonShort) event.currentTarget.querySelector<HTMLElement>('[name=reason]')?.focus()
        else void run(download)
      }}
    >
      <p>{t('text')}</p>
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
      <div className={classes.buttons}>
        <Button type="submit" isBusy={isBusy}>
          {t('download')}
        </Button>
        <Button variant="default" onClick={onClose}>
          {change('cancel')}
        </Button>
      </div>
    </form>
  )
}
