// One valid call per route, naming existing records. The matrix tries it with every caller, and the fuzz test mutates
// it.

import { randomUUID } from 'node:crypto'
import { type Order, type Route, WEB_VERSION } from '@megalot/contract'
import type { RouteName } from './access-matrix.ts'
import { makeProposal, newRound } from './approvals.ts'
import { DEMO_AGENT_CODE } from '../src/demo/demo.ts'
import { CAPTCHA_ANSWER } from './test-app.ts'
import { dayOf, makeTicket } from './scenes.ts'

export interface SampleCall {
  params?: Record<string, string>
  query?: Record<string, string>
  body?: unknown
}

/** The records that the calls name. */
export interface CallSubject {
  /** A ticket as its owner saw it. */
  ticket: Order
  /** The user whom the call concerns. */
  user_id: number
  /** An announcement that is shown. */
  announce_id: number
  /** A pending proposal of a new period. */
  approval_id: number
  /** A limit rule of a period that is open. */
  rule_id: number
  /** An open period of the Thai government lottery. */
  period_code: string
  /** Another one, which some calls close. */
  other_period_code: string
}

export const announcementContent = {
  type: 'news',
  title_th: 'ประกาศ',
  title_en: 'Notice',
  body_th: 'บรรทัดแรก\nบรรทัดที่สอง',
  body_en: 'First line\nSecond line',
  is_enabled: true,
} as const

const ofKey = { id: 'AAAA', rawId: 'AAAA', type: 'public-key', clientExtensionResults: {} } as const
const newPasskey = { ...ofKey, response: { clientDataJSON: 'e30', attestationObject: 'oA', transports: ['internal'] } }
const passkeyAssertion = { ...ofKey, response: { clientDataJSON: 'e30', authenticatorData: 'AAAA', signature: 'AAAA' } }

/** A browser of its own at each call. */
const pushSubscription = () => ({
  endpoint: `https://fcm.googleapis.com/fcm/send/${randomUUID()}`,
  keys: { p256dh: `B${'A'.repeat(86)}`, auth: 'A'.repeat(22) },
  language: 'th' as const,
})

/** A list of one number that no sample ticket has. */
export const limitRuleOf = (period_code: string) => ({
  target: { period_codes: [period_code] },
  bet_types: ['3top' as const],
  numbers: ['998'],
  value: { set_to: 'half' as const, full_satang: null, half_satang: null },
  reason,
})

/** Of a payment that does not exist. */
const ofNoPayment = () => ({ params: { payment_id: '999999' } })

type MakeCall = (subject: CallSubject) => SampleCall

const nothing: MakeCall = () => ({})
const product_code = 'thai-government'
const reason = 'as the matrix wants it'

const ofProduct: MakeCall = () => ({ params: { product_code } })
const ofPackage = { product_code, package_code: '70' }
const ofTicket: MakeCall = ({ ticket }) => ({ params: { order_id: String(ticket.order_id) } })
const ofApproval: MakeCall = ({ approval_id }) => ({ params: { approval_id: String(approval_id) } })
const ofAnnouncement: MakeCall = ({ announce_id }) => ({ params: { announce_id: String(announce_id) } })
const ofPeriod: MakeCall = ({ period_code }) => ({ query: { period_code, ipp: '100' } })
const lastDays = () => ({ date_from: inHours(-240).slice(0, 10), date_to: inHours(24).slice(0, 10) })
const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()

const newName = () => `new${randomUUID().replaceAll('-', '')}`
const bulk = () => ({ request_id: randomUUID(), reason })

const newOfficeUser = () => ({
  username: `staff${randomUUID().replaceAll('-', '')}`,
  display_name: 'Staff',
})
const newStaff = () => ({ ...newOfficeUser(), password: 'maple-lantern-77' })

export const sampleCalls: Readonly<Record<RouteName, MakeCall>> = {
  getCaptcha: () => ({ query: { request_id: randomUUID() } }),
  getCaptchaProof: () => ({ query: { request_id: randomUUID(), level: '1' } }),
  register: () => ({
    body: {
      agent_code: DEMO_AGENT_CODE,
      username: 'somebodynew',
      display_name: 'Somebody New',
      email: 'somebody@example.com',
      phone: '+66 81 234 5678',
      password: 'maple-new-26',
      request_id: randomUUID(),
      captcha_txt: CAPTCHA_ANSWER,
    },
  }),
  forgotPassword: () => ({ body: { email: 'somebody@example.com' } }),
  resetPassword: () => ({
    body: { token: 'A'.repeat(43), new_password: 'maple-new-26', confirm_password: 'new12345' },
  }),
  createFirstOwner: () => ({
    body: { token: 'A'.repeat(43), ...newStaff(), house_name: 'House' },
  }),
  getEmail: nothing,
  // A wrong password, because other calls use the same people again.
  changeEmail: () => ({ body: { email: 'somebody@example.com', password: 'wrong1234' } }),
  listPasswordRequests: nothing,
  verifyEmail: () => ({ body: { token: 'A'.repeat(43), password: 'maple-new-26' } }),
  // A wrong password, because other calls use the same people again.
  changePassword: () => ({
    body: { old_password: 'wrong1234', new_password: 'maple-new-26', confirm_password: 'new12345' },
  }),
  logIn: () => ({
    body: { username: 'member01', password: 'demo1234', request_id: randomUUID(), captcha_txt: CAPTCHA_ANSWER },
  }),
  logOff: nothing,
  syncSession: () => ({ query: { version: WEB_VERSION, gui: 'user' } }),
  listenLive: nothing,
  getSession: nothing,
  listSessions: () => ({ query: { ipp: '100' } }),
  listDownlineSessions: () => ({ query: { ipp: '100' } }),
  listStaffSessions: () => ({ query: { ipp: '100' } }),
  endDownlineSessions: ({ user_id }) => ({ params: { user_id: String(user_id) }, body: { reason } }),
  listFactors: nothing,
  startPasskey: () => ({ body: { password: 'demo1234' } }),
  enrolPasskey: () => ({ body: { name: 'key', passkey: newPasskey } }),
  startTotp: () => ({ body: { password: 'demo1234' } }),
  enrolTotp: () => ({ body: { name: 'phone', code: '123456' } }),
  // No one's.
  removeFactor: () => ({ params: { factor_id: '999999' } }),
  renameFactor: () => ({ params: { factor_id: '999999' }, body: { name: 'phone' } }),
  renewRecoveryCodes: () => ({ body: { password: 'demo1234' } }),
  startPasskeyVerification: nothing,
  verifyPasskey: () => ({ body: { passkey: passkeyAssertion } }),
  verifyTotp: () => ({ body: { code: '123456' } }),
  verifyRecoveryCode: () => ({ body: { code: 'ABCD-EFGH-IJKL-MNOP-QRST-UVWX-YZ23' } }),
  getBasicUser: nothing,
  getCreditInfo: nothing,
  listDownline: () => ({ query: { ipp: '100' } }),
  changeCreditLimit: ({ user_id }) => ({
    params: { user_id: String(user_id) },
    body: { credit_limit_satang: 5_000_000, reason },
  }),
  getShareTerms: ({ user_id }) => ({ params: { user_id: String(user_id) } }),
  changeShareTerms: ({ user_id }) => ({
    params: { user_id: String(user_id) },
    body: { position_rate: 0, commission_rate: 0, reason },
  }),
  changeUserStatus: ({ user_id }) => ({
    params: { user_id: String(user_id) },
    body: { own_status: 'NORMAL', reason },
  }),
  listPeople: () => ({ query: { ipp: '100', sort: 'username', order: 'desc' } }),
  getPerson: ({ user_id }) => ({ params: { user_id: String(user_id) } }),
  getContact: nothing,
  changeContactNote: ({ user_id }) => ({
    params: { user_id: String(user_id) },
    body: { phone: '081 234 5678', line_id: 'customer1', note: 'pays on Fridays', tags: ['late'] },
  }),
  changeContact: () => ({
    body: { name: 'Agent One', line_id: '@agent.one', phone: '+66 81 234 5678' },
  }),
  listPersonActs: ({ user_id }) => ({ params: { user_id: String(user_id) }, query: { ipp: '10' } }),
  createPerson: () => ({
    body: {
      request_id: randomUUID(),
      level: 'member',
      username: newName(),
      display_name: 'Somebody New',
      password: 'maple-new-26',
      credit_limit_satang: 0,
    },
  }),
  sumPeople: () => ({ query: { level: 'member' } }),
  createMembers: () => ({
    body: {
      request_id: randomUUID(),
      rows: [{ username: newName(), display_name: 'Somebody New', password: 'maple-new-26', credit_limit_satang: 0 }],
    },
  }),
  changeStatuses: ({ user_id }) => ({ body: { ...bulk(), user_ids: [user_id], own_status: 'NORMAL' } }),
  changeCreditLimits: ({ user_id }) => ({
    body: { ...bulk(), rows: [{ user_id, credit_limit_satang: 5_000_000 }] },
  }),
  changePackages: ({ user_id }) => ({
    body: {
      ...bulk(),
      user_ids: [user_id],
      change: 'give',
      packages: [{ product_code: 'egypt', package_code: '70' }],
    },
  }),
  changeDisplayNames: ({ user_id }) => ({ body: { ...bulk(), rows: [{ user_id, display_name: 'Another Name' }] } }),
  // Previews, because other calls use the same people and sessions again.
  resetPasswords: ({ user_id }) => ({
    body: { ...bulk(), preview: true, rows: [{ user_id, password: 'maple-new-26' }] },
  }),
  endPeopleSessions: ({ user_id }) => ({ body: { ...bulk(), preview: true, user_ids: [user_id] } }),
  listAgentCodes: nothing,
  createAgentCode: () => ({ body: { packages: [ofPackage], opening_credit_satang: 0 } }),
  switchAgentCode: () => ({ params: { code: DEMO_AGENT_CODE }, body: { is_active: true, reason } }),
  listStaff: nothing,
  createAssistant: () => ({ body: { ...newStaff(), areas: ['people'] } }),
  createOfficeUser: () => ({ body: newOfficeUser() }),
  inviteOwner: () => ({ body: { request_id: randomUUID(), ...newOfficeUser() } }),
  changeAssistantAreas: ({ user_id }) => ({
    params: { user_id: String(user_id) },
    body: { areas: ['people'], reason },
  }),
  // A role that removes nothing from the user concerned.
  changeOfficeRole: ({ user_id }) => ({
    params: { user_id: String(user_id) },
    body: { office_role: 'owner', reason },
  }),
  changeStaffStatus: ({ user_id }) => ({
    params: { user_id: String(user_id) },
    body: { own_status: 'NORMAL', reason },
  }),
  // Refused at the last step, so that the user concerned keeps its password.
  resetAssistantPassword: ({ user_id }) => ({
    params: { user_id: String(user_id) },
    body: { password: 'password', reason },
  }),
  endStaffSessions: ({ user_id }) => ({ params: { user_id: String(user_id) }, body: { reason } }),
  exportOwnData: nothing,
  exportPersonData: ({ user_id }) => ({ params: { user_id: String(user_id) }, body: { reason } }),
  getPlayLimits: nothing,
  setPlayLimit: () => ({ body: { kind: 'stake', span: 'month', amount_satang: 1_000_000_000 } }),
  takeBreak: () => ({ body: { kind: 'time_out', days: 1 } }),
  listProducts: nothing,
  listEnabledProducts: nothing,
  listAvailableProducts: nothing,
  listProductPeriod: nothing,
  listPeriods: () => ({ query: { product_code, page: '0', ipp: '15' } }),
  getPeriod: ({ period_code }) => ({ params: { product_code, period_code } }),
  listPackages: ofProduct,
  getGameConfig: () => ({ params: ofPackage }),
  listAllPackages: nothing,
  listGameConfigs: nothing,
  changeGameConfig: () => ({
    params: ofPackage,
    body: { reason, max_items: 500, bet_types: [{ bet_type: '3top', rate: 55_000 }] },
  }),
  listTimetables: nothing,
  previewTimetable: () => ({
    params: { product_code: 'egypt' },
    body: {
      timetable: { days: 'every_day', open: { time: '05:00' }, close: { time: '18:35' }, draw: { time: '19:00' } },
      first_day: inHours(240).slice(0, 10),
    },
  }),
  listCalendarWarnings: nothing,
  setDrawDay: () => ({
    params: { product_code: 'thai-government' },
    body: { day: inHours(720).slice(0, 10), is_confirmed: true, reason },
  }),
  setHoliday: () => ({
    body: { product_codes: ['egypt'], day: inHours(720).slice(0, 10), is_on: true, name: 'holiday', reason },
  }),
  switchProduct: () => ({ params: { product_code: 'egypt' }, body: { is_enabled: true, reason } }),
  listUserPackages: ({ user_id }) => ({ params: { user_id: String(user_id) } }),
  givePackages: ({ user_id }) => ({
    params: { user_id: String(user_id) },
    body: { packages: [ofPackage, { product_code: 'egypt', package_code: '70' }], includes_below: true, reason },
  }),
  // In a market that no other call bets on.
  takePackages: ({ user_id }) => ({
    params: { user_id: String(user_id) },
    body: { packages: [{ product_code: 'egypt', package_code: '70' }], reason },
  }),
  changeCancelRules: () => ({ params: { product_code }, body: { reason, max_tickets: 10 } }),
  // In a market with rounds, each with its own draw.
  listTheoreticalReturns: () => ({ params: ofPackage }),
  proposeApproval: () => ({ body: makeProposal('create_period', newRound()) }),
  listApprovals: () => ({ query: { state: 'waiting', kind: 'create_period', product_code: 'yeekee' } }),
  listWaitingDecisions: () => ({ query: { kind: 'create_period', product_code: 'yeekee' } }),
  listDecidedDecisions: nothing,
  readRejections: () => ({ body: { up_to: '1.1' } }),
  countWaitingDecisions: nothing,
  getApproval: ofApproval,
  approveProposal: (subject) => ({ ...ofApproval(subject), body: { reason } }),
  rejectProposal: (subject) => ({ ...ofApproval(subject), body: { reason } }),
  withdrawProposal: (subject) => ({ ...ofApproval(subject), body: { reason } }),
  closePeriod: ({ other_period_code }) => ({ params: { period_code: other_period_code }, body: { reason } }),
  listAnnouncements: () => ({ query: { type: 'news' } }),
  listAllAnnouncements: nothing,
  getAnnouncement: ofAnnouncement,
  readAnnouncement: ofAnnouncement,
  createAnnouncement: () => ({ body: announcementContent }),
  enableAnnouncement: ({ announce_id }) => ({ body: { announce_id, is_enabled: true } }),
  updateAnnouncement: ({ announce_id }) => ({ body: { announce_id, ...announcementContent } }),
  deleteAnnouncement: ofAnnouncement,
  checkMaintenance: nothing,
  reportVitals: () => ({ body: { lcp: { page: '/bet/$product_code', value: 900 } } }),
  setMaintenance: () => ({ body: { product_code: 'lao-vip', is_on: false, reason } }),
  listLimitNumbers: ({ period_code }) => ({ params: { period_code } }),
  setLimitNumber: ({ other_period_code }) => ({
    params: { period_code: other_period_code },
    body: { bet_type: '3top', number: '999', set_to: 'open' },
  }),
  setQuota: () => ({
    body: { product_code, bet_type: '3top', full_satang: 100_000_000, half_satang: 100_000_000 },
  }),
  openMarkets: () => ({
    body: {
      ...bulk(),
      markets: [
        { product_code: 'egypt', quotas: [{ bet_type: '3top' as const, full_satang: 100_000_000, half_satang: 0 }] },
      ],
    },
  }),
  listQuotas: nothing,
  listQuotaExceptions: () => ({ query: { product_code } }),
  setPeriodQuota: ({ period_code }) => ({
    body: { period_code, bet_type: '3top', quota: { full_satang: 100_000_000, half_satang: 0 }, reason },
  }),
  setPackageQuota: () => ({
    body: {
      product_code,
      package_code: '90',
      bet_type: '3top',
      quota: { full_satang: 100_000_000, half_satang: 0 },
      reason,
    },
  }),
  setLimitRule: ({ period_code }) => ({ body: { request_id: randomUUID(), ...limitRuleOf(period_code) } }),
  undoLimitRule: ({ rule_id }) => ({
    params: { rule_id: String(rule_id) },
    body: { request_id: randomUUID(), reason },
  }),
  listLimitRules: nothing,
  listStandingNumbers: () => ({ query: { product_code } }),
  readBook: ({ period_code }) => ({ params: { period_code }, query: { since: '0' } }),
  readBookResults: ({ period_code }) => ({
    params: { period_code },
    query: { part: 'own', top3: '123', bottom2: '45' },
  }),
  placeOrder: ({ period_code }) => ({ body: makeTicket(period_code) }),
  getOrder: ofTicket,
  getOrderStatus: ofTicket,
  findOrderByRequestId: ({ ticket }) => ({ params: { request_id: ticket.request_id } }),
  listPeriodOrders: ofPeriod,
  listPeriodOrdersFirstForm: ofPeriod,
  listOrders: ofPeriod,
  listDeletedOrders: () => ({ query: { ipp: '100' } }),
  confirmOrder: (subject) => ({ ...ofTicket(subject), body: { items: [{ line_no: 1, bet_satang: 1_000 }] } }),
  cancelOrder: (subject) => ({ ...ofTicket(subject), body: subject.ticket }),
  deleteOrder: (subject) => ({ ...ofTicket(subject), body: { reason } }),
  listAudit: () => ({ query: { date_from: '2026-01-01', action: 'log_in', ipp: '10' } }),
  exportAudit: () => ({ query: { action: 'log_in' } }),
  listPeriodVoids: () => ({}),
  listDayPeriods: () => ({ query: { date: '2026-01-31' } }),
  listReadiness: () => ({}),
  sendTestMail: () => ({ body: { to: 'somebody@example.com' } }),
  listInvariantBreaks: () => ({}),
  listSignals: () => ({ query: lastDays() }),
  listCalendar: () => ({ query: { date_from: '2026-01-01', date_to: '2026-01-31' } }),
  previewAward: ({ period_code }) => ({
    body: {
      period_code,
      result: { top3: '123', bottom2: '45', first_prize: '456123', front3: ['111', '222'], back3: ['333', '444'] },
    },
  }),
  getAwardEntries: ({ period_code }) => ({ params: { period_code } }),
  resetAward: ({ period_code }) => ({ body: { period_code, reason } }),
  previewPeriodVoid: ({ other_period_code }) => ({ params: { period_code: other_period_code } }),
  enterAward: ({ period_code }) => ({
    query: { date: dayOf(period_code) },
    body: {
      period_code,
      result: { top3: '123', bottom2: '45', first_prize: '456123', front3: ['111', '222'], back3: ['333', '444'] },
    },
  }),
  listProductAwards: () => ({ query: { product_code } }),
  listLatestAwards: () => ({}),
  getProductAwards: ofProduct,
  listAwardsFrom: ({ period_code }) => ({ params: { date_from: dayOf(period_code) } }),
  correctAward: ({ period_code }) => ({
    body: {
      period_code,
      result: { top3: '124', bottom2: '45', first_prize: '456124', front3: ['111', '222'], back3: ['333', '444'] },
      reason,
    },
  }),
  listOwnWins: ({ period_code, other_period_code }) => ({
    query: { period_code: `${period_code},${other_period_code}`, before: '1' },
  }),
  getAwardStatistics: () => ({ params: { product_code }, query: { date_from: '2010-01-01', draws: '100' } }),
  listNotices: () => ({ query: { page: '0', ipp: '15' } }),
  getOwnLists: () => ({}),
  listViews: () => ({ query: { page: 'people' } }),
  saveView: () => ({ body: { page: 'people', name: 'Agents', search: 'level=agent' } }),
  shareView: () => ({ body: { page: 'people', name: 'All agents', search: 'level=agent' } }),
  dropView: () => ({ body: { page: 'people', name: 'Agents' } }),
  getWeekSheet: nothing,
  getEdge: ({ user_id }) => ({ params: { user_id: String(user_id) } }),
  getMoneyHome: nothing,
  recordPayments: ({ user_id }) => ({
    body: { request_id: randomUUID(), rows: [{ user_id, amount_satang: 100, method: 'cash' }] },
  }),
  adjustBalance: ({ user_id }) => ({ body: { request_id: randomUUID(), user_id, amount_satang: 100, reason } }),
  // No one's.
  reversePayment: () => ({ body: { request_id: randomUUID(), payment_id: 999_999, reason } }),
  listPayments: () => ({ query: lastDays() }),
  getPayment: ofNoPayment,
  addPaymentSlip: () => ({ ...ofNoPayment(), body: { content_type: 'image/png', image: 'iVBORw0KGgo=' } }),
  getPaymentSlip: ofNoPayment,
  disputePayment: () => ({ ...ofNoPayment(), body: { note: reason } }),
  answerDispute: () => ({ ...ofNoPayment(), body: { answer: reason } }),
  setEdgeTerms: ({ user_id }) => ({
    params: { user_id: String(user_id) },
    body: { settle_figure_satang: 1_000_000, clearing: 'weekly' },
  }),
  getCashBook: nothing,
  countCash: ({ user_id }) => ({
    body: { request_id: randomUUID(), holder_id: user_id, counted_satang: 0, expected_satang: 0 },
  }),
  handOverCash: ({ user_id }) => ({
    body: { request_id: randomUUID(), from_id: user_id, to_id: user_id + 1, amount_satang: 100 },
  }),
  listClearings: nothing,
  getClearing: () => ({ params: { clearing_id: '999999' } }),
  changeClearing: () => ({ params: { clearing_id: '999999' }, body: { to: 'sent' } }),
  getOwnMoney: nothing,
  keepOwnEntry: () => ({
    body: { list: 'number_sets', number_set: { name: 'ประจำ', rows: [{ number: '47', top: '50' }] } },
  }),
  dropOwnEntry: () => ({ body: { list: 'favourite_markets', product_code } }),
  getPushKey: nothing,
  subscribePush: () => ({ body: pushSubscription() }),
  unsubscribePush: () => ({ body: { endpoint: pushSubscription().endpoint } }),
  readNotices: () => ({ body: { up_to_notice_id: 1 } }),
  listTransactions: () => ({ query: { ipp: '100' } }),
  listUserTransactions: ({ user_id }) => ({
    params: { user_id: String(user_id) },
    query: { date_from: '2026-01-01', product_code, ipp: '100' },
  }),
  exportTransactions: ({ user_id }) => ({ query: { user_id: String(user_id), product_code } }),
  listPeriodWinLoss: ({ user_id }) => ({ query: { user_id: String(user_id), filter: 'all', product_code } }),
  listPeriodWinLossTickets: ({ user_id, period_code }) => ({
    params: { period_code },
    query: { user_id: String(user_id), filter: 'all' },
  }),
  getWinLossSummary: ({ user_id }) => ({
    body: { ...lastDays(), product_codes: [product_code], group_by: 'day', user_id },
  }),
  listOutstanding: ({ user_id }) => ({ query: { user_id: String(user_id), product_code, ipp: '100' } }),
  listTypeSums: ({ user_id }) => ({ query: { user_id: String(user_id), product_code } }),
  listWinners: ({ user_id }) => ({ query: { user_id: String(user_id), product_code, ipp: '100' } }),
  listChangedTickets: ({ user_id }) => ({ query: { user_id: String(user_id), product_code, ipp: '100' } }),
  createReportFile: ({ user_id }) => ({
    body: { request_id: randomUUID(), report: 'win_loss_users', format: 'xlsx', ...lastDays(), user_id },
  }),
  listReportFiles: nothing,
  // No one's.
  getReportFile: () => ({ params: { file_id: '999999999' } }),
  exportWinLossSummary: ({ user_id }) => ({ body: { ...lastDays(), user_id } }),
  listLuckiestNumbers: () => ({ query: { product_code, ipp: '10' } }),
}

/** The URL of a call: the row's path with the call's parameters and query. */
export function urlOf({ path }: Pick<Route, 'path'>, { params = {}, query = {} }: SampleCall): string {
  const filled = path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  const search = new URLSearchParams(query).toString()
  return search === '' ? filled : `${filled}?${search}`
}
