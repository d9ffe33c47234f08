import type { SameKeys } from '../../lib/i18n/messages.ts'
import type { messages as thai } from './away.th.ts'

export const messages = {
  maintenance: {
    title: 'Closed for maintenance',
    until: 'Expected to be back at {time}',
    safe: 'Your draft slips and your tickets are all kept',
    by_itself: 'This page goes back by itself when it is over. There is no need to reload',
    asked: 'Last checked {time}',
    ask: 'Check now',
  },
  offline: {
    title: 'The service cannot be reached',
    text: 'This device may not be connected, or the service does not answer. Credit cannot be shown and slips cannot be sent until it does',
    by_itself: 'This page goes back by itself once there is a connection',
    try: 'Try to connect',
    kept: 'Draft slips kept on this device',
    not_sent: 'Not sent yet',
    pending: 'Sent, and its answer is not known yet. It is looked for once there is a connection, and not sent again',
    changed: 'Last changed {time}',
    rows: '{count, number} numbers',
    nothing: 'No draft slips are kept on this device',
    column: { number: 'Number', top: 'Top', bottom: 'Bottom', roll: 'Roll', front: 'Front' },
  },
  not_found: {
    mistyped: 'Address opened',
    ways: 'Other pages',
    bills: 'My tickets',
    reports: 'Win and loss',
    awards: 'Awards',
    manual: 'Manual',
    register: 'Register',
  },
} as const satisfies SameKeys<typeof thai>
