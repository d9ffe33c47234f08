import {
  changeAssistantAreas,
  changeOfficeRole,
  changeStaffStatus,
  createAssistant,
  createOfficeUser,
  listStaff,
  resetAssistantPassword,
} from '@megalot/contract'
import type { BodyOf, StaffUser } from '@megalot/contract'
import { queryOptions } from '@tanstack/react-query'
import { callRoute } from '../../lib/api/http-client.ts'
import { queryKeys } from '../../lib/api/query-keys.ts'
import { refreshAfter } from '../../lib/api/refresh.ts'

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

export function hireOfficeUser(body: BodyOf<typeof createOfficeUser>): Promise<StaffUser> {
  return refreshed(callRoute(createOfficeUser, { body }))
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
