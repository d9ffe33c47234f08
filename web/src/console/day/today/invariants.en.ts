import type { SameKeys } from '../../../lib/i18n/messages.ts'
import type { messages as thai } from './invariants.th.ts'

export const messages = {
  title: '{count, plural, one {# rule of money is broken} other {# rules of money are broken}}',
  text: 'An operator has to look into it before money is paid out. Change no data before the cause is known',
  late: 'Nobody checks the rules of money',
  late_text: 'Found {from}: the last check is more than ten minutes old. An operator has to find out why',
  rule: 'This must always hold: {name}',
  since: 'Broken since {from}, last seen {seen}',
  records: '{count, plural, one {# record} other {# records}}',
  more: '{shown} of {count} records are shown',
  ticket: 'Ticket {id}',
  entry: 'Ledger entry {id}',
  user: 'User {id}',
  period: 'Period {id}',
  stored: 'stored {amount}',
  computed: 'should be {amount}',
} as const satisfies SameKeys<typeof thai>
