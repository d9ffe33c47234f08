export { erasePerson } from './erase-person.ts'
export { exportOwnData, exportPersonData } from './export.service.ts'
export { removeOldPersonalData } from './retention.service.ts'
export { servePersonalData } from './personal-data.routes.ts'
