export { isSameResult } from './award-results.ts'
export { serveAwards } from './awards.routes.ts'
export { enterAward, listWaitingAwards, resetAward } from './awards.service.ts'
export { correctAward } from './corrections.service.ts'
export { listOwnWins } from './past-results.service.ts'
export {
  endEveryPeriodVoidRequest,
  listPeriodVoids,
  listWaitingPeriodVoids,
  refundPeriod,
  refundVoidedPeriods,
  voidPeriod,
} from './period-void.service.ts'
export { indexClosedPeriods } from './slot-index.ts'
export { settleDuePeriods, settlePeriod } from './settlement.service.ts'
