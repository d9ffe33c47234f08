import type { SameKeys } from '../../lib/i18n/messages.ts'
import type { messages as thai } from './announcements.th.ts'

export const messages = {
  title: 'Announcements',
  none: 'No announcements yet',
  none_hint: 'What the company announces appears here',
  unread: 'Unread',
  important: 'Important',
} as const satisfies SameKeys<typeof thai>
