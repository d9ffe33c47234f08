// Payments, adjustments and reversals: what a parent records of its direct children. None of them writes a credit limit.

import * as contract from '@megalot/contract'
import { receiptNumber, MAX_ADJUSTED_SATANG, MAX_PAST_ZERO_SATANG } from '@megalot/contract'
import * as z from 'zod/mini'
import { type By, type ChangeCaller, defineChange } from '../changes/index.ts'
import { getAccessibleUser } from '../identity/accounts/index.ts'
import { defineBulk, type RowDecision, withParents } from '../identity/people/index.ts'
import { addDays } from '../lib/bangkok.ts'
import { Refusal } from '../lib/refusal.ts'
import type { Db } from '../postgres/db.ts'
import { type EdgeState, findOwnerId, listEdgeStates, locksOfEdges } from './edges.store.ts'
import {
  type EdgeActivity,
  findEdgeActivity,
  findPayment,
  insertPayments,
  type NewPayment,
  type PaymentRecord,
} from './payments.store.ts'
import { findToday } from './week.ts'

/** What a payment, adjustment or reversal does to an edge, from the parent's side, or why it is refused. */
function decideEdgeChange(
  { balance_satang, remain_satang }: EdgeState,
  amount_satang: number,
  { permissions }: ChangeCaller,
): RowDecision & { needsTwo?: { most_satang: number } } {
  const seesCredit = permissions.has('credit.view')
  if (amount_satang === 0) return { code: 'bad_input', details: { fields: ['amount_satang'] } }
  if (amount_satang < 0 && remain_satang !== null && remain_satang + amount_satang < 0)
    return { code: 'payment_over_credit', details: seesCredit ? { most_satang: Math.max(0, remain_satang) } : {} }
  const owed = 0 - balance_satang
  const after = owed - amount_satang
  const remain = (satang: number) => (remain_satang === null || !seesCredit ? {} : { credit_remain_satang: satang })
  // On the other side of 0, so that no chain of payments gives a member credit that its parent does not have.
  const isBeyond = Math.sign(after) === 0 - Math.sign(amount_satang) && Math.abs(after) > MAX_PAST_ZERO_SATANG
  return {
    before: { balance_satang: owed, ...remain(remain_satang ?? 0) },
    after: { balance_satang: after, ...remain((remain_satang ?? 0) + amount_satang), amount_satang },
    isChanged: true,
    ...(isBeyond && { needsTwo: { most_satang: MAX_PAST_ZERO_SATANG } }),
  }
}

/** The recorder, who holds the cash. For an approved proposal, its proposer. */
const recorderOf = ({ caller, proposed_by }: By): number => proposed_by ?? caller.actor_id

const recordBody = z.pick(contract.recordPayments.body, { rows: true, note: true })

/**
 * Records payments of direct children, each row by itself. Rows are refused with not_allowed (no child of the caller;
 * for the office, of the company), payment_over_credit, approval_needed, and bad_input (an amount of 0).
 */
export const recordPayments = defineBulk({
  name: 'record_payments',
  action: 'record_payment',
  needs: 'money.do',
  input: recordBody,
  rowsOf: ({ rows }) => rows,
  find: (db, _input, caller) => findOwnerId(db, caller),
  locks: (users) =>
    locksOfEdges(
      users.map(({ user_id }) => user_id),
      withParents(users),
      'purse',
    ),
  async load({ tx }, users, owner_id) {
    return {
      owner_id,
      edges: await listEdgeStates(
        tx,
        users.map(({ user_id }) => user_id),
      ),
    }
  },
  decideRow({ edges, owner_id }, { row, user }, input, { caller }): RowDecision {
    if (user.parent_id !== owner_id) return { code: 'not_allowed' }
    const { needsTwo, ...decision } = decideEdgeChange(edges.get(user.user_id)!, row.amount_satang, caller)
    if (needsTwo) return { code: 'approval_needed', details: { kind: 'record_payment', ...needsTwo } }
    if ('code' in decision) return decision
    const note = row.note ?? input.note
    return { ...decision, after: { ...decision.after, method: row.method, ...(note !== undefined && { note }) } }
  },
  async write({ tx, by }, rows, { edges }, { note }) {
    const ids = await insertPayments(
      tx,
      rows.map(({ row, user }): NewPayment => {
        const { user_id, parent_id, balance_satang } = edges.get(user.user_id)!
        return {
          child_id: user_id,
          parent_id,
          kind: 'payment',
          amount_satang: row.amount_satang,
          balance_after_satang: balance_satang + row.amount_satang,
          method: row.method,
          days_ago: row.day === 'yesterday' ? 1 : 0,
          note: row.note ?? note ?? null,
          reverses_id: null,
          holder_id: recorderOf(by),
          recorded_by: recorderOf(by),
        }
      }),
    )
    for (const { user, after } of rows) after.payment_id = ids.get(user.user_id)!
  },
})

/**
 * The parent of a user, if the caller may record for it. A second person of the office may approve for any edge.
 * @throws Refusal not_found, not_allowed (no child of the caller; for the office, of the company)
 */
async function findParent(
  db: Db,
  user_id: number,
  caller: ChangeCaller,
): Promise<{ parent_id: number; isOwn: boolean }> {
  const { parent_id, is_office } = await getAccessibleUser(db, caller, user_id)
  if (parent_id === null || is_office) throw new Refusal('not_allowed')
  return { parent_id, isOwn: parent_id === (await findOwnerId(db, caller)) }
}

/** @throws Refusal not_allowed */
function requireOwn({ isOwn }: { isOwn: boolean }, { proposed_by }: By): void {
  if (!isOwn && proposed_by === undefined) throw new Refusal('not_allowed')
}

/** What a change of one edge by one person or two is decided on. */
interface SingleEdge extends EdgeState, EdgeActivity {
  today: string
}

async function loadEdge(db: Db, user_id: number): Promise<SingleEdge> {
  return {
    ...(await listEdgeStates(db, [user_id])).get(user_id)!,
    ...(await findEdgeActivity(db, user_id)),
    today: await findToday(db),
  }
}

/** What one person records of one child beyond payments in bulk. The outcome is the payment's id. */
interface SinglePlan {
  edge: SingleEdge
  payment: Omit<
    NewPayment,
    'child_id' | 'parent_id' | 'balance_after_satang' | 'days_ago' | 'holder_id' | 'recorded_by'
  > & {
    days_ago?: number
    holder_id?: number
  }
}

async function writeSingle(
  tx: Parameters<typeof insertPayments>[0],
  by: By,
  { edge, payment }: SinglePlan,
): Promise<number> {
  const recorder = recorderOf(by)
  const ids = await insertPayments(tx, [
    {
      child_id: edge.user_id,
      parent_id: edge.parent_id,
      balance_after_satang: edge.balance_satang + payment.amount_satang,
      days_ago: 0,
      holder_id: recorder,
      recorded_by: recorder,
      ...payment,
    },
  ])
  return ids.get(edge.user_id)!
}

/** What a proposal depends on: other payments of the edge, and not its balance, which moves with settled periods. */
const sinceProposal = ({ last_payment_id, username, display_name }: SingleEdge) => ({
  before: { last_payment_id },
  figures: { username, display_name },
  onlyOne: true as const,
})

/** @throws Refusal the code of a refused decision */
function accept(decision: RowDecision): Exclude<RowDecision, { code: unknown }> {
  if ('code' in decision) throw new Refusal(decision.code, decision.details)
  return decision
}

/**
 * A payment by two people, because it carries the balance past 0 by more than the limit.
 * @throws Refusal not_found, not_allowed, payment_over_credit, bad_input
 */
export const recordPayment = defineChange({
  name: 'record_payment',
  needs: 'money.do',
  input: contract.proposalPayloads.record_payment,
  find: (db, { user_id }, caller) => findParent(db, user_id, caller),
  locks: ({ user_id }, { parent_id }) => locksOfEdges([user_id], [parent_id], 'purse'),
  async load({ tx }, { user_id }, found) {
    return { edge: await loadEdge(tx, user_id), found }
  },
  decide({ edge, found }, { user_id, amount_satang, method, day, note = null }, by) {
    requireOwn(found, by)
    // A proposal of yesterday's payment can be approved tomorrow.
    const allowed = by.proposed_by === undefined ? [0, 1] : [0, 1, 2]
    const days_ago = allowed.find((days) => addDays(edge.today, 0 - days) === day)
    if (days_ago === undefined)
      throw new Refusal('bad_input', { problems: [{ part: 'body', path: '/day', rule: 'range' }] })
    const { before, after } = accept(decideEdgeChange(edge, amount_satang, by.caller))
    const payment = { kind: 'payment' as const, amount_satang, method, days_ago, note, reverses_id: null }
    return {
      plan: { edge, payment },
      rows: [{ subject: `user:${user_id}`, before, after: { ...after, method } }],
      needsTwo: { most_satang: MAX_PAST_ZERO_SATANG },
      proposal: { ...sinceProposal(edge), after: { amount_satang, method, day } },
    }
  },
  write: async ({ tx, by }, plan) => ({ outcome: await writeSingle(tx, by, plan) }),
})

/**
 * Changes what a child owes its parent; the parent's result bears it.
 * @throws Refusal not_found, not_allowed, payment_over_credit, bad_input
 */
export const adjustBalance = defineChange({
  name: 'adjust_balance',
  needs: 'money.do',
  input: contract.proposalPayloads.adjust_balance,
  find: (db, { user_id }, caller) => findParent(db, user_id, caller),
  locks: ({ user_id }, { parent_id }) => locksOfEdges([user_id], [parent_id], 'result'),
  async load({ tx }, { user_id }, found) {
    return { edge: await loadEdge(tx, user_id), found }
  },
  decide({ edge, found }, { user_id, amount_satang }, by) {
    requireOwn(found, by)
    const decision = decideEdgeChange(edge, amount_satang, by.caller)
    const { before, after } = accept(decision)
    const adjusted_satang = edge.adjusted_today_satang + Math.abs(amount_satang)
    const payment = {
      kind: 'adjustment' as const,
      amount_satang,
      method: null,
      note: by.reason ?? null,
      reverses_id: null,
    }
    return {
      plan: { edge, payment },
      rows: [{ subject: `user:${user_id}`, before, after }],
      needsTwo: decision.needsTwo ?? (adjusted_satang > MAX_ADJUSTED_SATANG && { most_satang: MAX_ADJUSTED_SATANG }),
      proposal: { ...sinceProposal(edge), after: { amount_satang } },
    }
  },
  write: async ({ tx, by }, plan) => ({ outcome: await writeSingle(tx, by, plan) }),
})

/**
 * Takes back a payment or adjustment. Alone only the caller's own of the same day, within the limit of a payment.
 * @throws Refusal not_found, not_allowed, payment_reversed, payment_over_credit
 */
export const reversePayment = defineChange({
  name: 'reverse_payment',
  needs: 'money.do',
  input: contract.proposalPayloads.reverse_payment,
  async find(db, { payment_id }, caller) {
    const payment = await findPayment(db, payment_id)
    if (!payment) throw new Refusal('not_found')
    return { ...(await findParent(db, payment.child_id, caller)), payment }
  },
  locks: (_input, { payment: { child_id, parent_id, kind } }) =>
    locksOfEdges([child_id], [parent_id], kind === 'payment' ? 'purse' : 'result'),
  async load({ tx }, { payment_id }, found) {
    const payment: PaymentRecord = (await findPayment(tx, payment_id))!
    return { edge: await loadEdge(tx, payment.child_id), payment, found }
  },
  decide({ edge, payment, found }, { payment_id }, by) {
    requireOwn(found, by)
    const { kind, amount_satang, method, holder_id, recorded_by, child_id } = payment
    if (payment.reversed_by_id !== null || payment.reverses_id !== null) throw new Refusal('payment_reversed')
    const decision = decideEdgeChange(edge, 0 - amount_satang, by.caller)
    const { before, after } = accept(decision)
    const isOwn = recorded_by === by.caller.actor_id && payment.is_today
    // Taking back the latest payment restores what was; an earlier one can carry the balance further.
    const needsTwo = isOwn ? payment_id !== edge.last_payment_id && decision.needsTwo : {}
    return {
      plan: {
        edge,
        payment: {
          kind,
          amount_satang: 0 - amount_satang,
          method,
          note: by.reason ?? null,
          reverses_id: payment_id,
          holder_id,
        },
      },
      rows: [{ subject: `user:${child_id}`, before, after: { ...after, reverses_id: payment_id } }],
      needsTwo,
      proposal: {
        ...sinceProposal(edge),
        before: null,
        after: { amount_satang: 0 - amount_satang, receipt: receiptNumber(payment_id) },
      },
    }
  },
  write: async ({ tx, by }, plan) => ({ outcome: await writeSingle(tx, by, plan) }),
})
