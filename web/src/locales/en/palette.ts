import type { SameKeys } from '../catalogue.ts'
import type { messages as thai } from '../th/palette.ts'

export const messages = {
  title: 'Go to',
  field: 'A username, ticket number, market or page',
  screens: 'Pages',
  people: 'Users',
  tickets: 'Bills',
  periods: 'Markets and periods',
  manual: 'Manual',
  none: 'Nothing found',
  found: '{count, number} found',
  failed: 'The search failed. Please try again',
} as const satisfies SameKeys<typeof thai>
