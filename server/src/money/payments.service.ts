// Payments as both sides read them.

import type * as contract from '@megalot/contract'
import type { OwnMoney, Payment } from '@megalot/contract'
import type { Caller, Scope } from '../http/caller.ts'
import { Refusal } from '../lib/refusal.ts'
import type { Db } from '../postgres/db.ts'
import { findOwnerId, listEdgeWeeks } from './edges.store.ts'
import {
  findPayment,
  findSlip,
  listPaymentRecords,
  type PaymentFilter,
  type PaymentRecord,
  sumPayments,
  toPayment,
} from './payments.store.ts'
import { findToday, mondayOf } from './week.ts'

type Reader = Scope

/**
 * A payment of an edge to which the caller belongs: as the parent, the child, or an upline of both.
 * @throws Refusal not_found
 */
export async function getPaymentRecord(db: Db, caller: Reader, payment_id: number): Promise<PaymentRecord> {
  const record = await findPayment(db, payment_id)
  const isInReach =
    record &&
    (caller.is_office || record.child_id === caller.principal_id || record.upline_ids.includes(caller.principal_id))
  if (!isInReach) throw new Refusal('not_found')
  return record
}

const readAs = (record: PaymentRecord, caller: Reader): Payment =>
  toPayment(record, { isChild: record.child_id === caller.principal_id, seesOffice: caller.is_office })

/** @throws Refusal not_found */
export async function getPayment(db: Db, caller: Reader, payment_id: number): Promise<Payment> {
  return readAs(await getPaymentRecord(db, caller, payment_id), caller)
}

type PaymentQuery = contract.QueryOf<typeof contract.listPayments>

async function toFilter(
  db: Db,
  caller: Reader,
  { user_id, side = 'below', is_disputed, ...rest }: Omit<PaymentQuery, 'before' | 'ipp'>,
): Promise<PaymentFilter> {
  return {
    ...rest,
    side,
    owner_id: await findOwnerId(db, caller),
    user_id: user_id === undefined ? undefined : Number(user_id),
    is_disputed: is_disputed !== undefined,
  }
}

/** Payments between the caller and its children, or its parent, newest first, with their sums. */
export async function listPayments(
  db: Db,
  caller: Reader,
  query: PaymentQuery,
  limit: number,
): Promise<{ data: Payment[]; top_level: contract.TopLevelOf<typeof contract.listPayments> }> {
  const { before, ipp: _ipp, ...rest } = query
  const filter = await toFilter(db, caller, rest)
  const records = await listPaymentRecords(db, filter, limit, before === undefined ? undefined : Number(before))
  const sums = await sumPayments(db, filter)
  return {
    data: records.map((record) => readAs(record, caller)),
    // What the child paid is what the owner paid, seen from below.
    top_level:
      filter.side === 'below'
        ? { ...sums, adjusted_satang: 0 - sums.adjusted_satang }
        : { ...sums, received_satang: sums.paid_satang, paid_satang: sums.received_satang },
  }
}

/** A payment with what it is to the reader, who receives money above 0 and pays below 0. */
export interface PaymentRow {
  payment: Payment
  kind: 'received' | 'paid' | 'adjustment' | 'reversal'
  amount_satang: number
}

const ROWS_AT_ONCE = 1_000

/** All payments of a query, newest first, in pieces. */
export async function* readPayments(
  db: Db,
  caller: Reader,
  query: Omit<PaymentQuery, 'before' | 'ipp'>,
): AsyncGenerator<PaymentRow[]> {
  const filter = await toFilter(db, caller, query)
  const sign = filter.side === 'below' ? 1 : -1
  let before: number | undefined
  do {
    const records = await listPaymentRecords(db, filter, ROWS_AT_ONCE, before)
    yield records.map((record) => {
      const amount_satang = sign * record.amount_satang
      return { payment: readAs(record, caller), kind: kindOf(record, amount_satang), amount_satang }
    })
    before = records.length < ROWS_AT_ONCE ? undefined : records.at(-1)!.payment_id
  } while (before !== undefined)
}

function kindOf({ kind, reverses_id }: PaymentRecord, amount_satang: number): PaymentRow['kind'] {
  if (reverses_id !== null) return 'reversal'
  if (kind === 'adjustment') return kind
  return amount_satang > 0 ? 'received' : 'paid'
}

/** @throws Refusal not_found */
export async function getPaymentSlip(
  db: Db,
  caller: Reader,
  payment_id: number,
): Promise<{ content_type: string; image: string } | null> {
  await getPaymentRecord(db, caller, payment_id)
  const slip = await findSlip(db, payment_id)
  return slip ? { content_type: slip.content_type, image: slip.image.toString('base64') } : null
}

/** The newest payments that a member sees. */
const OWN_PAYMENTS = 50

/** What a member and its agent owe each other, from the member's side. */
export async function getOwnMoney(db: Db, caller: Caller): Promise<OwnMoney> {
  const { principal_id } = caller
  const week = mondayOf(await findToday(db))
  const [edge] = await listEdgeWeeks(db, { child_id: principal_id }, week)
  const { days, received_satang, paid_satang, adjusted_satang, open_satang, balance_satang, later_satang } = edge!
  const week_satang = days.reduce((sum, satang) => sum + satang, 0)
  const balance = balance_satang - later_satang
  const payments = await listPaymentRecords(db, { owner_id: principal_id, side: 'above' }, OWN_PAYMENTS)
  return {
    week,
    forward_satang: balance - week_satang - received_satang + paid_satang - adjusted_satang,
    week_satang,
    given_satang: received_satang,
    got_satang: paid_satang,
    adjusted_satang,
    balance_satang: balance,
    open_satang,
    payments: payments.map((record) => readAs(record, caller)),
  }
}
