export { serveVitals } from './vitals.routes.ts'
