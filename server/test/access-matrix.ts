// Who may do what, in one table: every route of the contract has its row here, or the server does not type-check.
// `access-matrix.test.ts` tries every row with every caller on everybody's records; the routes themselves are not
// consulted.

import type * as contract from '@megalot/contract'

type Contract = typeof contract

/** The names of all routes of the contract. */
export type RouteName = {
  [Name in keyof Contract]: Contract[Name] extends contract.Route ? Name : never
}[keyof Contract]

/**
 * Who calls: a caller without a session; a member and its agent; the company; an office user of the company. Levels
 * between agent and company relate to those below them as the company does.
 */
export const roles = ['anonymous', 'member', 'agent', 'company', 'office'] as const
export type Role = (typeof roles)[number]

/**
 * The owner of a record, seen from the caller: oneself; a user directly below, or further below; a user above; another
 * child of one's own parent; an office user; the company itself, and any user, for the office; any other user.
 */
export type Relation =
  | 'own'
  | 'child'
  | 'below'
  | 'above'
  | 'sibling'
  | 'colleague'
  | 'company'
  | 'anybody'
  | 'stranger'

/**
 * Whose records each role may access. An absent role is refused; one with an empty list is admitted, and sees nothing.
 */
export type Reach = Partial<Record<Role, readonly Relation[]>>

export type AccessRow =
  /** A call that names nobody's record: these roles are admitted. */
  | { lets_in: readonly Role[] }
  /**
   * A call on somebody's record: on others' it is refused, and records without access look as if they did not exist.
   */
  | { on: 'ticket' | 'user'; reach: Reach }
  /** A list that contains the records of these people and of nobody else. */
  | { lists: 'tickets' | 'users'; reach: Reach }

const anyone: AccessRow = { lets_in: roles }
const signedIn: AccessRow = { lets_in: ['member', 'agent', 'company', 'office'] }
const bettors: AccessRow = { lets_in: ['member'] }
const consoleUsers: AccessRow = { lets_in: ['agent', 'company', 'office'] }
const companyOnly: AccessRow = { lets_in: ['company', 'office'] }
const officeOnly: AccessRow = { lets_in: ['office'] }

/** Tickets belong to members; uplines see those of all members below, the office all. */
const seesTickets: Reach = { member: ['own'], agent: ['child'], company: ['below'], office: ['anybody'] }

/** Figures of people: everybody sees its own and those of all users below, the office all. */
const seesUsers: Reach = {
  member: ['own'],
  agent: ['own', 'child'],
  company: ['own', 'child', 'below', 'colleague'],
  office: ['own', 'colleague', 'company', 'anybody'],
}

/** Everybody below may bet with them; office users do not bet. */
const decidesPackages: Reach = {
  member: [],
  agent: ['child'],
  company: ['child', 'below'],
  office: ['company', 'anybody'],
}

export const accessMatrix: Readonly<Record<RouteName, AccessRow>> = {
  // Log-in and session
  getCaptcha: anyone,
  getCaptchaProof: anyone,
  logIn: anyone,
  logOff: signedIn,
  syncSession: signedIn,
  listenLive: signedIn,
  getSession: signedIn,
  listSessions: { lists: 'users', reach: seesUsers },
  endSession: { on: 'user', reach: seesUsers },

  // Second factors: no call names another's
  listFactors: consoleUsers,
  startPasskey: consoleUsers,
  enrolPasskey: consoleUsers,
  startTotp: consoleUsers,
  enrolTotp: consoleUsers,
  removeFactor: consoleUsers,
  renewRecoveryCodes: consoleUsers,
  startPasskeyVerification: consoleUsers,
  verifyPasskey: consoleUsers,
  verifyTotp: consoleUsers,
  verifyRecoveryCode: consoleUsers,

  // Registration, password and recovery
  register: anyone,
  forgotPassword: anyone,
  resetPassword: anyone,
  changePassword: signedIn,

  // The caller's own account: no call names another's
  getBasicUser: signedIn,
  getCreditInfo: signedIn,

  // Limits that members set for themselves
  getPlayLimits: bettors,
  setPlayLimit: bettors,
  takeBreak: bettors,

  // The downline
  listDownline: {
    lists: 'users',
    reach: {
      member: [],
      agent: ['child'],
      company: ['child', 'below', 'colleague'],
      office: ['own', 'colleague', 'company', 'anybody'],
    },
  },
  changeCreditLimit: {
    on: 'user',
    reach: { member: [], agent: ['child'], company: ['child'], office: ['company', 'anybody'] },
  },
  changeUserStatus: {
    on: 'user',
    reach: {
      member: [],
      agent: ['child'],
      company: ['child', 'below', 'colleague'],
      office: ['colleague', 'anybody'],
    },
  },

  getShareTerms: { on: 'user', reach: seesUsers },
  changeShareTerms: {
    on: 'user',
    reach: { member: [], agent: ['child'], company: ['child'], office: ['anybody'] },
  },

  // Markets, periods, packages
  listProducts: signedIn,
  listEnabledProducts: signedIn,
  listAvailableProducts: signedIn,
  listProductPeriod: signedIn,
  listPeriods: signedIn,
  getPeriod: signedIn,
  listPackages: signedIn,
  getGameConfig: signedIn,
  listAllPackages: officeOnly,
  listGameConfigs: officeOnly,
  changeGameConfig: officeOnly,
  changeCancelRules: officeOnly,
  switchProduct: officeOnly,
  listUserPackages: { on: 'user', reach: seesUsers },
  givePackages: { on: 'user', reach: decidesPackages },
  takePackages: { on: 'user', reach: decidesPackages },
  createPeriod: officeOnly,
  closePeriod: officeOnly,

  // Quotas
  listLimitNumbers: signedIn,
  setLimitNumber: officeOnly,
  setQuota: officeOnly,
  listQuotas: officeOnly,

  // Tickets
  placeOrder: bettors,
  getOrder: { on: 'ticket', reach: seesTickets },
  getOrderStatus: { on: 'ticket', reach: seesTickets },
  findOrderByRequestId: { on: 'ticket', reach: { member: ['own'] } },
  listPeriodOrders: { lists: 'tickets', reach: seesTickets },
  listPeriodOrdersFirstForm: { lists: 'tickets', reach: seesTickets },
  listOrders: { lists: 'tickets', reach: seesTickets },
  listDeletedOrders: { lists: 'tickets', reach: seesTickets },
  confirmOrder: { on: 'ticket', reach: { member: ['own'] } },
  cancelOrder: { on: 'ticket', reach: { member: ['own'] } },
  deleteOrder: {
    on: 'ticket',
    reach: { member: [], agent: ['child'], company: ['below'], office: ['anybody'] },
  },
  voidOrder: { on: 'ticket', reach: { office: ['anybody'] } },
  listVoidRequests: officeOnly,

  // Announcements
  listAnnouncements: signedIn,
  getAnnouncement: signedIn,
  readAnnouncement: signedIn,
  listAllAnnouncements: companyOnly,
  createAnnouncement: companyOnly,
  enableAnnouncement: companyOnly,
  updateAnnouncement: companyOnly,
  deleteAnnouncement: companyOnly,

  // Maintenance
  checkMaintenance: anyone,
  setMaintenance: officeOnly,

  // Results and reports
  enterAward: officeOnly,
  voidPeriod: officeOnly,
  listPeriodVoids: officeOnly,
  listProductAwards: signedIn,
  listLatestAwards: signedIn,
  getProductAwards: signedIn,
  listAwardsFrom: signedIn,
  correctAward: officeOnly,
  listOwnWins: bettors,
  getAwardStatistics: signedIn,
  listNotices: bettors,
  readNotices: bettors,
  listUserTransactions: { on: 'user', reach: seesUsers },
  exportTransactions: { on: 'user', reach: seesUsers },
  listPeriodWinLoss: { on: 'user', reach: seesUsers },
  listPeriodWinLossTickets: { on: 'user', reach: seesUsers },
  getWinLossSummary: { on: 'user', reach: seesUsers },
  exportWinLossSummary: { on: 'user', reach: seesUsers },
  listLuckiestNumbers: bettors,
  listTransactions: { lists: 'tickets', reach: { member: ['own'], agent: [], company: [], office: [] } },
}
