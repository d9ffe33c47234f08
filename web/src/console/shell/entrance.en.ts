import type { SameKeys } from '../../lib/i18n/messages.ts'
import type { messages as thai } from './entrance.th.ts'

export const messages = {
  members: {
    title: 'This part is for agents and the office',
    text: 'Your account is a member account. You bet and see your bills in the member application',
    to_home: 'Go to the member application',
  },
  refused: {
    title: 'You may not open this page',
    text: 'Your account lacks the permission for this page. If you need it, please contact higher-ups',
    to_first: 'Go to the first page',
  },
} as const satisfies SameKeys<typeof thai>
