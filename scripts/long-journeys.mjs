/**
 * Journeys that `npm test` leaves to `npm run test:slow` on every device: all pages, parts and refusals again, slips of
 * 300 rows, a long outage of the service, and tasks of the console.
 */
export const longJourneys = [
  'bet-long.spec.ts',
  'calendar.spec.ts',
  'console-account.spec.ts',
  'console-agents.spec.ts',
  'console-errors.spec.ts',
  'console-numbers.spec.ts',
  'console-people.spec.ts',
  'console-tickets.spec.ts',
  'demo-traffic.api.spec.ts',
  'error-catalogue.spec.ts',
  'gallery.spec.ts',
  'outage.spec.ts',
  'risk-board.spec.ts',
  'screens.spec.ts',
]

/**
 * Journeys that `npm test` runs on one device in one language, those of most of their users. `npm run test:slow` runs
 * them on the other device, in the other language.
 */
export const otherDeviceJourneys = {
  phone: [
    'approvals.spec.ts',
    'broken-invariants.spec.ts',
    'console.spec.ts',
    'demo.spec.ts',
    'offline.spec.ts',
    'oversight.spec.ts',
    'reports.spec.ts',
    'signals.spec.ts',
    'uplines.spec.ts',
  ],
  desktop: [
    'account.spec.ts',
    'bills.spec.ts',
    'bet-sending.spec.ts',
    'bet-styles.spec.ts',
    'lists.spec.ts',
    'log-in.spec.ts',
    'market-state.spec.ts',
    'member-account.spec.ts',
    'money-books.spec.ts',
    'news.spec.ts',
    'office.spec.ts',
    'periods.spec.ts',
    'placing-steps.spec.ts',
    'refusals.spec.ts',
  ],
}
