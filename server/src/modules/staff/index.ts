export { serveStaff } from './staff.routes.ts'
export {
  changeAssistantAreas,
  changeOfficeRole,
  changeStaffStatus,
  createAssistant,
  createOfficeUser,
  listStaff,
  lockRole,
} from './staff.service.ts'
