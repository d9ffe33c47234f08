export {
  changeAssistantAreas,
  changeStaffStatus,
  createAssistant,
  createOfficeUser,
  endStaffSessions,
  resetAssistantPassword,
} from './staff-changes.ts'
export { changeOfficeRole, resetPassword } from './role-changes.ts'
export { serveStaff } from './staff.routes.ts'
export { suspendAssistants } from './staff.service.ts'
