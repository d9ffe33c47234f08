/**
 * Tests that `npm test` leaves to `npm run test:slow`: what an operator runs seldom, on servers of PostgreSQL of its own, and the
 * history of the demo against the services.
 */
export const longTests = [
  'server/src/cli/backup.test.ts',
  'server/src/cli/upgrade.test.ts',
  'server/src/platform/embedded-postgres.test.ts',
  'server/src/seed/write-history.test.ts',
]
