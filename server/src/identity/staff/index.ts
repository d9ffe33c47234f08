export {
  changeAssistantAreas,
  changeOfficeRole,
  changeStaffStatus,
  createAssistant,
  createOfficeUser,
} from './staff-changes.ts'
export { serveStaff } from './staff.routes.ts'
export { lockRole, suspendAssistants } from './staff.service.ts'
