/**
 * Tests that `npm test` leaves to `npm run test:slow`: kills and outages on separate PostgreSQL servers, random calls,
 * a whole runbook, floods of log-ins, secrets in calls of every kind, and long histories and draw days.
 */
export const longTests = [
  'server/src/oversight/invariants/auditor.model.test.ts',
  'server/src/oversight/invariants/forged-wins.test.ts',
  'server/src/markets/draw-days.test.ts',
  'server/src/reports/one-snapshot.test.ts',
  'server/src/results/preview.test.ts',
  'server/src/betting/orders.model.test.ts',
  'server/src/exposure/book.model.test.ts',
  'server/src/oversight/invariants/held-locks.test.ts',
  'server/src/changes/approvals/stolen-account.test.ts',
  'server/src/reports/reports.model.test.ts',
  'server/src/postgres/embedded-postgres.test.ts',
  'server/src/postgres/managed-postgres.test.ts',
  'server/src/lib/jobs.test.ts',
  'server/src/http/refuse-overload.test.ts',
  'server/src/demo/write-history.test.ts',
  'server/src/identity/sessions/one-address.test.ts',
  'server/test/crash.test.ts',
  'server/test/disk-full.test.ts',
  'server/test/fuzz.test.ts',
  'server/test/replication.test.ts',
  'server/test/restart.test.ts',
  'server/test/secrets.test.ts',
  'server/test/whole-draw-day.test.ts',
]
