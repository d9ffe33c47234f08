import type { PersonProfile } from '@megalot/contract'
import { exportPersonData, proposeApproval } from '@megalot/contract/browser'
import { useTranslations } from 'use-intl'
import { fetchFile } from '../../lib/api/fetch-file.ts'
import { callRoute } from '../../lib/api/http-client.ts'
import { withRefresh } from '../../lib/api/with-refresh.ts'
import { randomUuid } from '../../lib/device/random-uuid.ts'
import { saveFile } from '../../lib/device/save-file.ts'
import { showToast } from '../../lib/feedback/toast.ts'
import { useAction } from '../../lib/forms/use-action.ts'
import { Alert } from '../../ui/alert.tsx'
import { DialogSheet } from '../../ui/dialog-sheet.tsx'
import { ReasonForm } from '../../ui/reason-form.tsx'

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
  const { isBusy, failure, run } = useAction()
  const send = async (reason: string): Promise<void> => {
    await (act === 'copy' ? saveCopy : proposeErasing)(profile, reason)
    showToast('good', t(`${act}.done`))
    onClose()
  }
  return (
    <ReasonForm
      action={t(`${act}.send`)}
      tone={act === 'erase' ? 'bad' : 'plain'}
      isBusy={isBusy}
      failure={failure}
      onSend={(reason) => void run(() => send(reason))}
      onCancel={onClose}
    >
      <p>{t(`${act}.text`)}</p>
      {act === 'erase' && <Alert kind="warn">{t('erase.warning')}</Alert>}
    </ReasonForm>
  )
}
