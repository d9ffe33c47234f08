import type { SameKeys } from '../catalogue.ts'
import type { messages as thai } from '../th/reports.ts'

export const messages = {
  title: 'Reports',
  credit: {
    title: 'How the remaining credit is made up',
    limit: 'Credit limit',
    balance: 'Account balance',
    held: 'Held',
    remain: 'Credit remaining',
  },
  statement: 'Statement, newest first',
  entry: 'Entry',
  amount: 'Amount',
  balance: 'Account balance after',
  ticket: 'Ticket {order_id}',
  none: 'No entry yet',
  none_hint: 'Choose a market and place your first bet',
  kind: {
    bet_hold: 'Bet held',
    bet: 'Bet',
    bet_release: 'Hold released',
    win: 'Win',
    refund: 'Refund',
    reversal: 'Reversal',
    credit_change: 'Credit change',
    transfer: 'Transfer',
    adjustment: 'Adjustment',
    commission: 'Commission',
  },
} as const satisfies SameKeys<typeof thai>
