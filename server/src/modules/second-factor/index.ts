export type { FactorSettings } from './factor-settings.ts'
export {
  endEveryChallenge,
  endEveryRecoveryCode,
  type FactorReset,
  lockFactors,
  removeExpiredChallenges,
  resetFactors,
} from './factors.service.ts'
export { serveSecondFactor } from './second-factor.routes.ts'
export { verifyFactorCode } from './verification.service.ts'
