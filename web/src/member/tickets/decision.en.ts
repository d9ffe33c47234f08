import type { SameKeys } from '../../lib/i18n/messages.ts'
import type { messages as thai } from './decision.th.ts'

export const messages = {
  title: 'There are bets that will not receive the full payout amount',
  text: 'Please verify the amounts and confirm again. If you do nothing, they are accepted as they are in',
  discount: {
    title: 'The discount of this ticket has changed',
    lower: 'The discount is {now} Baht now, instead of {seen} Baht. The ticket costs {net} Baht net.',
    higher: 'The discount is higher: {now} Baht instead of {seen} Baht. The ticket costs {net} Baht net.',
  },
  stake: 'Stake',
  rate: 'Rate',
  pays: 'Pays',
  later: 'Decide later',
  closed: 'not accepted',
  show_all: 'Show {count, plural, one {# item} other {# items}} accepted in full',
  only_changed: 'Show changes only',
  choice: 'You keep {kept} Baht net and get {back} Baht back',
  confirm_all: 'Confirm all',
  confirm: 'Confirm {count, plural, one {# item} other {# items}}',
  return_all: 'Return all',
  return_all_title: 'Return every item?',
  cancel: 'Cancel ticket',
  cancel_title: 'Cancel this ticket?',
  money_back: '{amount} Baht will be returned to your credit.',
  keep_ticket: 'Keep it',
  failure: {
    confirm_title: 'Confirm ticket error',
    cancel_title: 'Cancel ticket error',
    invalid_status: 'Invalid status',
    confirm: 'Confirm ticket: {code}',
    cancel: 'Cancel ticket failed: {code}',
  },
} as const satisfies SameKeys<typeof thai>
