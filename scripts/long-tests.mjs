/**
 * Tests that `npm test` leaves to `npm run test:slow`: kills and outages on servers of PostgreSQL of their own, random calls, and
 * histories and draw days that are long anyway.
 */
export const longTests = [
  'server/src/modules/invariants/held-locks.test.ts',
  'server/src/modules/reports/reports.model.test.ts',
  'server/src/platform/embedded-postgres.test.ts',
  'server/src/platform/jobs.test.ts',
  'server/src/platform/refuse-overload.test.ts',
  'server/src/seed/write-history.test.ts',
  'server/test/crash.test.ts',
  'server/test/disk-full.test.ts',
  'server/test/fuzz.test.ts',
  'server/test/replication.test.ts',
  'server/test/restart.test.ts',
  'server/test/whole-draw-day.test.ts',
]
