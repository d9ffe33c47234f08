import type { SameKeys } from '../catalogue.ts'
import type { messages as thai } from '../th/reports.ts'

export const messages = {
  title: 'Reports',
  statement: 'Statement, newest first',
  entry: 'Entry',
  amount: 'Amount',
  balance: 'Balance',
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
