export { exportOwnData, exportPersonData } from './export.service.ts'
export { servePersonalData } from './personal-data.routes.ts'
