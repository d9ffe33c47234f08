// Commands that propose changes without a form in the console. Another office user approves them there.

import { randomUUID } from 'node:crypto'
import { parseArgs } from 'node:util'
import * as contract from '@megalot/contract'
import type { Approval, ApprovalKind, PayloadOf } from '@megalot/contract'
import { findUser, getCompanyId } from '../identity/accounts/index.ts'
import { proposeApproval } from '../changes/approvals/index.ts'
import type { MissingEntry } from '../betting/index.ts'
import { type Command, readAs, readBaht, readId, readReason, required, type SignedInCall, text } from './command.ts'

/**
 * Proposes something for another office user to approve.
 * @returns the text to print
 */
async function propose<K extends ApprovalKind>(
  { db, caller }: SignedInCall,
  kind: K,
  payload: PayloadOf<K>,
  reason: string | undefined,
): Promise<string> {
  const given = { kind, payload, reason: readReason(reason), request_id: randomUUID() }
  const proposed = await proposeApproval(db, caller, readAs(contract.proposal, given))
  const { approval_id, subject, expires_at } = proposed
  return `${kind} of ${subject} needs two people: proposed as approval ${approval_id}${describeEntries(proposed)}\nAnother office user must approve it on the console before ${expires_at}`
}

/** The movements of a ticket's repair, one per line. */
function describeEntries({ figures: { entries = [] } }: Approval): string {
  return (entries as MissingEntry[])
    .map(({ kind, from, to, amount_satang }) => `\n${kind} of ${amount_satang} satang from ${from} to ${to}`)
    .join('')
}

async function proposeRepair(call: SignedInCall): Promise<string> {
  const { values, positionals } = parseArgs({ args: call.args, options: { reason: text }, allowPositionals: true })
  return propose(call, 'repair_ticket', { order_id: readId(positionals[0], 'TICKET', 'a ticket') }, values.reason)
}

async function proposeFactorReset(call: SignedInCall): Promise<string> {
  const { values, positionals } = parseArgs({ args: call.args, options: { reason: text }, allowPositionals: true })
  const username = required(positionals[0], 'USERNAME')
  const user = await findUser(call.db, { username })
  if (!user) throw new Error(`There is no user ${username}`)
  return propose(call, 'reset_factors', { user_id: user.user_id }, values.reason)
}

async function proposeCompanyCredit(call: SignedInCall): Promise<string> {
  const { values } = parseArgs({ args: call.args, options: { credit: text, reason: text } })
  const user_id = await getCompanyId(call.db)
  const credit_limit_satang = readBaht(required(values.credit, '--credit'), '--credit')
  return propose(call, 'change_credit_limit', { user_id, credit_limit_satang }, values.reason)
}

export const proposalCommands: Readonly<Record<string, Command>> = {
  'ticket-repair': {
    usage: 'ticket-repair TICKET --reason TEXT',
    help: 'proposes the entries that a ticket lacks, where what was moved is not what it costs, has won or holds',
    authority: { access: 'office', needs: 'tickets.do' },
    run: proposeRepair,
  },
  'factors-reset': {
    usage: 'factors-reset USERNAME --reason TEXT',
    help: 'proposes that all second factors of a user, who has lost them, are removed',
    authority: contract.proposeApproval,
    run: proposeFactorReset,
  },
  'company-credit': {
    usage: 'company-credit --credit BAHT --reason TEXT',
    help: 'proposes another credit limit of the company',
    authority: contract.proposeApproval,
    run: proposeCompanyCredit,
  },
}
