// Every change that a person makes, by room.

import { repairTicket, voidOrder } from './betting/index.ts'
import { setPlayLimit, takeBreak } from './betting/play-limits/index.ts'
import { changeCreditLimit, changeUserStatus } from './identity/accounts/index.ts'
import {
  changeContact,
  changeContactNote,
  changeCreditLimits,
  changeDisplayNames,
  changePackages,
  changeShareTerms,
  changeStatuses,
  createAgentCode,
  createPerson,
  endPeopleSessions,
  resetPasswords,
  switchAgentCode,
} from './identity/people/index.ts'
import { shareView } from './identity/saved-views/index.ts'
import { erasePerson, exportOwnData, exportPersonData } from './identity/personal-data/index.ts'
import { resetFactors } from './identity/second-factor/index.ts'
import { endDownlineSessions } from './identity/sessions/index.ts'
import { inviteOwner } from './identity/setup/index.ts'
import {
  changeAssistantAreas,
  changeOfficeRole,
  changeStaffStatus,
  createAssistant,
  createOfficeUser,
  endStaffSessions,
  resetAssistantPassword,
  resetPassword,
} from './identity/staff/index.ts'
import {
  createAnnouncement,
  deleteAnnouncement,
  enableAnnouncement,
  updateAnnouncement,
} from './markets/announcements/index.ts'
import {
  changeCancelRules,
  changeGameConfig,
  changeTimetable,
  closePeriod,
  createPeriod,
  givePackages,
  movePeriod,
  postponePeriod,
  setDrawDay,
  setHoliday,
  switchProduct,
  takePackages,
} from './markets/index.ts'
import { setMaintenance } from './markets/maintenance/index.ts'
import {
  openMarkets,
  setLimitNumber,
  setLimitRule,
  setPackageQuota,
  setPeriodQuota,
  setQuota,
  undoLimitRule,
} from './markets/quotas/index.ts'
import {
  addPaymentSlip,
  adjustBalance,
  answerDispute,
  changeClearing,
  countCash,
  disputePayment,
  handOverCash,
  recordPayment,
  recordPayments,
  reversePayment,
  setEdgeTerms,
} from './money/index.ts'
import { voidPeriod } from './results/index.ts'

export const changes = {
  // People
  createPerson,
  changeUserStatus,
  changeStatuses,
  changeCreditLimit,
  changeCreditLimits,
  changeShareTerms,
  changeDisplayNames,
  shareView,
  changeContact,
  changeContactNote,
  resetPasswords,
  endDownlineSessions,
  endPeopleSessions,
  createAgentCode,
  switchAgentCode,
  givePackages,
  takePackages,
  changePackages,
  setPlayLimit,
  takeBreak,
  exportOwnData,
  exportPersonData,
  erasePerson,
  // Staff
  createAssistant,
  createOfficeUser,
  inviteOwner,
  changeAssistantAreas,
  changeOfficeRole,
  changeStaffStatus,
  resetAssistantPassword,
  endStaffSessions,
  resetPassword,
  resetFactors,
  // Markets
  switchProduct,
  changeGameConfig,
  changeCancelRules,
  createPeriod,
  closePeriod,
  movePeriod,
  postponePeriod,
  voidPeriod,
  changeTimetable,
  setDrawDay,
  setHoliday,
  setMaintenance,
  createAnnouncement,
  enableAnnouncement,
  updateAnnouncement,
  deleteAnnouncement,
  // Limits
  openMarkets,
  setQuota,
  setPeriodQuota,
  setPackageQuota,
  setLimitNumber,
  setLimitRule,
  undoLimitRule,
  // Money
  recordPayments,
  recordPayment,
  adjustBalance,
  reversePayment,
  addPaymentSlip,
  disputePayment,
  answerDispute,
  setEdgeTerms,
  countCash,
  handOverCash,
  changeClearing,
  // Tickets
  repairTicket,
  voidOrder,
} as const
