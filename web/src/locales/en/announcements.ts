import type { SameKeys } from '../catalogue.ts'
import type { messages as thai } from '../th/announcements.ts'

export const messages = {
  title: 'Announcements',
  none: 'No announcements yet',
  none_hint: 'What the company announces appears here',
  unread: 'Unread',
  important: 'Important',
} as const satisfies SameKeys<typeof thai>
