export { serveSignals } from './signals.routes.ts'
