import type { SameKeys } from '../catalogue.ts'
import type { messages as thai } from '../th/announcements.ts'

export const messages = {
  title: 'Announcements',
  none: 'No announcements yet',
  unread: 'Unread',
  important: 'Important',
} as const satisfies SameKeys<typeof thai>
