import type { SameKeys } from '../../../lib/i18n/messages.ts'
import type { messages as thai } from './import.th.ts'

export const messages = {
  text: 'Paste the text here',
  hint: 'One number a line, then its amounts for top, bottom, roll, front, as in 12=50*50. A leading x means 6/19 doors. Lines with letters are dropped',
  chat: 'Read as a chat',
  chat_hint:
    'Paste a LINE message as it is. Words such as top, bottom, roll and reversed count; names, times and totals are recognised. Unclear lines are bet only if you confirm them',
  try_chat: 'Try reading it as a chat',
  second_roll: 'For 3 digits the second amount is roll',
  failed: 'Import failed. Please check data again',
  problem: {
    text_too_long: 'The text is too long',
    too_many_items: 'Too many items',
    too_many_rows: 'At most {most} rows at a time',
  },
  preview: 'Preview',
  summary:
    '{lines, plural, one {# line} other {# lines}} read, {items, plural, one {# item} other {# items}} made, {dropped, number} dropped,',
  in_error: '{errors, number} in error',
  items: '{count, plural, one {# item} other {# items}}',
  errors: 'Lines in error: {count, number}',
  dropped: 'Lines dropped: {count, number}',
  lines: 'Every line as it will be bet',
  largest_first: 'Largest first',
  doors: '{count, number} items, {sum} Baht in all',
  column_dropped: 'A line that names a column or a price was dropped',
  column_dropped_hint:
    'The lines below are read without it: the order of the amounts gives the column, as in 12=0*50 for 50 on bottom',
  several_tickets: 'More than {most} items: the slip can be sent as {tickets, number} tickets',
  add: 'Add {items, plural, one {# item} other {# items}} to the slip · {total} Baht',
  add_nothing: 'Add to the slip',
} as const satisfies SameKeys<typeof thai>
