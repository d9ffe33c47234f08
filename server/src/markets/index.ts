export { changeCancelRules, getCancelRules } from './cancel-rules.service.ts'
export { catalogue, cataloguePackages, maxSatangOf, MIN_SATANG } from './catalogue.ts'
export { LISTED_UNTIL, loadExchangeData, readExchangeData } from './exchange-data.ts'
export { type ExchangeSession } from './exchange-session.ts'
export { switchOn, switchProduct } from './market-switch.service.ts'
export { serveMarkets } from './markets.routes.ts'
export { listPackages, listPlannedDays, listProductPeriods, makePeriods } from './markets.service.ts'
export { boundCommission, findHighestReturn } from './highest-return.service.ts'
export { lockOfPackage, lockOfPeriods, lockOfPeriodsToBet, marketLocks } from './locks.ts'
export {
  listOfferedTerms,
  NOTHING_OFFERED,
  type OfferedTerms,
  type PackageTerms,
  rateKey,
  termsKey,
} from './package-terms.ts'
export {
  changeGameConfig,
  giveCompanyPackages,
  givePackagesOf,
  listGameConfigs,
  packageSubject,
} from './packages.service.ts'
export {
  closeNow,
  findPeriod,
  findSharedPeriod,
  getPeriodById,
  getPeriodRecord,
  recordClosedPeriods,
  lockPeriod,
  listPeriodRecords,
  listPeriodsToBet,
  periodColumns,
  type PeriodRecord,
  setOutcome,
  shareStandingRules,
  lockPeriodShared,
  toPeriod,
} from './periods.ts'
export { closePeriod, createPeriod, movePeriod, postponePeriod } from './period-changes.ts'
export { getProduct, listProducts } from './products.ts'
export { seedMarkets } from './seed-markets.ts'
export { listPeriodsOfDays, makePeriodCode, type PlannedPeriod } from './timetable.ts'
export {
  changeTimetable,
  listExchangeHorizons,
  listMarketTimetables,
  setDrawDay,
  setHoliday,
} from './timetables.service.ts'
export { findProductTimetables, type ProductTimetables } from './timetables.store.ts'
export { givePackages, listUserPackages, refuseTooManyPackages, takePackages } from './user-packages.service.ts'
export { listUnlimitedBetTypes } from './markets.store.ts'
