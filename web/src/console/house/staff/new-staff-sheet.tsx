import type { Area, OfficeRole } from '@megalot/contract'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { makeOneTimePassword } from '../../changes/one-time-password.ts'
import { hireAssistant, hireOfficeUser } from '../../changes/queries.ts'
import { toRefusal } from '../../../lib/errors/refusal.ts'
import { makeChange } from '../../../lib/api/use-change.ts'
import { useSend } from '../../../lib/forms/use-send.ts'
import { useForm } from '../../../lib/forms/use-form.ts'
import { Button } from '../../../ui/button.tsx'
import { DialogSheet } from '../../../ui/dialog-sheet.tsx'
import { Intro, Stack } from '../../../ui/layout.tsx'
import { TextInput } from '../../../ui/text-input.tsx'
import { AreaChoices, RoleChoice } from './duty-fields.tsx'
import { OneTimePassword, type PasswordPart } from '../../changes/one-time-password-view.tsx'
import { ActionFailure } from './action-failure.tsx'

type Kind = 'assistant' | 'office'

interface NewStaffSheetProps {
  /** Null: closed. */
  kind: Kind | null
  onClose: () => void
}

/** Makes an assistant or an office user; its password for the first log-in is made here and shown once. */
export function NewStaffSheet({ kind, onClose }: NewStaffSheetProps) {
  const t = useTranslations('staff')
  const [made, setMade] = useState<Made | null>(null)
  const close = (): void => {
    setMade(null)
    onClose()
  }
  const title =
    made !== null
      ? t(made.part === 'whole' ? 'password.title' : 'password.half_title')
      : t(kind === 'office' ? 'new_office' : 'new_assistant')
  return (
    <DialogSheet
      isOpen={kind !== null}
      onClose={close}
      title={title}
      dismissible={made === null ? 'explicitly' : 'never'}
    >
      {made !== null && <OneTimePassword {...made} onKept={close} />}
      {made === null && kind !== null && <NewStaffForm key={kind} kind={kind} onMade={setMade} />}
    </DialogSheet>
  )
}

interface Made {
  username: string
  password: string
  part: PasswordPart
}

function findUsernameProblem(username: string): 'username_required' | 'username_form' | null {
  if (username === '') return 'username_required'
  return /^[A-Za-z0-9]{2,255}$/.test(username) ? null : 'username_form'
}

interface NewStaff {
  username: string
  display_name: string
  areas: readonly Area[]
  office_role: OfficeRole
}

const nobody: NewStaff = { username: '', display_name: '', areas: [], office_role: 'support' }

function NewStaffForm({ kind, onMade }: { kind: Kind; onMade: (made: Made) => void }) {
  const t = useTranslations('staff')
  const create = async ({ areas, office_role, ...names }: NewStaff): Promise<void> => {
    const username = names.username.trim()
    const given = { username, display_name: names.display_name.trim() }
    if (kind === 'office') {
      const half = await hireOfficeUser(given, office_role, t('form.grant_reason'))
      return onMade({ username, password: half ?? '', part: 'first_half' })
    }
    const password = makeOneTimePassword()
    await makeChange(hireAssistant, { ...given, password, areas: [...areas] })
    onMade({ username, password, part: 'whole' })
  }
  const action = useSend(create)
  const fields = useForm({
    initial: nobody,
    check: ({ username, display_name, areas }) => {
      const problem = findUsernameProblem(username.trim())
      return {
        username: problem === null ? null : t(`form.problem.${problem}`),
        display_name: display_name.trim() === '' ? t('form.problem.display_name') : null,
        areas: kind === 'assistant' && areas.length === 0 ? t('form.no_areas') : null,
      }
    },
    send: action.run,
  })
  const isTaken = action.error !== null && toRefusal(action.error).code === 'username_taken'
  const username = fields.propsOf('username')
  return (
    <Stack
      noValidate
      as="form"
      gap={14}
      aria-label={t(kind === 'office' ? 'new_office' : 'new_assistant')}
      onSubmit={fields.submit}
    >
      <Intro>{t(kind === 'office' ? 'form.office_text' : 'form.assistant_text')}</Intro>
      <TextInput
        {...username}
        error={username.error ?? (isTaken ? action.failure : null)}
        label={t('username')}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={255}
      />
      <TextInput {...fields.propsOf('display_name')} label={t('display_name')} autoComplete="off" maxLength={100} />
      {kind === 'assistant' ? (
        <AreaChoices
          chosen={fields.values.areas}
          problem={fields.problems.areas}
          onChange={(areas) => fields.change({ areas })}
        />
      ) : (
        <RoleChoice {...fields.propsOf('office_role')} />
      )}
      {!isTaken && <ActionFailure action={action} waits={t('waits.create')} />}
      <Button type="submit" isBusy={action.isBusy}>
        {t('form.submit')}
      </Button>
    </Stack>
  )
}
