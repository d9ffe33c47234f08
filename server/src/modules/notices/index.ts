export { serveNotices } from './notices.routes.ts'
export { addCorrectionNotice, addVoidNotice, getReadUpTo, listNotices, readUpTo } from './notices.service.ts'
