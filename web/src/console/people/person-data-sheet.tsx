import type { PersonProfile } from '@megalot/contract'
import { exportPersonData } from '@megalot/contract/browser'
import { useTranslations } from 'use-intl'
import { fetchFile } from '../../lib/api/fetch-file.ts'
import { makeChange } from '../../lib/api/use-change.ts'
import { useSend } from '../../lib/forms/use-send.ts'
import { saveFile } from '../../lib/device/save-file.ts'
import { showToast } from '../../lib/feedback/toast.ts'
import { useRequestId } from '../../lib/forms/use-request-id.ts'
import { Alert } from '../../ui/alert.tsx'
import { DialogSheet } from '../../ui/dialog-sheet.tsx'
import { ReasonForm } from '../../ui/reason-form.tsx'
import { propose } from '../changes/queries.ts'

interface PersonDataSheetProps {
  profile: Pick<PersonProfile, 'user_id' | 'username'>
  /** The requested action; null if closed. */
  act: 'copy' | 'erase' | null
  onClose: () => void
}

/** Saves a copy of a person's stored data, or proposes to erase it. */
export function PersonDataSheet({ profile, act, onClose }: PersonDataSheetProps) {
  const t = useTranslations('people.data')
  const title = act === null ? '' : t(`${act}.title`, { name: profile.username })
  return (
    <DialogSheet isOpen={act !== null} onClose={onClose} title={title} dismissible="explicitly">
      {act !== null && <PersonDataForm key={act} profile={profile} act={act} onClose={onClose} />}
    </DialogSheet>
  )
}

async function saveCopy(user_id: number, reason: string): Promise<void> {
  const file = await fetchFile(exportPersonData, { user_id: String(user_id) }, { reason })
  saveFile(`personal-data-${user_id}.json`, file)
}

interface PersonDataFormProps {
  profile: PersonDataSheetProps['profile']
  act: 'copy' | 'erase'
  onClose: () => void
}

function PersonDataForm({ profile, act, onClose }: PersonDataFormProps) {
  const t = useTranslations('people.data')
  const { user_id } = profile
  const proposal = useRequestId(propose)
  const { isBusy, failure, run } = useSend(async (reason: string) => {
    if (act === 'copy') await saveCopy(user_id, reason)
    else await makeChange(proposal, { kind: 'erase_person', payload: { user_id }, reason })
  })
  const send = async (reason: string): Promise<void> => {
    if (!(await run(reason))) return
    showToast('good', t(`${act}.done`))
    onClose()
  }
  return (
    <ReasonForm
      action={t(`${act}.send`)}
      tone={act === 'erase' ? 'bad' : 'plain'}
      isBusy={isBusy}
      failure={failure}
      onSend={(reason) => void send(reason)}
      onCancel={onClose}
    >
      <p>{t(`${act}.text`)}</p>
      {act === 'erase' && <Alert kind="warn">{t('erase.warning')}</Alert>}
    </ReasonForm>
  )
}
