import type { SameKeys } from '../catalogue.ts'
import type { messages as thai } from '../th/news.ts'

export const messages = {
  put_aside: 'Hide: {title}',
  waiting: {
    title: '{count, plural, one {# ticket waits for your confirmation} other {# tickets wait for your confirmation}}',
    ticket: 'Open ticket {order_id}',
    all: 'See all that wait',
  },
  closing: {
    title: '{market} closes soon',
    text: 'A slip was not sent yet. Time left',
    link: 'Go and send it',
  },
  settled: {
    won: 'The result is out. You won {amount} Baht',
    lost: 'The result is out. {count, plural, one {# ticket has not won} other {# tickets have not won}}',
    link: 'See your tickets of this period',
  },
  deleted: {
    title:
      '{count, plural, one {# of your tickets was deleted} other {# of your tickets were deleted}}. Your credit is back',
    by: 'By {username}, {amount} Baht went back',
    ticket: 'See ticket {order_id} and why',
    office: 'the office',
    all: 'See all that were deleted',
  },
  corrected: {
    title: 'A result that had been announced was corrected',
    old: 'Result before',
    new: 'Right result',
    win: 'you won {amount} Baht',
    change: 'Change of your balance',
    demo: 'Demo result',
    demo_hint: 'Generated for this demo; not the result of a real draw',
  },
  voided: {
    title: 'A period was voided: your stakes were refunded',
    refund: '{count, plural, one {# ticket was} other {# tickets were}} refunded: {amount} Baht',
    reason: 'Reason: {reason}',
  },
  more_notices: 'and {count, number} more',
  notices_heading: 'Corrected results and voided periods',
} as const satisfies SameKeys<typeof thai>
