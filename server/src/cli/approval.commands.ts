// The commands about what needs two people: what waits, and approving, rejecting or withdrawing it. Commands that one person
// may not run alone make a proposal, and say so.

import { randomUUID } from 'node:crypto'
import { parseArgs } from 'node:util'
import * as contract from '@megalot/contract'
import type { Approval, ApprovalKind, ApprovalWithPassword, PayloadOf, WaitingDecision } from '@megalot/contract'
import {
  approveProposal,
  listWaitingDecisions,
  proposeApproval,
  rejectProposal,
  withdrawProposal,
} from '../modules/approvals/index.ts'
import type { MissingEntry } from '../modules/orders/index.ts'
import { Refusal } from '../platform/refusal.ts'
import { type Command, readAs, readId, readReason, type SignedInCall, text } from './command.ts'

/** Proposes something for another office user to approve. @returns the text to print */
export async function proposeFor<K extends ApprovalKind>(
  { db, caller }: SignedInCall,
  kind: K,
  payload: PayloadOf<K>,
  reason: string | undefined,
): Promise<string> {
  const given = { kind, payload, reason: readReason(reason), request_id: randomUUID() }
  return describeProposal(await proposeApproval(db, caller, readAs(contract.proposal, given)))
}

/** Does something, or proposes it where it needs two people. @returns the text to print */
export async function doOrPropose<K extends ApprovalKind>(
  call: SignedInCall,
  act: () => Promise<string>,
  proposal: { kind: K; payload: PayloadOf<K>; reason: string | undefined },
): Promise<string> {
  try {
    return await act()
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'approval_needed') throw error
    return proposeFor(call, proposal.kind, proposal.payload, proposal.reason)
  }
}

function describeProposal(proposed: ApprovalWithPassword): string {
  const { approval_id, kind, subject, expires_at, password_half } = proposed
  return `${kind} of ${subject} needs two people: proposed as approval ${approval_id}${describeEntries(proposed)}\nAnother office user must approve it before ${expires_at}: approve ${approval_id}${describeHalf(password_half)}`
}

/** What the repair of a ticket moves, a line each. */
function describeEntries({ figures: { entries = [] } }: Approval): string {
  return (entries as MissingEntry[])
    .map(({ kind, from, to, amount_satang }) => `\n${kind} of ${amount_satang} satang from ${from} to ${to}`)
    .join('')
}

/** Half of a one-time password, shown this once. */
function describeHalf(password_half: string | null): string {
  if (password_half === null) return ''
  return `\nYour half of the one-time password, shown only now: ${password_half}\nThe user needs your half and that of the other person`
}

async function showWaiting({ db, caller }: SignedInCall): Promise<string> {
  const waiting = await listWaitingDecisions(db, caller)
  return waiting.map(describeWaiting).join('\n') || 'nothing waits for a second person'
}

function describeWaiting(decision: WaitingDecision): string {
  const { kind, approval, void_request_id, order_id, period_code, begun_by, reason, ...one } = decision
  const name = approval ? `approval ${approval.approval_id}` : order_id === null ? period_code : `ticket ${order_id}`
  const what = approval ? `${approval.subject} ${describeChange(approval)}` : one.is_locked ? 'the entries differ' : ''
  const request = void_request_id === null ? '' : `request ${void_request_id}`
  return [
    name,
    kind,
    request,
    `by ${begun_by.username}`,
    what,
    reason ?? '',
    one.may_decide ? '' : '(not yours to decide)',
  ]
    .filter((part) => part !== '')
    .join('  ')
}

function describeChange({ before, after, figures }: Approval): string {
  const shown = Object.keys(figures).length > 0 ? ` ${JSON.stringify(figures)}` : ''
  return `${before ? `${JSON.stringify(before)} → ` : ''}${JSON.stringify(after)}${shown}`
}

type Decide = (...given: Parameters<typeof rejectProposal>) => Promise<Approval & { password_half?: string | null }>

async function decide(call: SignedInCall, act: Decide, done: string): Promise<string> {
  const { values, positionals } = parseArgs({ args: call.args, options: { reason: text }, allowPositionals: true })
  const approval_id = readId(positionals[0], 'ID', 'an approval')
  const {
    kind,
    subject,
    password_half = null,
  } = await act(call.db, call.caller, approval_id, readReason(values.reason))
  return `approval ${approval_id}: ${done}, ${kind} of ${subject}${describeHalf(password_half)}`
}

export const approvalCommands: Readonly<Record<string, Command>> = {
  approvals: {
    usage: 'approvals',
    help: 'what waits for a second person: proposals, voids and results',
    authority: contract.listWaitingDecisions,
    run: showWaiting,
  },
  approve: {
    usage: 'approve ID --reason TEXT',
    help: 'approves the proposal of another office user, which executes it',
    authority: contract.approveProposal,
    run: (call) => decide(call, approveProposal, 'executed'),
  },
  reject: {
    usage: 'reject ID --reason TEXT',
    help: 'rejects the proposal of another office user',
    authority: contract.rejectProposal,
    run: (call) => decide(call, rejectProposal, 'rejected'),
  },
  withdraw: {
    usage: 'withdraw ID --reason TEXT',
    help: 'withdraws your own proposal',
    authority: contract.withdrawProposal,
    run: (call) => decide(call, withdrawProposal, 'withdrawn'),
  },
}
