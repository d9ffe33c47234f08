import type { SameKeys } from '../../../lib/i18n/messages.ts'
import type { messages as thai } from './periods.th.ts'

export const messages = {
  title: 'Current periods',
  none: 'No markets yet',
  market: 'Market',
  state: 'State',
  period: 'Period',
  closes_in: 'Closes in',
  open_at: 'Opens',
  close_at: 'Closes',
  draw_at: 'Draw',
  kind: {
    open: 'Open',
    opens_later: 'Opens later',
    closed: 'Closed',
    off: 'Switched off',
    maintained: 'Maintenance',
    no_package: 'No package',
  },
} as const satisfies SameKeys<typeof thai>
