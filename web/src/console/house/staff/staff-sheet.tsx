import type { Area, OfficeRole, StaffUser } from '@megalot/contract'
import { listGained } from '@megalot/contract/browser'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { randomUuid } from '../../../lib/device/random-uuid.ts'
import { makeChange } from '../../../lib/api/use-change.ts'
import { endSessionsOf } from '../../../shared/sessions/queries.ts'
import { makeOneTimePassword } from '../../changes/one-time-password.ts'
import { propose, saveAreas, saveOneTimePassword, saveRole, saveStaffStatus } from '../../changes/queries.ts'
import { formatInstant } from '../../../lib/format/dates.ts'
import { showToast } from '../../../lib/feedback/toast.ts'
import { useUser } from '../../../lib/user/user-query.ts'
import { useReasonCheck } from '../../../lib/forms/reason.ts'
import { useForm } from '../../../lib/forms/use-form.ts'
import { useSend } from '../../../lib/forms/use-send.ts'
import { Button } from '../../../ui/button.tsx'
import { ReasonField } from '../../../ui/reason-field.tsx'
import { DialogSheet } from '../../../ui/dialog-sheet.tsx'
import { Facts, Intro, Links, Row, Stack } from '../../../ui/layout.tsx'
import { permissionsOf } from '../../menu.ts'
import { AreaChoices, RoleChoice } from './duty-fields.tsx'
import { OneTimePassword, type PasswordPart } from '../../changes/one-time-password-view.tsx'
import { ActionFailure } from './action-failure.tsx'
import { useDutyOf } from './use-duty-of.ts'

/** An office user or assistant with the caller's actions; null if closed. */
export function StaffSheet({ staff, onClose }: { staff: StaffUser | null; onClose: () => void }) {
  return (
    <DialogSheet isOpen={staff !== null} onClose={onClose} title={staff?.username ?? ''} dismissible="explicitly">
      {staff !== null && <Staff key={staff.user_id} staff={staff} onClose={onClose} />}
    </DialogSheet>
  )
}

type StaffAction =
  | 'areas'
  | 'role'
  | 'suspend'
  | 'restore'
  | 'password'
  | 'reset_password'
  | 'reset_factors'
  | 'end_sessions'

/** The caller's actions on a user. The server refuses all others. */
function listActions(staff: StaffUser, self: ReturnType<typeof useUser>): readonly StaffAction[] {
  if (!permissionsOf(self).has('staff.do')) return []
  const isSelf = staff.user_id === self.user_id
  const isAssistant = staff.office_role === null
  const principal_id = self.principal?.user_id ?? self.user_id
  const isOwnAssistant = staff.principal?.user_id === principal_id
  const actions: readonly (readonly [StaffAction, boolean])[] = [
    ['areas', isAssistant && !isSelf],
    ['role', !isAssistant],
    ['password', isOwnAssistant && !isSelf],
    ['reset_password', !isAssistant && !isSelf],
    ['reset_factors', self.is_office && !isSelf && !isOwnAssistant && staff.user_id !== principal_id],
    ['end_sessions', staff.has_session && !isSelf],
    ['suspend', staff.own_status === 'NORMAL' && !isSelf && staff.user_id !== principal_id],
    ['restore', staff.own_status !== 'NORMAL' && !isSelf && (!isAssistant || isOwnAssistant)],
  ]
  return actions.filter(([, isPossible]) => isPossible).map(([action]) => action)
}

function Staff({ staff, onClose }: { staff: StaffUser; onClose: () => void }) {
  const t = useTranslations('staff')
  const [action, setAction] = useState<StaffAction | null>(null)
  const [given, setGiven] = useState<{ password: string; part: PasswordPart } | null>(null)
  const self = useUser()
  if (given !== null) return <OneTimePassword username={staff.username} {...given} onKept={onClose} />
  const finish = (isProposed = false): void => {
    showToast('good', t(isProposed ? 'proposed' : 'done'))
    setAction(null)
  }
  if (action !== null)
    return (
      <ActionForm
        action={action}
        staff={staff}
        onDone={finish}
        onPassword={(password, part) => setGiven({ password, part })}
        onBack={() => setAction(null)}
      />
    )
  return (
    <>
      <StaffFacts staff={staff} />
      <Row gap={8}>
        {listActions(staff, self).map((name) => (
          <Button
            key={name}
            variant="default"
            tone={name === 'suspend' ? 'bad' : 'plain'}
            onClick={() => setAction(name)}
          >
            {t(`action.${name}`)}
          </Button>
        ))}
      </Row>
      {staff.office_role !== null && <Intro above={12}>{t('text.mail')}</Intro>}
      {permissionsOf(self).has('audit.view') && (
        <Links as="nav" gap={[4, 20]} aria-label={t('action.audit')}>
          <Link to="/audit" search={{ actor: staff.username }}>
            {t('action.audit')}
          </Link>
        </Links>
      )}
    </>
  )
}

function StaffFacts({ staff }: { staff: StaffUser }) {
  const t = useTranslations('staff')
  const ofUser = useTranslations('user')
  const language = useLocale()
  const dutyOf = useDutyOf()
  const { principal, last_log_in_at } = staff
  const facts = [
    [t('display_name'), staff.display_name || '–'],
    [t(staff.office_role === null ? 'areas' : 'kind'), dutyOf(staff)],
    ...(principal === null ? [] : [[t('principal'), principal.username] as const]),
    [t('status'), ofUser(`status.${staff.status}`)],
    [t('last_log_in_at'), last_log_in_at === null ? t('never') : formatInstant(last_log_in_at, language, 'dayAndTime')],
    [t('session'), t(staff.has_session ? 'online' : 'offline')],
  ] as const
  return <Facts facts={facts} below={12} />
}

/** Grants that need a second person: more permissions than now, and another role for an owner. */
function needsTwo({ office_role: present }: StaffUser, office_role: OfficeRole): boolean {
  if (present === null) return false
  return listGained(present, office_role).length > 0 || (present === 'owner' && office_role !== 'owner')
}

/** Actions whose outcome is not just that they are done. */
const saysItself: ReadonlySet<StaffAction> = new Set(['password', 'role', 'reset_password', 'reset_factors'])

type StaffProposal =
  | { kind: 'change_office_role'; payload: { user_id: number; office_role: OfficeRole }; reason: string }
  | { kind: 'reset_password' | 'reset_factors'; payload: { user_id: number }; reason: string }

interface ActionFormProps {
  action: StaffAction
  staff: StaffUser
  onDone: (isProposed?: boolean) => void
  /** The new password or a half of it, to be shown once. */
  onPassword: (password: string, part: PasswordPart) => void
  onBack: () => void
}

interface ActionValues {
  areas: readonly Area[]
  office_role: OfficeRole
  reason: string
}

/** Says what an action leads to, and asks for the reason. */
function ActionForm({ action, staff, onDone, onPassword, onBack }: ActionFormProps) {
  const t = useTranslations('staff')
  const back = useTranslations('common.action')('back')
  const checkReason = useReasonCheck()
  const { user_id, username } = staff
  const proposeOfStaff = async (proposal: StaffProposal): Promise<void> => {
    const { password_half } = await makeChange(propose, { ...proposal, request_id: randomUuid() })
    if (password_half === null) onDone(true)
    else onPassword(password_half, 'first_half')
  }
  const work: Readonly<Record<StaffAction, (values: ActionValues) => Promise<unknown>>> = {
    areas: ({ areas, reason }) => makeChange(saveAreas, { user_id, areas: [...areas], reason }),
    role: async ({ office_role, reason }) => {
      if (needsTwo(staff, office_role))
        await proposeOfStaff({ kind: 'change_office_role', payload: { user_id, office_role }, reason })
      else {
        await makeChange(saveRole, { user_id, office_role, reason })
        onDone()
      }
    },
    reset_password: ({ reason }) => proposeOfStaff({ kind: 'reset_password', payload: { user_id }, reason }),
    reset_factors: ({ reason }) => proposeOfStaff({ kind: 'reset_factors', payload: { user_id }, reason }),
    suspend: ({ reason }) => makeChange(saveStaffStatus, { user_id, own_status: 'SUSPENDED', reason }),
    restore: ({ reason }) => makeChange(saveStaffStatus, { user_id, own_status: 'NORMAL', reason }),
    end_sessions: ({ reason }) => makeChange(endSessionsOf, { scope: 'staff', user_id, reason }),
    password: async ({ reason }) => {
      const password = makeOneTimePassword()
      await makeChange(saveOneTimePassword, { user_id, password, reason })
      onPassword(password, 'whole')
    },
  }
  const sending = useSend(work[action])
  const fields = useForm<ActionValues>({
    initial: { areas: staff.areas ?? [], office_role: staff.office_role ?? 'support', reason: '' },
    check: ({ areas, reason }) => ({
      areas: action === 'areas' && areas.length === 0 ? t('form.no_areas') : null,
      reason: checkReason(reason),
    }),
    send: async (values) => {
      const isDone = await sending.run({ ...values, reason: values.reason.trim() })
      if (isDone && !saysItself.has(action)) onDone()
    },
  })
  const title = t(`action.${action}`)
  return (
    <Stack noValidate as="form" gap={14} aria-label={title} onSubmit={fields.submit}>
      <h3>{title}</h3>
      <Intro>{t(`text.${action}`, { username })}</Intro>
      {action === 'areas' && (
        <AreaChoices
          chosen={fields.values.areas}
          kept={staff.areas ?? []}
          problem={fields.problems.areas}
          onChange={(areas) => fields.change({ areas })}
        />
      )}
      {action === 'role' && <RoleChoice {...fields.propsOf('office_role')} />}
      <ReasonField {...fields.propsOf('reason')} />
      <ActionFailure action={sending} />
      <Row gap={8}>
        <Button type="submit" tone={action === 'suspend' ? 'bad' : 'plain'} isBusy={sending.isBusy}>
          {title}
        </Button>
        <Button variant="default" onClick={onBack}>
          {back}
        </Button>
      </Row>
    </Stack>
  )
}
