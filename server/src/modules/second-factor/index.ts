export { type FactorReset, removeExpiredChallenges, resetFactors } from './factors.service.ts'
export { serveSecondFactor } from './second-factor.routes.ts'
