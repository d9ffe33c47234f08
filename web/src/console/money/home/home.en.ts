import type { SameKeys } from '../../../lib/i18n/messages.ts'

export const messages: SameKeys<AppMessages['home']> = {
  title: 'Home',
  money: 'Your money',
  collect: 'To collect',
  pay: 'To pay',
  people: '{count, plural, one {# person} other {# people}}',
  above: 'With your upline',
  own_week: 'Your part this week',
  last_week: 'Last week: {word} {amount}',
  profit: 'Profit',
  loss: 'Loss',
  even: 'Even',
  worst: {
    title: 'Your worst case',
    hint: 'Of the next {count, number} periods to close, your own part',
    result: '{top} top · {bottom} bottom',
    none: 'No period can lose you money yet',
    to_risk: 'Open the risk board',
  },
  closing: {
    title: 'Closing next',
    none: 'Nobody has bet on an open period yet',
    tickets: '{count, number} tickets',
    closes: 'Closes {at}',
  },
  over: { title: 'Over the settle figure', none: 'Nobody has reached a settle figure' },
  members: {
    title: 'New members of the last 7 days',
    none: 'No new members',
    credit: 'Give credit',
    credit_of: 'Give {name} credit',
    since: 'Joined {at}',
  },
  waiting: {
    title: 'Waiting for you',
    disputes: '{count, number} disputed payments',
    clearings: '{count, number} clearing statements',
    none: 'Nothing waits for you',
  },
  to_sheet: 'Open the balances',
}
