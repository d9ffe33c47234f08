import type { SameKeys } from '../../lib/i18n/messages.ts'
import type { messages as thai } from './push.th.ts'

export const messages = {
  offer: 'Notify me of the result',
  on: 'This device will notify you of the result. You can turn this off on the log-ins page',
  blocked: 'Your browser blocks notifications from this site. Allow them in its settings',
  absent: 'Notifications cannot be turned on right now. News is on the announcements page',
  switch: 'Notify me on this device',
  switch_text: 'When a result of your tickets is out or corrected, and when a ticket needs your confirmation',
} as const satisfies SameKeys<typeof thai>
