export { serveAnnouncements } from './announcements.routes.ts'
