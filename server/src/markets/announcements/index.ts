export {
  createAnnouncement,
  deleteAnnouncement,
  enableAnnouncement,
  updateAnnouncement,
} from './announcement-changes.ts'
export { serveAnnouncements } from './announcements.routes.ts'
