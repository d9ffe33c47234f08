import {
  changeAssistantAreas,
  changeOfficeRole,
  changeStaffStatus,
  createAssistant,
  createOfficeUser,
  listStaff,
  proposeApproval,
  resetAssistantPassword,
} from '@megalot/contract'
import type { BodyOf, OfficeRole, StaffUser } from '@megalot/contract'
import { queryOptions } from '@tanstack/react-query'
import { callRoute } from '../../lib/api/http-client.ts'
import { queryKeys } from '../../lib/api/query-keys.ts'
import { refreshAfter } from '../../lib/api/refresh.ts'
import { randomUuid } from '../../lib/device/random-uuid.ts'

export const staffQuery = queryOptions({
  queryKey: queryKeys.staff.all,
  queryFn: async ({ signal }) => (await callRoute(listStaff, { signal })).data,
})

async function refreshed(change: Promise<{ data: StaffUser }>): Promise<StaffUser> {
  try {
    return (await change).data
  } finally {
    await refreshAfter('staff_changed')
  }
}

export function hireAssistant(body: BodyOf<typeof createAssistant>): Promise<StaffUser> {
  return refreshed(callRoute(createAssistant, { body }))
}

/** Makes an office user without a role, and proposes its role to a second person. */
export async function hireOfficeUser(
  body: BodyOf<typeof createOfficeUser>,
  office_role: OfficeRole,
  reason: string,
): Promise<StaffUser> {
  const user = await refreshed(callRoute(createOfficeUser, { body }))
  if (office_role === 'none') return user
  const payload = { user_id: user.user_id, office_role }
  await callRoute(proposeApproval, { body: { kind: 'grant_role', payload, request_id: randomUuid(), reason } })
  void refreshAfter('approval_decided')
  return user
}

const paramsOf = (user_id: number) => ({ user_id: String(user_id) })

export function saveAreas(user_id: number, body: BodyOf<typeof changeAssistantAreas>): Promise<StaffUser> {
  return refreshed(callRoute(changeAssistantAreas, { params: paramsOf(user_id), body }))
}

export function saveRole(user_id: number, body: BodyOf<typeof changeOfficeRole>): Promise<StaffUser> {
  return refreshed(callRoute(changeOfficeRole, { params: paramsOf(user_id), body }))
}

export function saveStaffStatus(user_id: number, body: BodyOf<typeof changeStaffStatus>): Promise<StaffUser> {
  return refreshed(callRoute(changeStaffStatus, { params: paramsOf(user_id), body }))
}

export function saveOneTimePassword(user_id: number, body: BodyOf<typeof resetAssistantPassword>): Promise<StaffUser> {
  return refreshed(callRoute(resetAssistantPassword, { params: paramsOf(user_id), body }))
}
