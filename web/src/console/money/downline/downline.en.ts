import { englishReportWords } from '@megalot/contract/browser'
import type { SameKeys } from '../../../lib/i18n/messages.ts'
import type { messages as thai } from './downline.th.ts'

export const messages = {
  title: 'Reports of the line',
  choose: 'Choose a report',
  report: {
    tree: 'Win/loss by line',
    outstanding: 'Outstanding',
    types: 'By type and package',
    winners: 'Winners',
    changed: 'Changed tickets',
    close: 'Daily close',
  },
  path: 'Place in the line',
  top: 'Top',
  ...englishReportWords.column,
  event: englishReportWords.event,
  outstanding_totals:
    '{count, plural, one {# ticket waits} other {# tickets wait}} for a result: received {received} Baht, net {net} Baht',
  type_totals: 'Received {received} Baht, discount {discount} Baht, win {win} Baht, member total {total} Baht.',
  uncounted_periods: 'Without {count, plural, one {# period} other {# periods}} for which nothing is known by type.',
  winner_totals: '{count, plural, one {# ticket has} other {# tickets have}} won {win} Baht in all',
  close_totals:
    '{count, plural, one {# period} other {# periods}} settled. This level: {own} Baht. Awaiting results: {pending} Baht. Refunded of voided periods: {refunded} Baht',
  close_day_totals:
    '{count, plural, one {# day} other {# days}} with settled periods. This level: {own} Baht. Awaiting results: {pending} Baht. Refunded of voided periods: {refunded} Baht. Open a day for its periods',
  paper_cut: 'The first {count, number} rows. Download the file for all of them',
  files: {
    title: 'Report files of the last 24 hours ({count, number})',
    print: 'Print',
    save: 'Download',
    dismiss: 'Dismiss',
    rows: 'Writing: {done, plural, one {# row} other {# rows}}',
    rows_of: 'Writing: {done, number} of {count, number} rows',
    state: { waiting: 'Waiting to be written', ready: 'Ready', failed: 'It could not be written. Please try again' },
  },
  none: 'Nothing in this span',
  none_hint: 'Try other days or markets',
} as const satisfies SameKeys<typeof thai>
