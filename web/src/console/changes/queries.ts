import type { BodyOf, OfficeRole, StaffUser, Rows } from '@megalot/contract'
import {
  changeAssistantAreas,
  changeOfficeRole,
  changeStaffStatus,
  createAssistant,
  createOfficeUser,
  listStaff,
  proposeApproval,
  resetAssistantPassword,
} from '@megalot/contract/browser'
import { queryOptions } from '@tanstack/react-query'
import { callRoute } from '../../lib/api/http-client.ts'
import { queryKeys } from '../../lib/api/query-keys.ts'
import { withRefresh } from '../../lib/api/with-refresh.ts'
import { randomUuid } from '../../lib/device/random-uuid.ts'

export const staffQuery = queryOptions({
  queryKey: queryKeys.staff.all,
  queryFn: async ({ signal }) => (await callRoute(listStaff, { signal })).data,
})

function changeStaff(send: () => Promise<{ data: StaffUser }>): Promise<StaffUser> {
  return withRefresh('staff_changed', async () => (await send()).data, { isAwaited: true })
}

export function hireAssistant(body: BodyOf<Rows['createAssistant']>): Promise<StaffUser> {
  return changeStaff(() => callRoute(createAssistant, { body }))
}

/**
 * Makes an office user without a role, and proposes its role to a second person.
 * @returns the caller's half of its one-time password
 */
export async function hireOfficeUser(
  body: BodyOf<Rows['createOfficeUser']>,
  office_role: OfficeRole,
  reason: string,
): Promise<string | null> {
  const { user_id } = await changeStaff(() => callRoute(createOfficeUser, { body }))
  return proposeOfStaff({ kind: 'change_office_role', payload: { user_id, office_role } }, reason)
}

type StaffProposal = DistributivePick<
  Extract<BodyOf<Rows['proposeApproval']>, { kind: 'change_office_role' | 'reset_password' | 'reset_factors' }>,
  'kind' | 'payload'
>
type DistributivePick<Union, Key extends keyof Union> = Union extends unknown ? Pick<Union, Key> : never

/** Proposes what takes two people. @returns the caller's half of a one-time password; null where none is given */
export async function proposeOfStaff(proposal: StaffProposal, reason: string): Promise<string | null> {
  return withRefresh(
    'approval_decided',
    async () =>
      (await callRoute(proposeApproval, { body: { ...proposal, request_id: randomUuid(), reason } })).data
        .password_half,
  )
}

const paramsOf = (user_id: number) => ({ user_id: String(user_id) })

export function saveAreas(user_id: number, body: BodyOf<Rows['changeAssistantAreas']>): Promise<StaffUser> {
  return changeStaff(() => callRoute(changeAssistantAreas, { params: paramsOf(user_id), body }))
}

export function saveRole(user_id: number, body: BodyOf<Rows['changeOfficeRole']>): Promise<StaffUser> {
  return changeStaff(() => callRoute(changeOfficeRole, { params: paramsOf(user_id), body }))
}

export function saveStaffStatus(user_id: number, body: BodyOf<Rows['changeStaffStatus']>): Promise<StaffUser> {
  return changeStaff(() => callRoute(changeStaffStatus, { params: paramsOf(user_id), body }))
}

export function saveOneTimePassword(user_id: number, body: BodyOf<Rows['resetAssistantPassword']>): Promise<StaffUser> {
  return changeStaff(() => callRoute(resetAssistantPassword, { params: paramsOf(user_id), body }))
}
