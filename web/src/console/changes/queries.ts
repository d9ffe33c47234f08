import type { BodyOf, DataOf, OfficeRole, StaffUser, Rows } from '@megalot/contract'
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
import { makeChange } from '../../lib/api/use-change.ts'
import type { Change } from '../../lib/api/use-change.ts'
import { randomUuid } from '../../lib/device/random-uuid.ts'

export const staffQuery = queryOptions({
  queryKey: queryKeys.staff.all,
  queryFn: async ({ signal }) => (await callRoute(listStaff, { signal })).data,
})

/** Proposes what needs a second approval. The result may hold the proposer's half of a one-time password. */
export const propose: Change<BodyOf<Rows['proposeApproval']>, DataOf<Rows['proposeApproval']>> = {
  changes: 'approval_decided',
  send: async (body) => (await callRoute(proposeApproval, { body })).data,
}

const ofStaff = { changes: 'staff_changed', waits: true } as const

export const hireAssistant: Change<BodyOf<Rows['createAssistant']>> = {
  ...ofStaff,
  send: (body) => callRoute(createAssistant, { body }),
}

const makeOfficeUser: Change<BodyOf<Rows['createOfficeUser']>, StaffUser> = {
  ...ofStaff,
  send: async (body) => (await callRoute(createOfficeUser, { body })).data,
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
  const { user_id } = await makeChange(makeOfficeUser, body)
  const payload = { user_id, office_role }
  const request_id = randomUuid()
  return (await makeChange(propose, { kind: 'change_office_role', payload, request_id, reason })).password_half
}

const paramsOf = (user_id: number) => ({ user_id: String(user_id) })

export const saveAreas: Change<{ user_id: number } & BodyOf<Rows['changeAssistantAreas']>> = {
  ...ofStaff,
  send: ({ user_id, ...body }) => callRoute(changeAssistantAreas, { params: paramsOf(user_id), body }),
}

export const saveRole: Change<{ user_id: number } & BodyOf<Rows['changeOfficeRole']>> = {
  ...ofStaff,
  send: ({ user_id, ...body }) => callRoute(changeOfficeRole, { params: paramsOf(user_id), body }),
}

export const saveStaffStatus: Change<{ user_id: number } & BodyOf<Rows['changeStaffStatus']>> = {
  ...ofStaff,
  send: ({ user_id, ...body }) => callRoute(changeStaffStatus, { params: paramsOf(user_id), body }),
}

export const saveOneTimePassword: Change<{ user_id: number } & BodyOf<Rows['resetAssistantPassword']>> = {
  ...ofStaff,
  send: ({ user_id, ...body }) => callRoute(resetAssistantPassword, { params: paramsOf(user_id), body }),
}
