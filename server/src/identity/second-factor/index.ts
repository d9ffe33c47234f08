export type { FactorSettings } from './factor-settings.ts'
export {
  endEveryChallenge,
  endEveryRecoveryCode,
  lockFactors,
  removeExpiredChallenges,
  resetFactors,
} from './factors.service.ts'
export { serveSecondFactor } from './second-factor.routes.ts'
export { verifyFactorCode } from './verification.service.ts'
