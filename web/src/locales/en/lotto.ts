import type { SameKeys } from '../catalogue.ts'
import type { messages as thai } from '../th/lotto.ts'

export const messages = {
  title: 'Markets',
  home: 'Home',
  tasks: {
    title: 'Your work',
    bills: { title: 'Tickets of your downline', text: 'See and search every member’s tickets' },
    reports: { title: 'Reports', text: 'Win/loss and summaries of your downline' },
    remove: { title: 'Delete bills', text: 'Before the close, with a reason' },
    shares: { title: 'Downline and shares', text: 'Limits, status and shares of users' },
    awards: { title: 'Enter and correct results', text: 'Two people must enter the same' },
    announcements: { title: 'Manage announcements', text: 'Write to the members' },
    maintenance: { title: 'Maintenance', text: 'Close everything, or single markets' },
  },
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
  round: 'Round {round, number}',
  favourite: 'Favourite: {name}',
  no_credit: 'You have no credit yet. Please ask your agent for a limit; meanwhile slips can be drafted',
  nothing: 'No market found',
  nothing_hint: 'Try other words, or clear the search',
} as const satisfies SameKeys<typeof thai>
