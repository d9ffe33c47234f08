import type { LiveTopic } from '@megalot/contract'
import type { QueryKey } from '@tanstack/react-query'
import { queryKeys } from './query-keys.ts'

// Maps changes to the queries that show them: the page's own actions, and the server's live topics.

/** A ticket, its settlement or its removal changes credit and everything that adds up tickets. */
const money: readonly QueryKey[] = [
  queryKeys.user.all,
  queryKeys.credit.all,
  queryKeys.orders.all,
  queryKeys.statement.all,
  queryKeys.reports.all,
]

/** A result pays tickets, and a corrected one is reported by a notice. */
const results: readonly QueryKey[] = [
  queryKeys.markets.all,
  queryKeys.awards.all,
  queryKeys.notices.all,
  queryKeys.money.all,
  ...money,
]

/** An action on this page or in another tab of this browser → the queries to refresh. */
export const keysOfAction = {
  ticket_placed: money,
  /** The rate, the period or the closed numbers may have changed under the member. */
  ticket_refused: [...money, queryKeys.gameConfig.all, queryKeys.markets.all, queryKeys.limitNumbers.all],
  /** The server does not have the ticket, or the member logged out before its outcome was known. */
  ticket_absent: money,
  ticket_of_other_tab_ended: money,
  /** A waiting ticket was confirmed or returned, or a ticket was cancelled. */
  ticket_decided: money,
  /** A ticket of the downline was deleted or voided. */
  ticket_removed: money,
  award_entered: [queryKeys.markets.all, queryKeys.awards.all],
  /** A result has been paid, but its live news was not received. */
  period_paid: results,
  award_corrected: results,
  share_changed: [queryKeys.downline.all, queryKeys.people.all],
  /** Users below were made or changed: credit that they have is credit that their upline has given. */
  people_changed: [
    queryKeys.people.all,
    queryKeys.downline.all,
    queryKeys.user.all,
    queryKeys.credit.all,
    queryKeys.sessions.all,
    queryKeys.audit.all,
  ],
  /** A proposal was made, approved, rejected or withdrawn. An approved one is executed at once. */
  approval_decided: [
    queryKeys.approvals.all,
    queryKeys.terms.all,
    queryKeys.gameConfig.all,
    queryKeys.limitNumbers.all,
    queryKeys.limitRules.all,
    queryKeys.risk.all,
    queryKeys.people.all,
    queryKeys.money.all,
    queryKeys.downline.all,
    queryKeys.staff.all,
    queryKeys.sessions.all,
    queryKeys.markets.all,
    queryKeys.user.all,
    queryKeys.credit.all,
    queryKeys.audit.all,
  ],
  /** A payment or an adjustment, the terms of an edge, cash or a clearing statement. */
  money_changed: [queryKeys.money.all, queryKeys.people.all, queryKeys.audit.all],
  /** A member disputed a payment. */
  payment_disputed: [queryKeys.money.all],
  report_file_requested: [queryKeys.reportFiles.all],
  terms_changed: [queryKeys.terms.all, queryKeys.gameConfig.all, queryKeys.audit.all],
  /** A number was set by hand, or a quota changed. */
  limits_changed: [queryKeys.limitNumbers.all, queryKeys.limitRules.all, queryKeys.risk.all, queryKeys.audit.all],
  /** Markets got their quotas and were switched on. */
  markets_opened: [
    queryKeys.markets.all,
    queryKeys.limitNumbers.all,
    queryKeys.limitRules.all,
    queryKeys.risk.all,
    queryKeys.audit.all,
  ],
  maintenance_changed: [queryKeys.maintenance.all, queryKeys.markets.all],
  announcement_changed: [queryKeys.announcements.all],
  announcement_read: [queryKeys.announcements.all],
  notices_read: [queryKeys.notices.all],
  own_lists_changed: [queryKeys.ownLists.all],
  saved_views_changed: [queryKeys.savedViews.all, queryKeys.audit.all],
  rejections_read: [queryKeys.approvals.all],
  /** Own second factors or recovery codes. */
  factors_changed: [queryKeys.factors.all, queryKeys.audit.all],
  sessions_ended: [queryKeys.sessions.all, queryKeys.staff.all, queryKeys.audit.all],
  /** Office users or assistants: who they are, what they may do, and their sessions. */
  staff_changed: [queryKeys.staff.all, queryKeys.sessions.all, queryKeys.audit.all],
  /** A market opened or closed by the clock, or the office closed a period. */
  market_hours_passed: [queryKeys.markets.all],
  /** The stream says that the session has ended. */
  session_questioned: [queryKeys.user.all],
} as const satisfies Readonly<Record<string, readonly QueryKey[]>>

export type RefreshingAction = keyof typeof keysOfAction

/** A topic of the server's news → the queries to refresh. */
export const keysOfTopic: Readonly<Record<LiveTopic, readonly QueryKey[]>> = {
  markets: [queryKeys.markets.all],
  terms: [queryKeys.gameConfig.all],
  results,
  tickets: money,
  user: [queryKeys.user.all, queryKeys.credit.all, queryKeys.money.all],
  packages: [queryKeys.markets.all, queryKeys.packages.all, queryKeys.gameConfig.all],
  people: [queryKeys.people.all, queryKeys.user.all],
  numbers: [queryKeys.limitNumbers.all],
  announcements: [queryKeys.announcements.all],
  approvals: [queryKeys.approvals.all],
  everything: [[]],
}

/** Queries that are hardly ever repeated by themselves, because the news report when they change. */
export const rarelyFetchedKeys: readonly QueryKey[] = [
  queryKeys.notices.all,
  queryKeys.announcements.all,
  queryKeys.orders.waiting,
  queryKeys.orders.deletedNews,
  queryKeys.reports.newest,
]
