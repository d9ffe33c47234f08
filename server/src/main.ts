// Starts the application: configuration, database, migrations, demo, jobs, HTTP; stops it in reverse order.

import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { buildApp } from './app.ts'
import { type BackupSettings, type Config, readConfig } from './config.ts'
import { setBreachedPasswords } from './modules/accounts/index.ts'
import { auditUnknownLogIns, checkAuditChain, readAuditHead } from './modules/audit/index.ts'
import { indexClosedPeriods, refundVoidedPeriods, settleDuePeriods } from './modules/awards/index.ts'
import { auditBackupResult, startBackupSchedule } from './modules/backups/index.ts'
import { startBookFollower } from './modules/book/index.ts'
import {
  type Auditor,
  readAuditorMetrics,
  requestWholeAudit,
  runAuditor,
  sendDueAlarms,
} from './modules/invariants/index.ts'
import { removeOldRecoveries, sendDueEmails, sendDueRecoveries } from './modules/credentials/index.ts'
import { createTicketNews, type PublishTicket, watchReaders } from './modules/live/index.ts'
import { latchClosedPeriods, makePeriods } from './modules/markets/index.ts'
import { confirmOverdueOrders } from './modules/orders/index.ts'
import { markDay } from './modules/play-limits/index.ts'
import {
  createReportFiles,
  markBalances,
  markBusyBalances,
  removeReportFiles,
  writeAbandonedFiles,
} from './modules/reports/index.ts'
import { removeExpiredChallenges } from './modules/second-factor/index.ts'
import { removeExpiredCaptchas, removeOldFailures } from './modules/sessions/index.ts'
import { createCallCosts } from './platform/call-costs.ts'
import { checkCommitTimes } from './platform/commit-times.ts'
import { checkConnections } from './platform/connection-budget.ts'
import { listChangedSettings, makeAppLogin } from './platform/database-log-ins.ts'
import { readDatabaseMetrics } from './platform/database-metrics.ts'
import {
  AUDITOR_CONNECTIONS,
  type Db,
  MAX_CACHED_BATCHES,
  MAX_READ_BATCHES,
  openAuditorReader,
  openDatabase,
} from './platform/db.ts'
import { type DiskSpace, readFolderSpace, readServerSpace, watchDiskSpace } from './platform/disk-space.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from './platform/embedded-postgres.ts'
import { removeOldRequests } from './platform/idempotent-replay.ts'
import { type Job, startJobs } from './platform/jobs.ts'
import { openLive } from './platform/live.ts'
import { createLog, type Log } from './platform/log.ts'
import { openMail } from './platform/mail.ts'
import { readFactorKey } from './platform/factor-key.ts'
import { auditProblems, backupFailuresTotal } from './platform/metrics.ts'
import { startMetricsServer } from './platform/metrics-server.ts'
import { migrate } from './platform/migrate.ts'
import { createReadiness } from './platform/readiness.ts'
import { sampleMetrics } from './platform/sample-metrics.ts'
import { openWebhook } from './platform/webhook.ts'
import { DEMO_PASSWORD, refuseDemoAccounts, seedDemo } from './seed/demo.ts'
import { createDemoDay, placeWaitingTicket } from './seed/demo-day.ts'

/** Connections of a node for jobs and other work of the owner. */
const OWNER_CONNECTIONS = 6
/** How long a shutdown waits for calls in progress, in ms. */
const DRAIN_MS = 10_000
const IDLE_CHECK_MS = 100
/** How often closes are noted, in ms. */
const LATCH_MS = 1_000
/** How long the whole shutdown may take after the load balancer has had time to notice, in ms. */
const STOP_MS = 20_000

type Stop = () => Promise<unknown>

async function main(): Promise<void> {
  const config = readConfig(process.env)
  const log = createLog(config.logLevel)
  const reportFailure = (error: unknown): void => log.error({ err: error }, 'a stop failed')
  const stops: Stop[] = []
  const stopAll = once(async () => {
    isStopping = true
    // One limit for all steps: a database that does not reply must not prevent the shutdown.
    setTimeout(() => process.exit(1), config.drainNoticeMs + STOP_MS).unref()
    for (const stop of stops.toReversed()) await stop().catch(reportFailure)
  })
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, () => {
      void stopAll().then(() => {
        print('megalot has stopped')
        process.exit(0)
      })
    })
  try {
    await start(config, log, stops)
  } catch (error) {
    await stopAll()
    throw error
  }
}

async function start(config: Config, log: Log, stops: Stop[]): Promise<void> {
  const reportFailure = (error: unknown): void => log.error({ err: error }, 'failed in the background')
  const reportLostConnection = (error: Error): void => {
    // During a shutdown the database stops too, which is no error.
    if (!isStopping) log.error({ err: error }, 'a connection to the database was lost')
  }
  setBreachedPasswords(config.breachedPasswords)
  await assertPortFree('PORT', addressOf(config.host), config.port)
  if (config.metricsPort > 0) {
    const { metricsHost: host, metricsPort: port } = config
    await assertPortFree('METRICS_PORT', host, port)
    const metrics = await startMetricsServer({ host, port })
    // First, so that it stops last and shows the shutdown too.
    stops.push(() => metrics.close())
  }
  const embeddedUrl = config.databaseUrl ? undefined : await startEmbedded(config, log, stops)
  const ownerUrl = embeddedUrl ?? config.ownerDatabaseUrl!
  const ran = await migrate(ownerUrl)
  if (ran.length > 0) print(`database brought to ${ran.at(-1)!.replace('.sql', '')}`)

  const plan = { perNode: connectionsPerNode(config), nodes: config.databaseNodes }
  for (const warning of [await checkConnections(ownerUrl, plan), await checkCommitTimes(ownerUrl)])
    if (warning) log.warn(warning)

  const url = embeddedUrl === undefined ? config.databaseUrl! : await makeAppLogin(embeddedUrl)
  const owner = openDatabase({
    url: ownerUrl,
    role: 'owner',
    maxConnections: OWNER_CONNECTIONS,
    onError: reportLostConnection,
  })
  stops.push(() => owner.close())
  const settings = await listChangedSettings(owner.db)
  if (settings.length > 0)
    log.error({ settings }, 'log-ins of the database have other settings than server/roles.sql gives them')
  if (config.isDemo) await seedDemo(owner.db, print, config.demoDays)
  if (config.isProduction) await refuseDemoAccounts(owner.db)

  const { callConnections: maxConnections, reportConnections: maxReports, listConnections: maxLists } = config
  const appDatabase = openDatabase({
    url,
    role: 'megalot_app',
    maxConnections,
    maxReports,
    maxLists,
    onError: reportLostConnection,
  })
  stops.push(() => appDatabase.close())
  const { db } = appDatabase
  // Whatever became due while no node ran is processed before the first call arrives; a scheduled run may have been
  // lost.
  await confirmOverdueOrders(db).catch(reportFailure)
  const made = await makePeriods(db).catch(reportFailure)
  if (made) print(`${made} periods made ahead`)

  const live = openLive({ url, onError: reportLostConnection })
  stops.push(() => live.close())
  const publishTicket = createTicketNews(db, live, reportFailure)

  const sendMail = openMail({ ...config, outbox: join(config.dataDir, 'outbox') })
  const sendLinks = coalesceRuns(async () => {
    try {
      await sendDueRecoveries(db, sendMail, config.publicUrl)
    } finally {
      await sendDueEmails(db, sendMail, config.publicUrl)
    }
  })

  const follower = startBookFollower({
    db,
    onError: reportFailure,
    onDifference: (period_ids) => log.error({ period_ids }, 'the book of a period differs, and it is not paid'),
  })
  stops.push(() => follower.stop())
  stops.push(latchCloses(db, reportFailure))
  const auditorReader = openAuditorReader({ url: config.auditorDatabaseUrl ?? url, onError: reportLostConnection })
  stops.push(() => auditorReader.close())
  const targets = { mails: config.alarmMails, hasWebhook: config.alarmWebhook !== undefined }
  const auditor: Auditor = { reader: auditorReader.reader, owner: owner.db, targets }
  const callWebhook = config.alarmWebhook && openWebhook(config.alarmWebhook)
  const sendAlarms = coalesceRuns(() => sendDueAlarms(owner.db, { sendMail, callWebhook }, reportFailure))
  await requestWholeAudit(owner.db)
  stops.push(sampleMetrics(() => readAuditorMetrics(owner.db), reportFailure))
  stops.push(sampleMetrics(() => readDatabaseMetrics(owner.db), reportFailure))
  const watchReadingLogIns = (): Promise<void> =>
    watchReaders(owner.db, {
      onEnded: (sessions) => log.error({ sessions }, 'sessions of readers were ended: they kept what others need'),
    })
  stops.push(sampleMetrics(watchReadingLogIns, reportFailure))
  const settle = coalesceRuns(() => settleDuePeriods(db))
  const refund = coalesceRuns(() => refundVoidedPeriods(db))
  await settle().catch(reportFailure)
  await refund().catch(reportFailure)
  const demoDay = config.demoDays > 0 ? createDemoDay(db, owner.db, settle) : undefined
  const runDemoDay = demoDay && coalesceRuns(() => demoDay.run())
  if (demoDay) await placeWaitingTicket(appDatabase).catch(reportFailure)
  const costs = createCallCosts(config.costlyCallsPerMinute)
  const reportFiles = createReportFiles(db, appDatabase.reports, costs, reportFailure)
  const jobs = await startJobs({
    pool: owner.pool,
    jobs: [
      ...listJobs(db, { settle, refund, sendLinks }, publishTicket),
      { name: 'write_report_files', when: '* * * * *', run: () => writeAbandonedFiles(reportFiles) },
      { name: 'remove_report_files', when: '47 * * * *', run: () => removeReportFiles(reportFiles) },
      ...listAuditJobs(db, log),
      ...listAuditorJobs(auditor, sendAlarms, log),
      ...(runDemoDay ? [{ name: 'run_demo_day', when: '* * * * *', run: runDemoDay }] : []),
    ],
    onError: (job, error) => log.error({ job, err: error }, 'a job failed'),
    onWait: (names) => log.warn({ jobs: names }, 'the shutdown waits for jobs'),
  })
  stops.push(() => jobs.stop())
  if (runDemoDay)
    stops.push(() => {
      demoDay.stop()
      // A job may still be running: this ends after it.
      return runDemoDay()
    })

  const { dataDir, backup } = config
  if (embeddedUrl !== undefined) {
    if (backup) stops.push(startBackups({ dataDir, backup }, embeddedUrl, db, log))
    else log.warn('BACKUP_DIR is none: nothing is backed up or archived')
  }

  const factorKey = await readFactorKey(config)
  if (!factorKey) log.warn('FACTOR_KEY is not set: authenticator apps cannot be enrolled or used')
  const disk = await watchDisk(config, owner.db, log)
  stops.push(() => disk.stop())
  const readiness = createReadiness(db, disk.isLow)
  const app = await buildApp({
    config: { ...config, factorKey },
    log,
    db,
    batches: appDatabase.batches,
    reports: appDatabase.reports,
    lists: appDatabase.lists,
    onAgreed: () => void settle().catch(reportFailure),
    onVoided: () => void refund().catch(reportFailure),
    onMailDue: () => void sendLinks().catch(reportFailure),
    onWaiting: (deadline) => jobs.runAt('expire_due_orders', deadline),
    live,
    publishTicket,
    reportFiles,
    costs,
    readiness,
    isDiskLow: disk.isLow,
  })
  stops.push(async () => {
    readiness.stop()
    await pause(config.drainNoticeMs)
    // A kept connection becomes idle with its last reply, and would be waited for until its own time-out.
    const closeIdle = setInterval(() => app.server.closeIdleConnections(), IDLE_CHECK_MS)
    // Ends the live streams, whose pages connect elsewhere, then waits for calls in progress.
    await Promise.race([app.close(), pause(DRAIN_MS, undefined, { ref: false })])
    clearInterval(closeIdle)
  })
  await app.listen({ host: addressOf(config.host), port: config.port })
  // After days of downtime there may be much to catch up with; the start does not wait for it.
  void runDemoDay?.().catch(reportFailure)
  const [address] = app.addresses()
  printAddress(config, typeof address === 'object' ? address.port : config.port)
}

/** Backs the embedded database up. @returns its stop */
function startBackups(
  { dataDir, backup: settings }: { dataDir: string; backup: BackupSettings },
  url: string,
  db: Db,
  log: Log,
): Stop {
  return startBackupSchedule({
    url,
    dataDir,
    settings,
    onResult: (result) => {
      if (result.kind === 'backup' || result.kind === 'verification') log.info(result, 'backup')
      else {
        backupFailuresTotal.inc({ kind: result.kind })
        log.error(result, 'a backup is missing, or was not proven')
      }
      auditBackupResult(db, result).catch((error: unknown) => log.error({ err: error }, 'failed in the background'))
    },
  })
}

const megabytesOf = (bytes: number): number => Math.floor(bytes / 1024 ** 2)

/** Watches the disk of the database, where this node can: its own, or one that says how much is left. */
async function watchDisk(config: Config, owner: Db, log: Log): Promise<DiskSpace> {
  const { dataDir, databaseUrl, diskReserveBytes: reserveBytes } = config
  return watchDiskSpace({
    readFreeBytes: () => (databaseUrl === undefined ? readFolderSpace(dataDir) : readServerSpace(owner)),
    reserveBytes,
    onChange: (isLow, freeBytes) => {
      const found = { free_mb: megabytesOf(freeBytes), reserve_mb: megabytesOf(reserveBytes) }
      if (isLow) log.error(found, 'the disk of the database is nearly full: no bet is accepted')
      else log.warn(found, 'the disk of the database has room again: bets are accepted')
    },
    onError: (error) => log.error({ err: error }, 'the disk of the database cannot be read'),
  })
}

/** Notes closes every second. @returns its stop */
function latchCloses(db: Db, onError: (error: unknown) => void): Stop {
  let running: Promise<unknown> | undefined
  const timer = setInterval(() => {
    running ??= latchClosedPeriods(db)
      .catch(onError)
      .finally(() => (running = undefined))
  }, LATCH_MS)
  return async () => {
    clearInterval(timer)
    await running
  }
}

let isStopping = false

/** Those of `openDatabase` for both roles, the auditor's, and the one of live updates. */
function connectionsPerNode({ callConnections, reportConnections, listConnections }: Config): number {
  return (
    callConnections +
    MAX_CACHED_BATCHES +
    MAX_READ_BATCHES +
    reportConnections +
    listConnections +
    OWNER_CONNECTIONS +
    AUDITOR_CONNECTIONS +
    1
  )
}

/** Of `localhost` one address: Fastify opens a second server for a second address, which has none of the guards of the first. */
function addressOf(host: string): string {
  return host === 'localhost' ? '127.0.0.1' : host
}

/** Checks a port before anything is started. @throws Error with a sentence for the operator */
async function assertPortFree(setting: string, host: string, port: number): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const probe = createServer()
    probe.once('error', (error: NodeJS.ErrnoException) => {
      const isInUse = error.code === 'EADDRINUSE'
      reject(isInUse ? new Error(`Port ${port} is in use. Stop what runs there, or set ${setting} to another.`) : error)
    })
    probe.listen(port, host, () => probe.close(() => resolve()))
  })
}

async function startEmbedded(config: Config, log: Log, stops: Stop[]): Promise<string> {
  const postgres: EmbeddedPostgres = await startEmbeddedPostgres({
    dataDir: config.dataDir,
    backupDir: config.backup?.folder ?? null,
    onCrash: () => log.error('PostgreSQL went down and is being started again'),
  })
  stops.push(() => postgres.stop())
  print(`PostgreSQL runs on ${config.dataDir}`)
  return postgres.url
}

function listJobs(
  db: Db,
  { settle, refund, sendLinks }: Record<'settle' | 'refund' | 'sendLinks', () => Promise<unknown>>,
  publishTicket: PublishTicket,
): Job[] {
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
    // 23:50 in Bangkok.
    { name: 'mark_day', when: '50 16 * * *', run: () => markDay(db) },
    // `balance_before` uses no mark whose entry is of the last ten minutes before midnight.
    { name: 'mark_balances', when: '45 16 * * *', run: () => markBalances(db) },
    { name: 'mark_busy_balances', when: '7 * * * *', run: () => markBusyBalances(db) },
    { name: 'remove_old_challenges', when: '*/10 * * * *', run: () => removeExpiredChallenges(db) },
    { name: 'remove_expired_captchas', when: '*/10 * * * *', run: () => removeExpiredCaptchas(db) },
  ]
}

function listAuditJobs(db: Db, log: Log): Job[] {
  return [
    { name: 'audit_unknown_log_ins', when: '* * * * *', run: () => auditUnknownLogIns(db) },
    // The log lies outside of the database: a chain that is written anew later does not hold this head.
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

function listAuditorJobs(auditor: Auditor, sendAlarms: () => Promise<unknown>, log: Log): Job[] {
  return [
    {
      name: 'audit_invariants',
      when: '* * * * *',
      run: () =>
        runAuditor(auditor, {
          isStopping: () => isStopping,
          onStep: ({ broken, whole }) => {
            if (broken.length > 0) log.error({ invariants: broken }, 'invariants are broken')
            if (whole.length > 0) log.warn({ invariants: whole }, 'invariants hold again')
            if (broken.length + whole.length > 0)
              void sendAlarms().catch((err: unknown) => log.error({ err }, 'alarms were not sent'))
          },
        }),
    },
    // 03:20 in Bangkok.
    { name: 'request_whole_audit', when: '20 20 * * *', run: () => requestWholeAudit(auditor.owner) },
    { name: 'send_due_alarms', when: '* * * * *', run: sendAlarms },
  ]
}

/** Calls during a run share one run that begins after it, so that nothing that became due meanwhile is missed. */
function coalesceRuns(run: () => Promise<unknown>): () => Promise<unknown> {
  let current: Promise<unknown> = Promise.resolve()
  let next: Promise<unknown> | undefined
  return () => {
    next ??= current
      .catch(() => {})
      .then(() => {
        next = undefined
        current = run()
        return current
      })
    return next
  }
}

function once(run: () => Promise<void>): () => Promise<void> {
  let promise: Promise<void> | undefined
  return () => (promise ??= run())
}

function printAddress(config: Config, port: number): void {
  print(`megalot is ready on http://localhost:${port}  (API: http://localhost:${port}/api/docs)`)
  if (!config.isDemo) return
  const uplines = config.demoDays > 0 ? 'agent01 … agent04, master01, master02, senior01, company' : 'agent01'
  print(`demo log-ins: member01 … member24, ${uplines}, office01, office02 — password ${DEMO_PASSWORD}`)
}

function print(line: string): void {
  console.info(line)
}

main().catch((error: unknown) => {
  console.error(error instanceof Error && process.env.LOG_LEVEL !== 'debug' ? error.message : error)
  process.exit(1)
})
