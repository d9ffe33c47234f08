// What people change goes through the runner: elsewhere nobody opens a transaction that writes for a caller, verifies it again, or
// writes to the audit log, but for the files named here with the reason.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const source = join(import.meta.dirname, '..')

const outside: Readonly<Record<string, readonly string[]>> = {
  // Throttles, counters and used challenges are committed although the call is refused.
  'log-ins, passwords and second factors': [
    'identity/credentials/email-verification.service.ts',
    'identity/credentials/password-change.service.ts',
    'identity/credentials/recovery.service.ts',
    'identity/credentials/registration.service.ts',
    'identity/second-factor/enrolment.service.ts',
    'identity/second-factor/factors.service.ts',
    'identity/second-factor/verification.service.ts',
    'identity/sessions/log-in.service.ts',
    'identity/sessions/own-password.service.ts',
    'identity/setup/first-owner.service.ts',
  ],
  // Two people type unseen, and a pair that differs is committed although the reply refuses.
  'results, settlement': [
    'results/awards.service.ts',
    'results/corrections.service.ts',
    'results/preview.service.ts',
    'results/ticket-steps.ts',
  ],
  // Nobody has signed in: jobs, the start, the machine's owner.
  'jobs and the machine': [
    'cli/restored-access/restored-access.service.ts',
    'cli/sign-in.ts',
    'demo/demo-draws.ts',
    'demo/demo.ts',
    'demo/seed-house.ts',
    'exposure/follow.service.ts',
    'exposure/seal.service.ts',
    'identity/personal-data/retention.service.ts',
    'identity/setup/house.service.ts',
    'main.ts',
    'markets/maintenance/maintenance.service.ts',
    'markets/markets.service.ts',
    'money/clearings.service.ts',
    'oversight/invariants/alarms.service.ts',
    'oversight/invariants/auditor.service.ts',
    'oversight/live/readers.service.ts',
    'reports/files/report-files.store.ts',
    'reports/reconciliation.service.ts',
  ],
  'the ground': ['http/caller.ts', 'http/serve.ts', 'postgres/db.ts'],
}

test('only these files write for people beside the runner and the life of a ticket', () => {
  const found = readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((file) => /(?<!\.test)\.ts$/.test(file) && !/^(changes|betting)\//.test(file))
    .filter((file) =>
      /\.transaction\(|\bwriteAudits?\b|\bverifyCaller\b/.test(readFileSync(join(source, file), 'utf8')),
    )
  expect(found.toSorted()).toEqual(Object.values(outside).flat().toSorted())
})
