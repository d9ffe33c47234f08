export { serveNotices } from './notices.routes.ts'
export { addCorrectionNotice, addVoidNotice, listNotices } from './notices.service.ts'
