import type { SameKeys } from '../catalogue.ts'
import type { messages as thai } from '../th/calendar.ts'

export const messages = {
  title: 'Calendar',
  before: 'Month before',
  after: 'Month after',
  market: 'Market',
  settings: 'Settings',
  settings_of: 'Settings of {market}',
  none: 'No periods in this month yet',
  hint: 'A day without a period is blank. Periods are made ahead from the timetable',
  count: '{count, plural, one {# period} other {# periods}}',
  status: { upcoming: 'Not open yet', open: 'Open', closed: 'Awaits a result', settled: 'Paid', void: 'Void' },
  off: 'Switched off',
  in_maintenance: 'Maintenance',
  switch_on: 'Switch on',
  switch_off: 'Switch off',
  switch_off_hint: 'The market accepts no new tickets. Those that it has are settled as usual',
  switch_on_hint: 'The market accepts tickets for its open periods at once',
  to_maintenance: 'Maintenance of this market',
  rules: 'When tickets may be cancelled',
  window_minutes: 'Within (minutes)',
  max_tickets: 'At most (tickets a period)',
  before_close_minutes: 'Not before the close (minutes)',
  save: 'Save',
  saved: 'Saved',
  problem: { figure: 'Must be a whole number', reason: 'Please give a reason of at least 3 characters' },
} as const satisfies SameKeys<typeof thai>
