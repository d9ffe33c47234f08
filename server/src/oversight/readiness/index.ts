export { runChecks } from './checks.ts'
export { serveReadiness } from './readiness.routes.ts'
