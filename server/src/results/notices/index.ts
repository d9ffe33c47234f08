export { serveNotices } from './notices.routes.ts'
export {
  addCorrectionNotice,
  addPostponementNotice,
  addVoidNotice,
  getReadUpTo,
  listNotices,
  readUpTo,
} from './notices.service.ts'
