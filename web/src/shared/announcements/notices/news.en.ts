import type { SameKeys } from '../../../lib/i18n/messages.ts'
import type { messages as thai } from './news.th.ts'

export const messages = {
  put_aside: 'Hide: {title}',
  waiting: { title: '{count, plural, one {# ticket} other {# tickets}} to confirm' },
  closing: { title: 'Slip not sent, {market} closes soon' },
  settled: {
    won: 'Result out. You won {amount} Baht',
    lost: 'Result out. {count, plural, one {# ticket} other {# tickets}} did not win',
  },
  deleted: { text: 'Ticket deleted by {username}, {amount} Baht returned', office: 'the office' },
  pending: { title: 'Checking the ticket for {market}. It will not be sent again' },
  corrected: {
    title: 'A result was corrected',
    old: 'Result before',
    new: 'Corrected result',
    win: 'you won {amount} Baht',
    change: 'Credit change',
    demo: 'Demo result',
    demo_hint: 'Generated for this demo; not the result of a real draw',
  },
  voided: {
    title: 'Period voided, stakes refunded',
    refund: '{count, plural, one {# ticket was} other {# tickets were}} refunded: {amount} Baht',
    reason: 'Reason: {reason}',
  },
  postponed: {
    title: 'Draw postponed, tickets stay',
    times: 'Closes {close}, draw {draw}',
  },
  tickets_heading: 'Your tickets',
  notices_heading: 'Corrected results, voided and postponed periods',
} as const satisfies SameKeys<typeof thai>
