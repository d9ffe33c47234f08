// Approvals: what one person of the office may not do alone. One proposes, another approves, and the approval executes it.
// Voids and results keep the calls by which two people make them; here they are listed with everything else that waits.

import * as z from 'zod/mini'
import { permissionsOfApprovals } from '../permissions.ts'
import { defineRoute } from '../route.ts'
import {
  instant,
  officeRole,
  orderStatus,
  pageNumber,
  pathId,
  periodCode,
  productCode,
  queryNumber,
  reason,
  requestId,
  satang,
  voidRequestId,
} from '../wire.ts'
import { creditLimit, givenShareTerms } from './downline.ts'
import { newPeriod, newTerms, packageParams } from './markets.ts'
import { marketQuota, packageQuotaChange, periodQuotaChange } from './quotas.ts'
import { timetableChange } from './timetables.ts'

const time = z.iso.datetime({ offset: true })
const userId = z.int().check(z.minimum(1))

/** Of a period that still accepts bets, or will. */
export const periodMove = z.strictObject({
  period_code: periodCode,
  /** Only of a period that has not opened; absent: it stays. */
  open_at: z.optional(time),
  close_at: time,
  draw_at: time,
})
export type PeriodMove = z.output<typeof periodMove>

/** Of a period that still accepts bets, or will: its draw is held up to seven days later. It opens as before, and its tickets stay. */
export const periodPostponement = z.strictObject({ period_code: periodCode, close_at: time, draw_at: time })
export type PeriodPostponement = z.output<typeof periodPostponement>

/** What is proposed for each kind. */
export const proposalPayloads = {
  /** A period beside the timetable. */
  create_period: newPeriod,
  /** Other times for a period. */
  move_period: periodMove,
  /** A later draw and close for a period, on another day. */
  postpone_period: periodPostponement,
  /** Other days or hours for the periods of a market, from a day on. */
  change_timetable: timetableChange,
  /** Terms of a package with a theoretical return above 100 %. */
  change_game_config: z.strictObject({ ...packageParams.shape, ...newTerms.shape }),
  /** A commission directly below the company with which some terms return more than 100 %. */
  change_share_terms: z.strictObject({ user_id: userId, ...givenShareTerms.shape }),
  /** The credit limit of the company itself. */
  change_credit_limit: z.strictObject({ user_id: userId, credit_limit_satang: creditLimit }),
  /** A standing quota of a market above its present one, or a first one above that of a package. */
  set_quota: marketQuota,
  /** A quota of one period above the standing one of its market. */
  set_period_quota: periodQuotaChange,
  /** A higher quota of a package, where the market has none for the bet type. */
  set_package_quota: packageQuotaChange,
  /**
   * A role that may do more than the user's present one. The user gets a one-time password of which proposer and approver
   * know a half each; its sessions end, its second factors are removed, and its
   * assistants are suspended.
   */
  change_office_role: z.strictObject({ user_id: userId, office_role: officeRole }),
  /** A one-time password in two halves, as for a role, for an office user who has lost its own; its sessions end, and its assistants are suspended. */
  reset_password: z.strictObject({ user_id: userId }),
  /** All second factors and recovery codes of a user who has lost them; its sessions end. */
  reset_factors: z.strictObject({ user_id: userId }),
  /** The entries that a ticket lacks: what it costs, has won or holds is other than what was moved. No amount is chosen. */
  repair_ticket: z.strictObject({ order_id: z.int().check(z.minimum(1)) }),
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
  /** For whom an assistant acted; null for everybody else. */
  acts_for: z.nullable(z.string()),
})
export type ApprovalPerson = z.output<typeof person>

const facts = z.record(z.string(), z.unknown())

/** `expired`: it waited longer than `expires_at`, and can no longer be approved. */
export const approvalState = z.enum(['waiting', 'executed', 'rejected', 'withdrawn', 'expired'])
export type ApprovalState = z.output<typeof approvalState>

export const approval = z.strictObject({
  approval_id: z.int(),
  kind: approvalKind,
  payload: facts,
  /** What it concerns: `package:lao-vip/70`. */
  subject: z.string(),
  /** The market that it concerns; null where it concerns none. */
  product_code: z.nullable(productCode),
  /** The present state, when it was proposed; null where there is none. A proposal is refused once it is another. */
  before: z.nullable(facts),
  after: facts,
  /** Further figures for whoever decides, such as theoretical returns. */
  figures: facts,
  reason: z.string(),
  state: approvalState,
  proposed_by: person,
  proposed_at: instant,
  expires_at: instant,
  /** Null while it waits, and where it expired. */
  decided_by: z.nullable(person),
  decided_at: z.nullable(instant),
  decision_reason: z.nullable(z.string()),
  /** Whether the caller may approve or reject it: another person than the proposer, with the permission of its kind. */
  may_decide: z.boolean(),
  /** Whether the caller may withdraw it: the proposer, as a person. */
  may_withdraw: z.boolean(),
})
export type Approval = z.output<typeof approval>

/** The reply to whoever proposes or approves. */
export const approvalWithPassword = z.strictObject({
  ...approval.shape,
  /**
   * Where the approval gives a user a one-time password: the half of it that the caller hands on. It is in this reply and
   * nowhere else, and null in a repeated one. The user enters both halves.
   */
  password_half: z.nullable(z.string()),
})
export type ApprovalWithPassword = z.output<typeof approvalWithPassword>

/** Any permission to do what needs two people; the service allows each kind by its own. */
const anyDo = ['periods.do', 'terms.do', 'credit.do', 'risk.do', 'tickets.do', 'staff.do'] as const
const approvalId = z.strictObject({ approval_id: pathId })

export const proposeApproval = defineRoute({
  name: 'proposeApproval',
  method: 'POST',
  path: '/api/admin/approval/propose',
  access: 'office',
  needs: anyDo,
  step_up: true,
  summary:
    'Proposes what one person may not do alone. It is validated now and again when another person approves it within 24 hours. The same request_id with the same content answers with the same proposal',
  body: proposal,
  reply: approvalWithPassword,
})

export const listApprovals = defineRoute({
  name: 'listApprovals',
  method: 'GET',
  path: '/api/admin/approval',
  access: 'office',
  needs: permissionsOfApprovals,
  summary: 'Proposals of the kinds that the caller may see, newest first. Every part of the query narrows the list',
  query: z.strictObject({
    /** `done`: every state but `waiting`. */
    state: z.optional(z.enum([...approvalState.options, 'done'])),
    kind: z.optional(approvalKind),
    product_code: z.optional(productCode),
    page: z.optional(pageNumber),
    ipp: z.optional(queryNumber),
  }),
  reply: z.array(approval),
  /** How many there are on all pages. */
  top_level: z.strictObject({ total_count: z.int() }),
})

export const getApproval = defineRoute({
  name: 'getApproval',
  method: 'GET',
  path: '/api/admin/approval/:approval_id',
  access: 'office',
  needs: permissionsOfApprovals,
  summary: 'One proposal with its consequence',
  params: approvalId,
  reply: approval,
})

export const waitingKinds = [...approvalKinds, 'void_order', 'void_period', 'award', 'award_correction'] as const

/** What has been begun by one person and waits for a second. */
export const waitingDecision = z.strictObject({
  kind: z.enum(waitingKinds),
  /** Of a proposal; null for voids and results, which a second call of their own routes decides. */
  approval: z.nullable(approval),
  /** Of a void: its approval, rejection or withdrawal names it. */
  void_request_id: z.nullable(voidRequestId),
  /** Of a ticket to be voided. */
  order_id: z.nullable(z.int()),
  /** Of a ticket or a period to be voided, or of a result. Numbers of results are shown to nobody before they agree. */
  period_code: z.nullable(periodCode),
  /** The market that it concerns; null where it concerns none. */
  product_code: z.nullable(productCode),
  /** Of a ticket to be voided: whose it is, and what the void gives back. */
  order: z.nullable(
    z.strictObject({ username: z.string(), status: orderStatus, received_satang: satang, discount_satang: satang }),
  ),
  /** Two entries of a result differ: it waits for a review. */
  is_locked: z.boolean(),
  begun_by: person,
  begun_at: instant,
  /** Null: it does not expire. */
  expires_at: z.nullable(instant),
  /** Null: none was asked for. */
  reason: z.nullable(z.string()),
  /** Whether the caller may be the second person. */
  may_decide: z.boolean(),
  /** Whether the caller may withdraw it: a proposal or the void of a ticket, begun by the same person. */
  may_withdraw: z.boolean(),
})
export type WaitingDecision = z.output<typeof waitingDecision>

export const listWaitingDecisions = defineRoute({
  name: 'listWaitingDecisions',
  method: 'GET',
  path: '/api/admin/approval/waiting',
  access: 'office',
  needs: permissionsOfApprovals,
  summary:
    'Everything that waits for a second person, of the areas that the caller may view: proposals, voids and results. Oldest first',
  query: z.strictObject({ kind: z.optional(z.enum(waitingKinds)), product_code: z.optional(productCode) }),
  reply: z.array(waitingDecision),
})

export const countWaitingDecisions = defineRoute({
  name: 'countWaitingDecisions',
  method: 'GET',
  path: '/api/admin/approval/waiting_count',
  access: 'office',
  needs: permissionsOfApprovals,
  summary: 'How much of that waits, and how much of it the caller may decide',
  reply: z.strictObject({ waiting: z.int(), to_decide: z.int() }),
})

/**
 * - `executed`: it was approved, and done. `rejected` by another person, `withdrawn` by the same one
 * - `expired`: nobody decided the proposal in time
 * - `agreed`: two entries of a result were equal. `differed`: they were not, and the period is locked
 * - `removed`: entries of a result were removed, to be made again
 */
export const decidedOutcome = z.enum(['executed', 'rejected', 'withdrawn', 'expired', 'agreed', 'differed', 'removed'])
export type DecidedOutcome = z.output<typeof decidedOutcome>

/** What one person has begun and another one has ended, or has expired. */
export const decidedDecision = z.strictObject({
  /** Where it stands in the list: of all decisions another one. */
  cursor: z.string(),
  kind: z.enum(waitingKinds),
  outcome: decidedOutcome,
  /** Of a proposal; null for voids and results. */
  approval: z.nullable(approval),
  /** Of the void of a ticket. */
  order_id: z.nullable(z.int()),
  /** Of the void of a period, or of a result; its numbers are not in this list. */
  period_code: z.nullable(periodCode),
  product_code: z.nullable(productCode),
  /** Who asked, when and why; null where that is not known. */
  begun_by: z.nullable(person),
  begun_at: z.nullable(instant),
  begun_reason: z.nullable(z.string()),
  /** Null: it has expired. */
  decided_by: z.nullable(person),
  decided_at: instant,
  /** Null: none was given. */
  reason: z.nullable(z.string()),
})
export type DecidedDecision = z.output<typeof decidedDecision>

/** Where a decision stands in the list of all that were decided. */
const decidedCursor = z.string().check(z.regex(/^\d{1,16}\.-?\d{1,15}$/))

export const listDecidedDecisions = defineRoute({
  name: 'listDecidedDecisions',
  method: 'GET',
  path: '/api/admin/approval/decided',
  access: 'office',
  needs: permissionsOfApprovals,
  summary:
    'Everything that two people have decided, of the areas that the caller may view: proposals, with those that have expired, voids and results. Newest first',
  query: z.strictObject({
    /** Only what comes after this `cursor`, for the next part. */
    before: z.optional(decidedCursor),
    /** Only what others have rejected, in the last seven days, of what the caller has begun and has not read about yet. */
    own_rejected: z.optional(z.literal('true')),
    ipp: z.optional(queryNumber),
  }),
  reply: z.array(decidedDecision),
  /** `before` of the next part; null: there are no more. */
  top_level: z.strictObject({ next_before: z.nullable(z.string()) }),
})

export const readRejections = defineRoute({
  name: 'readRejections',
  method: 'POST',
  path: '/api/admin/approval/rejections_read',
  access: 'office',
  needs: permissionsOfApprovals,
  summary: 'Notes that the caller has read what others have rejected of what it has begun, up to a decision',
  body: z.strictObject({ up_to: decidedCursor }),
  reply: z.strictObject({}),
})

export const approveProposal = defineRoute({
  name: 'approveProposal',
  method: 'POST',
  path: '/api/admin/approval/:approval_id/approve',
  access: 'office',
  needs: anyDo,
  step_up: true,
  summary: 'Approves the proposal of another person and executes it, once',
  params: approvalId,
  body: z.strictObject({ reason: z.optional(reason) }),
  reply: approvalWithPassword,
})

export const rejectProposal = defineRoute({
  name: 'rejectProposal',
  method: 'POST',
  path: '/api/admin/approval/:approval_id/reject',
  access: 'office',
  needs: anyDo,
  step_up: true,
  summary: 'Rejects the proposal of another person',
  params: approvalId,
  body: z.strictObject({ reason }),
  reply: approval,
})

export const withdrawProposal = defineRoute({
  name: 'withdrawProposal',
  method: 'POST',
  path: '/api/admin/approval/:approval_id/withdraw',
  access: 'office',
  needs: anyDo,
  summary: "Withdraws the caller's own proposal",
  params: approvalId,
  body: z.strictObject({ reason }),
  reply: approval,
})
