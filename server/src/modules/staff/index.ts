export { serveStaff } from './staff.routes.ts'
export {
  changeAssistantAreas,
  changeOfficeRole,
  changeStaffStatus,
  createAssistant,
  createOfficeUser,
  listStaff,
} from './staff.service.ts'
