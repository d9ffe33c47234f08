// Photos of slips, and disputes of payments with their answers.

import * as contract from '@megalot/contract'
import * as z from 'zod/mini'
import { defineChange } from '../changes/index.ts'
import { Refusal } from '../lib/refusal.ts'
import { findOwnerId, lockOfEdge } from './edges.store.ts'
import { getPaymentRecord } from './payments.service.ts'
import { findPayment, insertDispute, insertSlip, saveAnswer } from './payments.store.ts'

const paymentId = z.int().check(z.minimum(1))
const firstBytes: Readonly<Record<string, string>> = {
  'image/jpeg': 'ffd8ff',
  'image/png': '89504e47',
  'image/webp': '52494646',
}

/**
 * Adds the photo of a slip to a payment that the caller recorded.
 * @throws Refusal not_found, not_allowed, slip_exists, bad_input (not an image of its type, or too large)
 */
export const addPaymentSlip = defineChange({
  name: 'add_payment_slip',
  needs: 'money.do',
  input: z.strictObject({ payment_id: paymentId, ...contract.addPaymentSlip.body.shape }),
  find: async (db, { payment_id }, caller) => (await getPaymentRecord(db, caller, payment_id)).child_id,
  locks: (_input, child_id) => [lockOfEdge(child_id)],
  load: async ({ tx }, { payment_id }) => (await findPayment(tx, payment_id))!,
  decide(payment, { payment_id, content_type, image }, { caller }) {
    if (payment.recorded_by !== caller.actor_id) throw new Refusal('not_allowed')
    if (payment.has_slip) throw new Refusal('slip_exists')
    const bytes = Buffer.from(image, 'base64')
    const isImage = bytes.subarray(0, 4).toString('hex').startsWith(firstBytes[content_type]!)
    if (!isImage || bytes.length > contract.MAX_SLIP_BYTES) throw new Refusal('bad_input', { fields: ['image'] })
    return {
      plan: { payment_id, content_type, image: bytes },
      rows: [{ subject: `user:${payment.child_id}`, after: { payment_id, content_type, bytes: bytes.length } }],
    }
  },
  async write({ tx, by }, slip) {
    await insertSlip(tx, { ...slip, added_by: by.caller.actor_id })
  },
})

/**
 * The child disputes a payment.
 * @throws Refusal not_found, dispute_closed (disputed before, reversed, or too old)
 */
export const disputePayment = defineChange({
  name: 'dispute_payment',
  needs: null,
  input: z.strictObject({ payment_id: paymentId, ...contract.disputePayment.body.shape }),
  async find(db, { payment_id }, caller) {
    const payment = await getPaymentRecord(db, caller, payment_id)
    if (payment.child_id !== caller.principal_id) throw new Refusal('not_found')
    return payment.child_id
  },
  locks: (_input, child_id) => [lockOfEdge(child_id)],
  load: async ({ tx }, { payment_id }) => (await findPayment(tx, payment_id))!,
  decide(payment, { payment_id, note }) {
    if (payment.dispute_note !== null || payment.reversed_by_id !== null || !payment.is_recent)
      throw new Refusal('dispute_closed')
    return {
      plan: { payment_id, note },
      rows: [{ subject: `user:${payment.child_id}`, after: { payment_id, note } }],
    }
  },
  async write({ tx }, { payment_id, note }) {
    await insertDispute(tx, payment_id, note)
    return { outcome: payment_id }
  },
})

/**
 * The parent answers a dispute.
 * @throws Refusal not_found, not_allowed (no child of the caller), dispute_closed (not disputed, or answered)
 */
export const answerDispute = defineChange({
  name: 'answer_dispute',
  needs: 'money.do',
  input: z.strictObject({ payment_id: paymentId, ...contract.answerDispute.body.shape }),
  async find(db, { payment_id }, caller) {
    const payment = await getPaymentRecord(db, caller, payment_id)
    if (payment.parent_id !== (await findOwnerId(db, caller))) throw new Refusal('not_allowed')
    return payment.child_id
  },
  locks: (_input, child_id) => [lockOfEdge(child_id)],
  load: async ({ tx }, { payment_id }) => (await findPayment(tx, payment_id))!,
  decide(payment, { payment_id, answer }) {
    if (payment.dispute_note === null || payment.answer !== null) throw new Refusal('dispute_closed')
    return {
      plan: { payment_id, answer },
      rows: [{ subject: `user:${payment.child_id}`, after: { payment_id, answer } }],
    }
  },
  async write({ tx, by }, { payment_id, answer }) {
    await saveAnswer(tx, payment_id, answer, by.caller.actor_id)
    return { outcome: payment_id }
  },
})
