export { serveBook } from './book.routes.ts'
export { followExposure } from './follow.service.ts'
export { type BookFollower, startExposureFollower } from './follower.ts'
export { readSealedCost } from './sealed-cost.ts'
export {
  rebuildExposure,
  requireReconciledExposure,
  reconcileExposure,
  reconcileClosedPeriods,
} from './seal.service.ts'
export { createWorstCases, type WorstCases } from './worst-cases.ts'
