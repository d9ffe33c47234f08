// What moved a user's credit.

import * as z from 'zod/mini'
import { defineRoute } from '../route.ts'
import { instant, queryNumber, signedSatang } from '../wire.ts'

export const entryKind = z.enum([
  'bet_hold',
  'bet',
  'bet_release',
  'win',
  'refund',
  'reversal',
  'credit_change',
  'transfer',
  'adjustment',
  'commission',
])
export type EntryKind = z.output<typeof entryKind>

export const transaction = z.strictObject({
  entry_id: z.int(),
  at: instant,
  kind: entryKind,
  order_id: z.nullable(z.int()),
  /** What the entry did to the balance. */
  amount_satang: signedSatang,
  /** The balance after it. */
  balance_satang: signedSatang,
})
export type Transaction = z.output<typeof transaction>

export const listTransactions = defineRoute({
  name: 'listTransactions',
  method: 'GET',
  path: '/mgluser/profit/transaction_list',
  access: 'signed_in',
  summary: "The caller's statement with a running balance, newest first",
  query: z.strictObject({ page: z.optional(queryNumber), ipp: z.optional(queryNumber) }),
  reply: z.array(transaction),
})
