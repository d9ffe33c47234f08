// The application's jobs: names, schedules and functions. `lib/jobs.ts` runs them.

import { auditUnknownLogIns, checkAuditChain, readAuditHead } from './changes/audit/index.ts'
import { indexClosedPeriods } from './results/index.ts'
import { removeOldRecoveries } from './identity/credentials/index.ts'
import { type IntegrityChecker, requestFullCheck, runIntegrityCheck } from './oversight/invariants/index.ts'
import type { PublishTicket } from './oversight/live/index.ts'
import { makePeriods } from './markets/index.ts'
import { makeDueClearings } from './money/index.ts'
import { confirmOverdueOrders } from './betting/index.ts'
import { recordDayStart } from './betting/play-limits/index.ts'
import {
  saveBalanceCheckpoints,
  saveBusyBalanceCheckpoints,
  removeReportFiles,
  type ReportFiles,
  writeAbandonedFiles,
} from './reports/index.ts'
import { removeExpiredChallenges } from './identity/second-factor/index.ts'
import { removeOldPersonalData } from './identity/personal-data/index.ts'
import { removeExpiredCaptchas, removeOldFailures } from './identity/sessions/index.ts'
import type { Retention } from './config.ts'
import type { Db } from './postgres/db.ts'
import { removeOldRequests } from './changes/idempotent-replay.ts'
import type { Job } from './lib/jobs.ts'
import type { Log } from './lib/log.ts'
import { auditProblems } from './lib/metrics.ts'

type Run = () => Promise<unknown>

export interface JobParts {
  db: Db
  log: Log
  publishTicket: PublishTicket
  reportFiles: ReportFiles
  auditor: IntegrityChecker
  /** How long personal data is kept. */
  retention: Retention
  /** Work that calls request too, which share a run with it: `openSharedRuns` in `main.ts`. */
  settle: Run
  refund: Run
  sendLinks: Run
  sendAlarms: Run
  /** Absent without a demo history. */
  runDemoDay: Run | undefined
  /** Whether the node is shutting down, in which case the integrity check ends early. */
  isStopping: () => boolean
}

/** All jobs. Times are UTC. */
export function listJobs(parts: JobParts): Job[] {
  const { db, publishTicket, reportFiles, settle, refund, sendLinks, runDemoDay } = parts
  return [
    { name: 'make_periods', when: '7 * * * *', run: () => makePeriods(db) },
    { name: 'expire_due_orders', when: '* * * * *', run: () => confirmOverdueOrders(db, publishTicket) },
    { name: 'index_closed_periods', when: '* * * * *', run: () => indexClosedPeriods(db) },
    { name: 'settle_due_periods', when: '* * * * *', run: settle },
    { name: 'refund_voided_periods', when: '* * * * *', run: refund },
    { name: 'send_due_links', when: '* * * * *', run: sendLinks },
    { name: 'remove_old_recoveries', when: '17 * * * *', run: () => removeOldRecoveries(db) },
    { name: 'remove_old_failures', when: '27 * * * *', run: () => removeOldFailures(db) },
    { name: 'remove_old_requests', when: '37 * * * *', run: () => removeOldRequests(db) },
    // From Monday noon in Bangkok on.
    { name: 'make_clearings', when: '1 * * * *', run: () => makeDueClearings(db) },
    // 23:50 in Bangkok.
    { name: 'mark_day', when: '50 16 * * *', run: () => recordDayStart(db) },
    // `balance_before` ignores marks whose entry is from the last ten minutes before midnight.
    { name: 'mark_balances', when: '45 16 * * *', run: () => saveBalanceCheckpoints(db) },
    { name: 'mark_busy_balances', when: '7 * * * *', run: () => saveBusyBalanceCheckpoints(db) },
    { name: 'remove_old_challenges', when: '*/10 * * * *', run: () => removeExpiredChallenges(db) },
    { name: 'remove_expired_captchas', when: '*/10 * * * *', run: () => removeExpiredCaptchas(db) },
    { name: 'write_report_files', when: '* * * * *', run: () => writeAbandonedFiles(reportFiles) },
    { name: 'remove_report_files', when: '47 * * * *', run: () => removeReportFiles(reportFiles) },
    // 03:40 in Bangkok.
    {
      name: 'remove_old_personal_data',
      when: '40 20 * * *',
      run: () => removeOldPersonalData(parts.auditor.owner, parts.retention),
    },
    ...listAuditJobs(parts),
    ...listAuditorJobs(parts),
    ...(runDemoDay ? [{ name: 'run_demo_day', when: '* * * * *', run: runDemoDay }] : []),
  ]
}

function listAuditJobs({ db, log }: JobParts): Job[] {
  return [
    { name: 'audit_unknown_log_ins', when: '* * * * *', run: () => auditUnknownLogIns(db) },
    // The log is outside the database, so a chain that is rewritten later does not contain this head.
    {
      name: 'log_audit_head',
      when: '*/10 * * * *',
      run: async () => log.info({ head: await readAuditHead(db) }, 'head of the audit log'),
    },
    {
      name: 'verify_audit',
      when: '37 * * * *',
      run: async () => {
        const { problems, row_count, head } = await checkAuditChain(db)
        auditProblems.set(problems.length)
        if (problems.length > 0) log.error({ problems, head }, 'the audit log was tampered with')
        else log.info({ row_count, head }, 'the audit log is intact')
      },
    },
  ]
}

function listAuditorJobs({ auditor, sendAlarms, isStopping, log }: JobParts): Job[] {
  return [
    {
      name: 'audit_invariants',
      when: '* * * * *',
      run: () =>
        runIntegrityCheck(auditor, {
          isStopping,
          onStep: ({ broken, whole }) => {
            if (broken.length > 0) log.error({ invariants: broken }, 'invariants are broken')
            if (whole.length > 0) log.warn({ invariants: whole }, 'invariants hold again')
            if (broken.length + whole.length > 0)
              void sendAlarms().catch((err: unknown) => log.error({ err }, 'alarms were not sent'))
          },
        }),
    },
    // 03:20 in Bangkok.
    { name: 'request_whole_audit', when: '20 20 * * *', run: () => requestFullCheck(auditor.owner) },
    { name: 'send_due_alarms', when: '* * * * *', run: sendAlarms },
  ]
}
