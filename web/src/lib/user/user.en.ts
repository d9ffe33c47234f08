import type { SameKeys } from '../i18n/messages.ts'
import type { messages as thai } from './user.th.ts'

export const messages = {
  level: {
    company: 'Company',
    super_senior: 'Super senior',
    senior: 'Senior',
    master: 'Master',
    agent: 'Agent',
    member: 'Member',
  },
  status: { NORMAL: 'Normal', SUSPENDED: 'Suspended', DISABLED_BET: 'Disabled Bet' },
} as const satisfies SameKeys<typeof thai>
