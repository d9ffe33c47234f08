export { serveStaff } from './staff.routes.ts'
export {
  changeAssistantAreas,
  changeOfficeRole,
  changeStaffStatus,
  createAssistant,
  createOfficeUser,
  listStaff,
  lockRole,
  type NewOfficeUser,
  type NewStaff,
  type StaffActor,
  suspendAssistants,
} from './staff.service.ts'
