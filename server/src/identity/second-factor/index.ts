export type { FactorSettings } from './factor-settings.ts'
export {
  dropFactors,
  endEveryChallenge,
  endEveryRecoveryCode,
  removeExpiredChallenges,
  resetFactors,
} from './factors.service.ts'
export { serveSecondFactor } from './second-factor.routes.ts'
export { verifyFactorCode } from './verification.service.ts'
