// Staff: office users of the company, and assistants.

import * as z from 'zod/mini'
import * as calls from '../calls/staff.ts'
import { defineRoute } from '../route.ts'
import {
  area,
  displayName,
  instant,
  officeRole,
  password,
  pathId,
  permission,
  reason,
  user,
  username,
  userStatus,
} from '../wire.ts'

export const staffUser = z.strictObject({
  user_id: z.int(),
  username: z.string(),
  display_name: z.string(),
  /** The role of an office user; null for an assistant. */
  office_role: z.nullable(officeRole),
  /** The assistant's principal; null for an office user. */
  principal: user.shape.principal,
  /** The areas that the principal gave the assistant; null for an office user. */
  areas: z.nullable(z.array(area)),
  /** Current permissions. An assistant never has more than its principal. */
  permissions: z.array(permission),
  /** The status set on this user; `status` is the strictest of it, its principal's and its uplines'. */
  own_status: userStatus,
  status: userStatus,
  created_at: instant,
  /** Null if never. */
  last_log_in_at: z.nullable(instant),
  /** Whether the user has an open session. */
  has_session: z.boolean(),
})
export type StaffUser = z.output<typeof staffUser>

export const listStaff = defineRoute({
  ...calls.listStaff,
  access: 'console',
  needs: 'staff.view',
  summary: "The caller's assistants; for the office all office users and their assistants",
  reply: z.array(staffUser),
})

const newOfficeUser = { username, display_name: displayName }
const newStaff = { ...newOfficeUser, password }
const grantedAreas = z.array(area).check(z.minLength(1), z.maxLength(20))

export const createAssistant = defineRoute({
  ...calls.createAssistant,
  access: 'console',
  needs: 'staff.do',
  step_up: true,
  summary: "Makes a user who acts for the caller's principal, with some of the caller's own areas",
  body: z.strictObject({ ...newStaff, areas: grantedAreas }),
  reply: staffUser,
})

export const createOfficeUser = defineRoute({
  ...calls.createOfficeUser,
  access: 'office',
  needs: 'staff.do',
  step_up: true,
  summary:
    'Makes an office user without a role (`none`) and without a password. Two people grant the role (`change_office_role`) and give a half of the password each',
  body: z.strictObject(newOfficeUser),
  reply: staffUser,
})

export const changeAssistantAreas = defineRoute({
  ...calls.changeAssistantAreas,
  access: 'console',
  needs: 'staff.do',
  step_up: true,
  summary: 'Sets the areas of an assistant, from its next call on; none that the caller has not',
  params: z.strictObject({ user_id: pathId }),
  body: z.strictObject({ areas: grantedAreas, reason }),
  reply: staffUser,
})

export const changeOfficeRole = defineRoute({
  ...calls.changeOfficeRole,
  access: 'office',
  needs: 'staff.do',
  step_up: true,
  summary:
    'Sets the role of an office user, from its next call on; the last owner keeps its role. A role that may view or do more than the present one is granted by two people, and so is any other role of an owner (approval_needed)',
  params: z.strictObject({ user_id: pathId }),
  body: z.strictObject({ office_role: officeRole, reason }),
  reply: staffUser,
})

export const changeStaffStatus = defineRoute({
  ...calls.changeStaffStatus,
  access: 'console',
  needs: 'staff.do',
  step_up: true,
  summary:
    'Suspends an office user or an assistant, or lifts it; a suspension ends its sessions and those of its assistants. An owner is not suspended: two people take its role (approval_needed)',
  params: z.strictObject({ user_id: pathId }),
  body: z.strictObject({ own_status: z.enum(['NORMAL', 'SUSPENDED']), reason }),
  reply: staffUser,
})

export const resetAssistantPassword = defineRoute({
  ...calls.resetAssistantPassword,
  access: 'console',
  needs: 'staff.do',
  step_up: true,
  summary:
    "Gives an assistant of the caller's principal a password for one log-in, and ends its sessions. That of an office user is reset by two people (`reset_password`)",
  params: z.strictObject({ user_id: pathId }),
  body: z.strictObject({ password, reason }),
  reply: staffUser,
})

export const endStaffSessions = defineRoute({
  ...calls.endStaffSessions,
  access: 'console',
  needs: 'staff.do',
  summary: 'Ends the sessions of an office user or an assistant, who may log in again',
  params: z.strictObject({ user_id: pathId }),
  body: z.strictObject({ reason }),
  reply: staffUser,
})
