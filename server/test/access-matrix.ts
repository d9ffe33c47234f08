// Who may do what, in one table. Every route of the contract has a row here, or the server does not type-check.
// `access-matrix.test.ts` tries every row with every caller on all users' records, without consulting the routes.

import type * as contract from '@megalot/contract'

type Contract = typeof contract

/** The names of all routes of the contract. */
export type RouteName = {
  [Name in keyof Contract]: Contract[Name] extends contract.Route ? Name : never
}[keyof Contract]

/**
 * A caller's kind, apart from its permissions. Levels between agent and company relate to those below as the company
 * does.
 */
export type Kind = 'anonymous' | 'member' | 'agent' | 'company' | 'office'

/** The callers: each kind, each office role, and assistants of an agent and of an owner with some areas. */
export const roles = [
  'anonymous',
  'member',
  'agent',
  'company',
  'owner',
  'operations',
  'risk',
  'finance',
  'support',
  'auditor',
  'no_role',
  'agent_assistant',
  'owner_assistant',
] as const
export type Role = (typeof roles)[number]

export const assistantAreas = {
  agent_assistant: ['people', 'tickets', 'reports'],
  owner_assistant: ['periods', 'results', 'credit', 'staff'],
} as const

/** `area.view` and `area.do` of each of these areas. */
const all = (areas: string): string[] => areas.split(' ').flatMap((area) => [`${area}.view`, `${area}.do`])
const view = (areas: string): string[] => areas.split(' ').map((area) => `${area}.view`)

const everyArea = 'people credit terms periods results risk tickets reports messages maintenance staff audit money'
const ofAgents = all('people credit terms risk tickets reports messages staff audit money')

/** Written out, not taken from the contract: the contract is tested against it. */
export const authorityOf: Readonly<Record<Role, { kind: Kind; permissions: readonly string[] }>> = {
  anonymous: { kind: 'anonymous', permissions: [] },
  member: { kind: 'member', permissions: [] },
  agent: { kind: 'agent', permissions: ofAgents },
  company: { kind: 'company', permissions: ofAgents },
  owner: { kind: 'office', permissions: all(everyArea) },
  operations: { kind: 'office', permissions: all('periods results maintenance messages') },
  risk: { kind: 'office', permissions: all('terms risk tickets') },
  finance: { kind: 'office', permissions: [...all('credit reports money'), ...view('people')] },
  support: { kind: 'office', permissions: view('people tickets') },
  auditor: { kind: 'office', permissions: view(everyArea) },
  no_role: { kind: 'office', permissions: [] },
  agent_assistant: { kind: 'agent', permissions: all('people tickets reports') },
  owner_assistant: { kind: 'office', permissions: all('periods results credit staff') },
}

/**
 * The owner of a record, relative to the caller or an assistant's principal: the caller; a user directly or further
 * below; a user above; a sibling; an office user; for the office, the company itself and any user; any other user. Also
 * assistants: the caller's own, which for the office are all of the office's; the calling assistant itself; or
 * another's.
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
  | 'assistant'
  | 'itself'
  | 'foreign_assistant'

/**
 * Whose records each kind of caller may access. An absent kind is refused; one with an empty list is admitted but sees
 * nothing.
 */
export type Reach = Partial<Record<Kind, readonly Relation[]>>

/** The permission required of everyone except members. */
interface Needs {
  /** If several, one is enough. */
  needs?: string | readonly string[]
}

export type AccessRow = Needs &
  /** A call that names no one's record: these kinds are admitted. */
  (
    | { lets_in: readonly Kind[] }
    /** A call on a user's record. Other users' records are refused, and those without access appear not to exist. */
    | { on: 'ticket' | 'user' | 'staff'; reach: Reach }
    /** A list of these users' records only. */
    | { lists: 'tickets' | 'users'; reach: Reach }
  )

const anyone: AccessRow = { lets_in: ['anonymous', 'member', 'agent', 'company', 'office'] }
const signedIn: AccessRow = { lets_in: ['member', 'agent', 'company', 'office'] }
const bettors: AccessRow = { lets_in: ['member'] }
const ofCompany = (needs: string): AccessRow => ({ lets_in: ['company', 'office'], needs })
const ofOffice = (needs: string | readonly string[]): AccessRow => ({ lets_in: ['office'], needs })
const ofConsole = (needs: string | readonly string[]): AccessRow => ({ lets_in: ['agent', 'company', 'office'], needs })
/** Calls on the caller's own account, for all except members. */
export const consoleUsers: AccessRow = { lets_in: ['agent', 'company', 'office'] }

/** Tickets belong to members; uplines see those of all members below, the office sees all. */
const seesTickets: Reach = { member: ['own'], agent: ['child'], company: ['below'], office: ['anybody'] }

/** Terms: users see their own and those of all users below, the office sees all. */
const seesUsers: Reach = {
  member: ['own'],
  agent: ['own', 'child'],
  company: ['own', 'child', 'below', 'colleague'],
  office: ['own', 'colleague', 'company', 'anybody'],
}

/** Figures of people: the same, except that the company does not see office users, whose names it may not read. */
const seesFigures: Reach = {
  member: ['own'],
  agent: ['own', 'child'],
  company: ['own', 'child', 'below'],
  office: ['own', 'colleague', 'company', 'anybody'],
}

/** The same in the console, which members do not use. */
const seesFiguresInConsole: Reach = {
  agent: ['own', 'child'],
  company: ['own', 'child', 'below'],
  office: ['own', 'colleague', 'company', 'anybody'],
}

/** All users below may bet with them; office users do not bet. */
const decidesPackages: Reach = {
  agent: ['child'],
  company: ['child', 'below'],
  office: ['company', 'anybody'],
}

/** Without office users, who are staff. Agents see themselves; the office sees the company. */
const seesProfiles: Reach = {
  agent: ['own', 'child'],
  company: ['own', 'child', 'below'],
  office: ['company', 'anybody'],
}

/** Of direct children only; the office of the company's, one of whom is the sample of `anybody`. */
const recordsMoney: AccessRow = {
  needs: 'money.do',
  on: 'user',
  reach: { agent: ['child'], company: ['child'], office: ['anybody'] },
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
  listSessions: signedIn,
  listDownlineSessions: {
    lists: 'users',
    needs: 'people.view',
    reach: { agent: ['child'], company: ['child', 'below'], office: ['company', 'anybody'] },
  },
  listStaffSessions: {
    lists: 'users',
    needs: 'staff.view',
    reach: {
      agent: ['assistant', 'itself'],
      company: ['assistant'],
      office: ['own', 'colleague', 'assistant', 'itself'],
    },
  },
  endDownlineSessions: {
    on: 'user',
    needs: 'people.do',
    reach: { agent: ['child'], company: ['child', 'below'], office: ['company', 'anybody'] },
  },

  // Second factors: no call names another user's
  listFactors: consoleUsers,
  startPasskey: consoleUsers,
  enrolPasskey: consoleUsers,
  startTotp: consoleUsers,
  enrolTotp: consoleUsers,
  renameFactor: consoleUsers,
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
  createFirstOwner: anyone,
  verifyEmail: anyone,
  changePassword: signedIn,
  getEmail: bettors,
  changeEmail: bettors,
  listPasswordRequests: ofConsole('people.view'),

  // The caller's own account: no call names another user's
  getBasicUser: signedIn,
  getCreditInfo: signedIn,

  // Limits that members set for themselves
  getPlayLimits: bettors,
  setPlayLimit: bettors,
  takeBreak: bettors,

  // Copies of personal data: the caller's own, and for the office those of members and agents.
  exportOwnData: signedIn,
  exportPersonData: { on: 'user', needs: 'people.do', reach: { office: ['company', 'anybody'] } },

  // The downline
  listDownline: {
    needs: 'people.view',
    lists: 'users',
    reach: {
      agent: ['child'],
      company: ['child', 'below'],
      office: ['own', 'colleague', 'company', 'anybody'],
    },
  },
  changeCreditLimit: {
    needs: 'credit.do',
    on: 'user',
    reach: { agent: ['child'], company: ['child'], office: ['company', 'anybody'] },
  },
  changeUserStatus: {
    needs: 'people.do',
    on: 'user',
    reach: { agent: ['child'], company: ['child', 'below'], office: ['anybody'] },
  },

  getShareTerms: { needs: 'terms.view', on: 'user', reach: seesUsers },
  changeShareTerms: {
    needs: 'terms.do',
    on: 'user',
    reach: { agent: ['child'], company: ['child'], office: ['anybody'] },
  },

  // The people of the console. Calls for many users refuse row by row: `people.test.ts`.
  listPeople: {
    needs: 'people.view',
    lists: 'users',
    reach: { agent: ['child'], company: ['child', 'below'], office: ['company', 'anybody'] },
  },
  getPerson: { needs: 'people.view', on: 'user', reach: seesProfiles },
  getContact: bettors,
  changeContact: ofConsole('people.do'),
  changeContactNote: {
    needs: 'people.do',
    on: 'user',
    reach: { agent: ['child'], company: ['child', 'below'], office: ['anybody'] },
  },
  listPersonActs: { needs: 'audit.view', on: 'user', reach: seesProfiles },
  createPerson: ofConsole('people.do'),
  createMembers: ofConsole('people.do'),
  sumPeople: ofConsole('people.view'),
  changeStatuses: ofConsole('people.do'),
  changeCreditLimits: ofConsole('credit.do'),
  changePackages: ofConsole('terms.do'),
  changeDisplayNames: ofConsole('people.do'),
  resetPasswords: ofConsole('people.do'),
  endPeopleSessions: ofConsole('people.do'),
  listAgentCodes: ofConsole('people.view'),
  createAgentCode: ofConsole('people.do'),
  switchAgentCode: ofConsole('people.do'),

  // Office users and assistants
  listStaff: {
    needs: 'staff.view',
    lists: 'users',
    reach: { agent: ['assistant'], company: [], office: ['own', 'colleague', 'assistant', 'itself'] },
  },
  createAssistant: ofConsole('staff.do'),
  createOfficeUser: ofOffice('staff.do'),
  inviteOwner: ofOffice('staff.do'),
  changeAssistantAreas: {
    needs: 'staff.do',
    on: 'staff',
    reach: { agent: ['assistant'], company: [], office: ['assistant'] },
  },
  changeOfficeRole: { needs: 'staff.do', on: 'staff', reach: { office: ['own', 'colleague'] } },
  changeStaffStatus: {
    needs: 'staff.do',
    on: 'staff',
    reach: { agent: ['assistant'], company: [], office: ['colleague', 'assistant'] },
  },
  resetAssistantPassword: {
    needs: 'staff.do',
    on: 'staff',
    reach: { agent: ['assistant'], company: [], office: ['assistant'] },
  },
  endStaffSessions: {
    needs: 'staff.do',
    on: 'staff',
    reach: { agent: ['assistant'], company: [], office: ['own', 'colleague', 'assistant', 'itself'] },
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
  listAllPackages: ofCompany('terms.view'),
  listGameConfigs: ofCompany('terms.view'),
  changeGameConfig: ofOffice('terms.do'),
  changeCancelRules: ofOffice('periods.do'),
  switchProduct: ofOffice('periods.do'),
  listTimetables: ofConsole(view('periods results risk')),
  previewTimetable: ofOffice('periods.do'),
  listCalendarWarnings: ofConsole(view('periods results risk')),
  setDrawDay: ofOffice('periods.do'),
  setHoliday: ofOffice('periods.do'),
  listUserPackages: { needs: 'terms.view', on: 'user', reach: seesUsers },
  givePackages: { needs: 'terms.do', on: 'user', reach: decidesPackages },
  takePackages: { needs: 'terms.do', on: 'user', reach: decidesPackages },
  listTheoreticalReturns: ofOffice('terms.view'),
  closePeriod: ofOffice('periods.do'),

  // Quotas
  listLimitNumbers: signedIn,
  setLimitNumber: ofOffice('risk.do'),
  setQuota: ofOffice('risk.do'),
  openMarkets: ofOffice('periods.do'),
  listQuotas: ofOffice('risk.view'),
  listQuotaExceptions: ofOffice('risk.view'),
  setPeriodQuota: ofOffice('risk.do'),
  setPackageQuota: ofOffice('risk.do'),
  setLimitRule: ofOffice('risk.do'),
  undoLimitRule: ofOffice('risk.do'),
  listLimitRules: ofOffice('risk.view'),
  listStandingNumbers: ofOffice('risk.view'),

  // Exposure
  readBook: ofConsole('risk.view'),
  readBookResults: ofConsole('risk.view'),

  // Tickets
  placeOrder: bettors,
  getOrder: { needs: 'tickets.view', on: 'ticket', reach: seesTickets },
  getOrderStatus: { needs: 'tickets.view', on: 'ticket', reach: seesTickets },
  findOrderByRequestId: { on: 'ticket', reach: { member: ['own'] } },
  listPeriodOrders: { needs: 'tickets.view', lists: 'tickets', reach: seesTickets },
  listPeriodOrdersFirstForm: { needs: 'tickets.view', lists: 'tickets', reach: seesTickets },
  listOrders: { needs: 'tickets.view', lists: 'tickets', reach: seesTickets },
  listDeletedOrders: { needs: 'tickets.view', lists: 'tickets', reach: seesTickets },
  confirmOrder: { on: 'ticket', reach: { member: ['own'] } },
  cancelOrder: { on: 'ticket', reach: { member: ['own'] } },
  deleteOrder: {
    needs: 'tickets.do',
    on: 'ticket',
    reach: { agent: ['child'], company: ['below'], office: ['anybody'] },
  },

  // Announcements
  listAnnouncements: signedIn,
  getAnnouncement: signedIn,
  readAnnouncement: signedIn,
  listAllAnnouncements: ofCompany('messages.view'),
  createAnnouncement: ofCompany('messages.do'),
  enableAnnouncement: ofCompany('messages.do'),
  updateAnnouncement: ofCompany('messages.do'),
  deleteAnnouncement: ofCompany('messages.do'),

  // Maintenance
  checkMaintenance: anyone,
  setMaintenance: ofOffice('maintenance.do'),

  // Metrics
  reportVitals: anyone,

  // The audit log
  listAudit: ofConsole('audit.view'),
  exportAudit: ofConsole('audit.view'),

  // Approvals: the samples are of the kind `create_period`, whose permission is `periods.do`
  // Agents propose for their own edges only, and see what they have proposed.
  proposeApproval: ofOffice('periods.do'),
  listApprovals: ofConsole(view('periods terms credit risk tickets results staff money')),
  listWaitingDecisions: ofOffice(view('periods terms credit risk tickets results staff money')),
  countWaitingDecisions: ofOffice(view('periods terms credit risk tickets results staff money')),
  listDecidedDecisions: ofOffice(view('periods terms credit risk tickets results staff money')),
  readRejections: ofOffice(view('periods terms credit risk tickets results staff money')),
  getApproval: ofOffice('periods.view'),
  approveProposal: ofOffice('periods.do'),
  rejectProposal: ofOffice('periods.do'),
  withdrawProposal: ofOffice('periods.do'),

  // Draw day
  listDayPeriods: ofConsole(view('periods results risk')),
  listCalendar: ofConsole(view('periods results risk')),

  // Invariants
  listReadiness: ofOffice(view('staff')),
  sendTestMail: ofOffice('staff.do'),
  listInvariantBreaks: ofOffice(view('periods results risk')),

  // Signals: whom they concern is tested in `signals.test.ts`
  listSignals: ofConsole(view('tickets people credit results')),

  // Results and reports
  enterAward: ofOffice('results.do'),
  previewAward: ofOffice('results.do'),
  getAwardEntries: ofOffice('results.view'),
  resetAward: ofOffice('results.do'),
  previewPeriodVoid: ofOffice('periods.do'),
  listPeriodVoids: ofOffice('periods.view'),
  listProductAwards: signedIn,
  listLatestAwards: signedIn,
  getProductAwards: signedIn,
  listAwardsFrom: signedIn,
  correctAward: ofOffice('results.do'),
  listOwnWins: bettors,
  getAwardStatistics: signedIn,
  listNotices: bettors,
  // Money between people. Amounts of many users are refused row by row.
  getWeekSheet: ofConsole('money.view'),
  getEdge: {
    needs: 'money.view',
    on: 'user',
    reach: { agent: ['child'], company: ['child', 'below'], office: ['anybody'] },
  },
  getMoneyHome: ofConsole('money.view'),
  recordPayments: ofConsole('money.do'),
  adjustBalance: recordsMoney,
  reversePayment: ofConsole('money.do'),
  listPayments: ofConsole('money.view'),
  getPayment: { needs: 'money.view', ...signedIn },
  addPaymentSlip: ofConsole('money.do'),
  getPaymentSlip: { needs: 'money.view', ...signedIn },
  disputePayment: { needs: 'money.do', ...signedIn },
  answerDispute: ofConsole('money.do'),
  setEdgeTerms: recordsMoney,
  getCashBook: ofConsole('money.view'),
  countCash: ofConsole('money.do'),
  handOverCash: ofConsole('money.do'),
  listClearings: ofConsole('money.view'),
  getClearing: ofConsole('money.view'),
  changeClearing: ofConsole('money.do'),
  getOwnMoney: bettors,
  readNotices: bettors,
  listViews: consoleUsers,
  saveView: consoleUsers,
  shareView: consoleUsers,
  dropView: consoleUsers,
  getOwnLists: bettors,
  keepOwnEntry: bettors,
  dropOwnEntry: bettors,
  getPushKey: bettors,
  subscribePush: bettors,
  unsubscribePush: bettors,
  listUserTransactions: { needs: 'reports.view', on: 'user', reach: seesFigures },
  exportTransactions: { needs: 'reports.view', on: 'user', reach: seesFigures },
  listPeriodWinLoss: { needs: 'reports.view', on: 'user', reach: seesFigures },
  listPeriodWinLossTickets: { needs: 'reports.view', on: 'user', reach: seesFigures },
  getWinLossSummary: { needs: 'reports.view', on: 'user', reach: seesFigures },
  listOutstanding: { needs: 'reports.view', on: 'user', reach: seesFiguresInConsole },
  listTypeSums: { needs: 'reports.view', on: 'user', reach: seesFiguresInConsole },
  listWinners: { needs: 'reports.view', on: 'user', reach: seesFiguresInConsole },
  listChangedTickets: { needs: 'reports.view', on: 'user', reach: seesFiguresInConsole },
  createReportFile: { needs: 'reports.view', on: 'user', reach: seesFiguresInConsole },
  listReportFiles: ofConsole('reports.view'),
  getReportFile: ofConsole('reports.view'),
  exportWinLossSummary: { needs: 'reports.view', on: 'user', reach: seesFigures },
  listLuckiestNumbers: bettors,
  listTransactions: {
    needs: 'reports.view',
    lists: 'tickets',
    reach: { member: ['own'], agent: [], company: [], office: [] },
  },
}
