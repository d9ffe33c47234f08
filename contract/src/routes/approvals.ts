// Approvals: changes of the office that need two people. One person proposes, another approves, and the approval
// carries the change out. Results keep their own calls for both people; here they are listed with all other pending
// decisions.

import * as z from 'zod/mini'
import { permissionsOfApprovals } from '../permissions.ts'
import * as calls from '../calls/approvals.ts'
import { defineRoute } from '../route.ts'
import {
  day,
  freeText,
  instant,
  officeRole,
  pageNumber,
  pathId,
  periodCode,
  productCode,
  queryNumber,
  reason,
  requestId,
} from '../wire.ts'
import { creditLimit, givenShareTerms } from './downline.ts'
import { moneyAmount, paymentMethod } from './money.ts'
import { newPeriod, newTerms, packageParams } from './markets.ts'
import { marketQuota, packageQuotaChange, periodQuotaChange } from './quotas.ts'
import { timetableChange } from './timetables.ts'

const time = z.iso.datetime({ offset: true })
const userId = z.int().check(z.minimum(1))

/** For a period that accepts bets now or later. */
export const periodMove = z.strictObject({
  period_code: periodCode,
  /** Only for a period that has not opened. Omit to leave the opening unchanged. */
  open_at: z.optional(time),
  close_at: time,
  draw_at: time,
})
export type PeriodMove = z.output<typeof periodMove>

/**
 * Postpones the draw of a period that accepts bets now or later by up to seven days. The opening and existing tickets
 * stay as they are.
 */
export const periodPostponement = z.strictObject({ period_code: periodCode, close_at: time, draw_at: time })
export type PeriodPostponement = z.output<typeof periodPostponement>

/** What agents propose for their own edges. All other kinds are proposed by the office. */
export const kindsOfAgents = ['record_payment', 'adjust_balance', 'reverse_payment'] as const

/** The payload of each kind of proposal. */
export const proposalPayloads = {
  /** A period outside the timetable. */
  create_period: newPeriod,
  /** New times for a period. */
  move_period: periodMove,
  /** A later draw and close for a period, on another day. */
  postpone_period: periodPostponement,
  /** New days or hours for the periods of a market, from a given day. */
  change_timetable: timetableChange,
  /** Terms of a package with a theoretical return above 100 %. */
  change_game_config: z.strictObject({ ...packageParams.shape, ...newTerms.shape }),
  /** A commission directly below the company that makes some terms return more than 100 %. */
  change_share_terms: z.strictObject({ user_id: userId, ...givenShareTerms.shape }),
  /** The credit limit of the company itself. */
  change_credit_limit: z.strictObject({ user_id: userId, credit_limit_satang: creditLimit }),
  /** A standing market quota above the current one, or a first one above a package's. */
  set_quota: marketQuota,
  /** A quota of one period above the standing one of its market. */
  set_period_quota: periodQuotaChange,
  /** A higher quota of a package, if the market has none for the bet type. */
  set_package_quota: packageQuotaChange,
  /**
   * A role with more permissions than the user's current one. The user gets a one-time password; proposer and approver
   * know one half each. Its sessions end, its second factors are removed, and its assistants are suspended.
   */
  change_office_role: z.strictObject({ user_id: userId, office_role: officeRole }),
  /** A one-time password in two halves, as for a role, for an office user who has lost its own; its sessions end, and its assistants are suspended. */
  reset_password: z.strictObject({ user_id: userId }),
  /** Removes all second factors and recovery codes of a user who has lost them, and ends its sessions. */
  reset_factors: z.strictObject({ user_id: userId }),
  /**
   * Makes the personal data of a closed member or agent unreadable for good. Its money and tickets stay, under its user
   * id.
   */
  erase_person: z.strictObject({ user_id: userId }),
  /**
   * Adds the ledger entries that a ticket lacks: its price, win or hold differs from what was moved. The amount cannot
   * be chosen.
   */
  repair_ticket: z.strictObject({ order_id: z.int().check(z.minimum(1)) }),
  /** Void of a ticket after the close, which refunds it. */
  void_order: z.strictObject({ order_id: z.int().check(z.minimum(1)) }),
  /** A payment that makes a balance change its sign by more than a limit. Above 0: received from the user. */
  record_payment: z.strictObject({
    user_id: userId,
    amount_satang: moneyAmount,
    method: paymentMethod,
    /** When the money was handed over, in Bangkok: today or yesterday. */
    day,
    note: z.optional(freeText(1, 200)),
  }),
  /** Changes what a user owes its parent by more than a limit. Above 0: it owes less. */
  adjust_balance: z.strictObject({ user_id: userId, amount_satang: moneyAmount }),
  /** Takes back a payment of another day or by another person. */
  reverse_payment: z.strictObject({ payment_id: z.int().check(z.minimum(1)) }),
  /** Void of a period without a valid draw. Betting ends, every stake is refunded, and it takes no result. */
  void_period: z.strictObject({ period_code: periodCode }),
} as const

export type ApprovalKind = keyof typeof proposalPayloads
export const approvalKinds = /* @__PURE__ */ Object.keys(proposalPayloads) as [ApprovalKind, ...ApprovalKind[]]
export const approvalKind = z.enum(approvalKinds)
export type PayloadOf<K extends ApprovalKind> = z.output<(typeof proposalPayloads)[K]>

function proposalOf<const K extends ApprovalKind>(kind: K) {
  return z.strictObject({ kind: z.literal(kind), payload: proposalPayloads[kind], request_id: requestId, reason })
}
type ProposalOf<K extends ApprovalKind> = ReturnType<typeof proposalOf<K>>

export const proposal = /* @__PURE__ */ z.union(
  approvalKinds.map((kind) => proposalOf(kind)) as { [K in ApprovalKind]: ProposalOf<K> }[ApprovalKind][],
)
export type Proposal = z.output<typeof proposal>

const person = z.strictObject({
  user_id: z.int(),
  username: z.string(),
  display_name: z.string(),
  /** The assistant's principal; null if an assistant did not act. */
  acts_for: z.nullable(z.string()),
})
export type ApprovalPerson = z.output<typeof person>

const facts = z.record(z.string(), z.unknown())

/** `expired`: passed `expires_at` without a decision and can no longer be approved. */
export const approvalState = z.enum(['waiting', 'executed', 'rejected', 'withdrawn', 'expired'])
export type ApprovalState = z.output<typeof approvalState>

export const approval = z.strictObject({
  approval_id: z.int(),
  kind: approvalKind,
  payload: facts,
  /** What the proposal changes: `package:lao-vip/70`. */
  subject: z.string(),
  /** The market of the proposal; null if it concerns none. */
  product_code: z.nullable(productCode),
  /**
   * The subject's state when it was proposed; null if it did not exist. Approval is refused once the state has changed.
   */
  before: z.nullable(facts),
  after: facts,
  /** More figures for the decision, such as theoretical returns. */
  figures: facts,
  reason: z.string(),
  state: approvalState,
  proposed_by: person,
  proposed_at: instant,
  expires_at: instant,
  /** Null if pending or expired, and outside the office, where its users are not named. */
  decided_by: z.nullable(person),
  decided_at: z.nullable(instant),
  decision_reason: z.nullable(z.string()),
  /**
   * Whether the caller may approve or reject it. The caller must not be the proposer, and needs the permission of its
   * kind.
   */
  may_decide: z.boolean(),
  /** Whether the caller may withdraw it, because it is the person who proposed it. */
  may_withdraw: z.boolean(),
})
export type Approval = z.output<typeof approval>

/** The reply to the proposer and to the approver. */
export const approvalWithPassword = z.strictObject({
  ...approval.shape,
  /**
   * The caller's half of a one-time password that the approval sets. It is only in this reply, and null if the call is
   * repeated. The user enters both halves.
   */
  password_half: z.nullable(z.string()),
})
export type ApprovalWithPassword = z.output<typeof approvalWithPassword>

/** Any permission for a change that needs two people. The service checks the one for each kind. */
const anyDo = ['periods.do', 'terms.do', 'credit.do', 'risk.do', 'tickets.do', 'staff.do', 'money.do'] as const
const approvalId = z.strictObject({ approval_id: pathId })

export const proposeApproval = defineRoute({
  ...calls.proposeApproval,
  access: 'console',
  needs: anyDo,
  step_up: true,
  summary:
    'Proposes what one person may not do alone. It is validated now and again when another person approves it within 24 hours. The same request_id with the same content answers with the same proposal',
  body: proposal,
  reply: approvalWithPassword,
})

export const listApprovals = defineRoute({
  ...calls.listApprovals,
  access: 'console',
  needs: permissionsOfApprovals,
  summary:
    'Proposals of the kinds that the caller may see, newest first; only its own and those of its assistants outside the office. Every part of the query narrows the list',
  query: z.strictObject({
    /** `done`: every state except `waiting`. */
    state: z.optional(z.enum([...approvalState.options, 'done'])),
    kind: z.optional(approvalKind),
    product_code: z.optional(productCode),
    page: z.optional(pageNumber),
    ipp: z.optional(queryNumber),
  }),
  reply: z.array(approval),
  /** Count over all pages. */
  top_level: z.strictObject({ total_count: z.int() }),
})

export const getApproval = defineRoute({
  ...calls.getApproval,
  access: 'console',
  needs: permissionsOfApprovals,
  summary: 'One proposal with its consequence. Outside the office, one of the caller or its assistants',
  params: approvalId,
  reply: approval,
})

export const waitingKinds = [...approvalKinds, 'award', 'award_correction'] as const

/** A change that one person has begun and that needs a second approval. */
export const waitingDecision = z.strictObject({
  kind: z.enum(waitingKinds),
  /** The proposal; null for results, which a second call to their own routes decides. */
  approval: z.nullable(approval),
  /** The period of the result. The entered result is not shown until both entries agree. */
  period_code: z.nullable(periodCode),
  /** The market concerned; null if none. */
  product_code: z.nullable(productCode),
  /** The two entries of a result differ, so it needs a review. */
  is_locked: z.boolean(),
  begun_by: person,
  begun_at: instant,
  /** Null if it does not expire. */
  expires_at: z.nullable(instant),
  /** Null if no reason was required. */
  reason: z.nullable(z.string()),
  /** Whether the caller may be the second person. */
  may_decide: z.boolean(),
  /** Whether the caller may withdraw it: its own proposal. */
  may_withdraw: z.boolean(),
})
export type WaitingDecision = z.output<typeof waitingDecision>

export const listWaitingDecisions = defineRoute({
  ...calls.listWaitingDecisions,
  access: 'office',
  needs: permissionsOfApprovals,
  summary:
    'Everything that waits for a second person, of the areas that the caller may view: proposals and results. Oldest first',
  query: z.strictObject({ kind: z.optional(z.enum(waitingKinds)), product_code: z.optional(productCode) }),
  reply: z.array(waitingDecision),
})

export const countWaitingDecisions = defineRoute({
  ...calls.countWaitingDecisions,
  access: 'office',
  needs: permissionsOfApprovals,
  summary: 'How much of that waits, and how much of it the caller may decide',
  reply: z.strictObject({ waiting: z.int(), to_decide: z.int() }),
})

/**
 * - `executed`: approved and carried out. `rejected`: by another person. `withdrawn`: by the proposer
 * - `expired`: the proposal was not decided in time
 * - `agreed`: both entries of a result were equal. `differed`: they were not, and the period is locked
 * - `removed`: the entries of a result were removed, to be entered again
 */
export const decidedOutcome = z.enum(['executed', 'rejected', 'withdrawn', 'expired', 'agreed', 'differed', 'removed'])
export type DecidedOutcome = z.output<typeof decidedOutcome>

/** A change that one person began and another decided, or that expired. */
export const decidedDecision = z.strictObject({
  /** Position in the list, unique per decision. */
  cursor: z.string(),
  kind: z.enum(waitingKinds),
  outcome: decidedOutcome,
  /** The proposal; null for results. */
  approval: z.nullable(approval),
  /** The period of the result. The drawn numbers are not in this list. */
  period_code: z.nullable(periodCode),
  product_code: z.nullable(productCode),
  /** Who asked, when and why; null if unknown. */
  begun_by: z.nullable(person),
  begun_at: z.nullable(instant),
  begun_reason: z.nullable(z.string()),
  /** Null if it expired. */
  decided_by: z.nullable(person),
  decided_at: instant,
  /** Null if none was given. */
  reason: z.nullable(z.string()),
})
export type DecidedDecision = z.output<typeof decidedDecision>

/** A decision's position in the list of decisions. */
const decidedCursor = z.string().check(z.regex(/^\d{1,16}\.-?\d{1,15}$/))

export const listDecidedDecisions = defineRoute({
  ...calls.listDecidedDecisions,
  access: 'office',
  needs: permissionsOfApprovals,
  summary:
    'Everything that two people have decided, of the areas that the caller may view: proposals, with those that have expired, and results. Newest first',
  query: z.strictObject({
    /** Only decisions after this `cursor`, for the next page. */
    before: z.optional(decidedCursor),
    /**
     * Only the caller's own proposals that others rejected in the last seven days and that the caller has not read yet.
     */
    own_rejected: z.optional(z.literal('true')),
    ipp: z.optional(queryNumber),
  }),
  reply: z.array(decidedDecision),
  /** `before` of the next page; null if there are no more. */
  top_level: z.strictObject({ next_before: z.nullable(z.string()) }),
})

export const readRejections = defineRoute({
  ...calls.readRejections,
  access: 'office',
  needs: permissionsOfApprovals,
  summary: "Marks rejections of the caller's own proposals as read, up to a decision",
  body: z.strictObject({ up_to: decidedCursor }),
  reply: z.strictObject({}),
})

export const approveProposal = defineRoute({
  ...calls.approveProposal,
  access: 'office',
  needs: anyDo,
  step_up: true,
  summary: 'Approves the proposal of another person and executes it, once',
  params: approvalId,
  body: z.strictObject({ reason: z.optional(reason) }),
  reply: approvalWithPassword,
})

export const rejectProposal = defineRoute({
  ...calls.rejectProposal,
  access: 'office',
  needs: anyDo,
  step_up: true,
  summary: 'Rejects the proposal of another person',
  params: approvalId,
  body: z.strictObject({ reason }),
  reply: approval,
})

export const withdrawProposal = defineRoute({
  ...calls.withdrawProposal,
  access: 'console',
  needs: anyDo,
  summary: "Withdraws the caller's own proposal",
  params: approvalId,
  body: z.strictObject({ reason }),
  reply: approval,
})
