import type { SameKeys } from '../../lib/i18n/messages.ts'
import type { messages as thai } from './changes.th.ts'

export const messages = {
  timetable: {
    every_day: 'Every day',
    month_days: 'Day {days} of the month',
    open: 'opens {time}',
    close: 'closes {time}',
    draw: 'draw {time}',
    before: '{time} ({days, plural, one {# day} other {# days}} before)',
    after: '{time} (next day)',
    rounds: '{count, number} rounds, every {minutes, number} minutes',
  },
} as const satisfies SameKeys<typeof thai>
