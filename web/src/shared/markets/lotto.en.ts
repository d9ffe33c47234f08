import type { SameKeys } from '../../lib/i18n/messages.ts'
import type { messages as thai } from './lotto.th.ts'

export const messages = {
  title: 'Markets',
  search: 'Search markets',
  order: { label: 'Order', groups: 'By group', closing: 'Closing soon' },
  group: {
    favourites: 'Favourites',
    all: 'All',
    government: 'Thai',
    lao: 'Lao',
    hanoi: 'Hanoi',
    malay: 'Malay',
    stock: 'Stock indexes',
    yeekee: 'Yeekee',
  },
  open_until: 'Open until {time}',
  closed: 'Closed',
  reopens_at: 'Reopens {time}',
  contact_agent: 'Contact your agent',
  off: 'This market is not available at present',
  maintained: 'Under maintenance, no bets for now',
  maintained_until: 'Expected to end {time}',
  draft: 'Slip not sent: {rows, plural, one {# number} other {# numbers}} · {total}',
  round: 'Round {round}',
  favourite: 'Favourite: {name}',
  no_credit: 'You have no credit yet. Please ask your agent for a limit; meanwhile slips can be drafted',
  nothing: 'No market found',
  nothing_hint: 'Try other words, or clear the search',
} as const satisfies SameKeys<typeof thai>
