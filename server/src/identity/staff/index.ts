export { serveStaff } from './staff.routes.ts'
export {
  changeOfficeRole,
  createAssistant,
  createOfficeUser,
  lockRole,
  type NewOfficeUser,
  type NewStaff,
  type StaffActor,
  suspendAssistants,
} from './staff.service.ts'
