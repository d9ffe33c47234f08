import type { SameKeys } from '../../../lib/i18n/messages.ts'
import type { messages as thai } from './readiness.th.ts'

export const messages = {
  title: 'Readiness',
  ready: 'Everything is ready. The command office doctor checks the same',
  open: '{count, plural, one {# thing is left to do} other {# things are left to do}}',
  state: { ok: 'all right', warning: 'missing', wrong: 'wrong' },
} as const satisfies SameKeys<typeof thai>
