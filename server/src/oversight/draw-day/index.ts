export { serveDrawDay } from './draw-day.routes.ts'
