export { endAllAccess, type EndedAccess } from './restored-access.service.ts'
