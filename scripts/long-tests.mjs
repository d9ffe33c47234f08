/**
 * Tests that `npm test` leaves to `npm run test:slow`: the start and stop of the embedded PostgreSQL, kills and outages, and the
 * history of the demo against the services.
 */
export const longTests = [
  'server/src/modules/invariants/held-locks.test.ts',
  'server/src/platform/embedded-postgres.test.ts',
  'server/src/platform/jobs.test.ts',
  'server/src/platform/refuse-overload.test.ts',
  'server/src/seed/write-history.test.ts',
  'server/test/crash.test.ts',
  'server/test/disk-full.test.ts',
  'server/test/replication.test.ts',
  'server/test/restart.test.ts',
]
