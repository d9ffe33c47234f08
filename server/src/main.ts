// Starts the application: configuration, database, migrations, demo, jobs, HTTP; stops it in reverse order.

import { createServer } from 'node:net'
import { join } from 'node:path'
import { buildApp } from './app.ts'
import { type Config, readConfig } from './config.ts'
import { checkAuditChain, readAuditHead } from './modules/audit/index.ts'
import { indexClosedPeriods, refundVoidedPeriods, settleDuePeriods } from './modules/awards/index.ts'
import { startBookFollower } from './modules/book/index.ts'
import { removeOldRecoveries, sendDueRecoveries } from './modules/credentials/index.ts'
import { createTicketNews, type PublishTicket } from './modules/live/index.ts'
import { makePeriods } from './modules/markets/index.ts'
import { confirmOverdueOrders } from './modules/orders/index.ts'
import { markDay } from './modules/play-limits/index.ts'
import { createReportFiles, recordBalances, removeReportFiles, writeAbandonedFiles } from './modules/reports/index.ts'
import { removeExpiredChallenges } from './modules/second-factor/index.ts'
import { removeExpiredCaptchas, removeOldFailures } from './modules/sessions/index.ts'
import { makeAppLogin } from './platform/app-login.ts'
import { type Db, openDatabase } from './platform/db.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from './platform/embedded-postgres.ts'
import { removeOldRequests } from './platform/idempotent-replay.ts'
import { type Job, startJobs } from './platform/jobs.ts'
import { openLive } from './platform/live.ts'
import { createLog, type Log } from './platform/log.ts'
import { openMail } from './platform/mail.ts'
import { readFactorKey } from './platform/factor-key.ts'
import { auditProblems } from './platform/metrics.ts'
import { startMetricsServer } from './platform/metrics-server.ts'
import { migrate } from './platform/migrate.ts'
import { DEMO_PASSWORD, refuseDemoAccounts, seedDemo } from './seed/demo.ts'
import { createDemoDay, placeWaitingTicket } from './seed/demo-day.ts'

/** How long a shutdown waits for calls in progress, in ms. */
const DRAIN_MS = 10_000
/** How long the whole shutdown may take, in ms. */
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
    setTimeout(() => process.exit(1), STOP_MS).unref()
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
  await assertPortFree('PORT', config.host, config.port)
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

  const url = embeddedUrl === undefined ? config.databaseUrl! : await makeAppLogin(embeddedUrl)
  const owner = openDatabase({ url: ownerUrl, role: 'owner', maxConnections: 6, onError: reportLostConnection })
  stops.push(() => owner.close())
  if (config.isDemo) await seedDemo(owner.db, print, config.demoDays)
  if (config.isProduction) await refuseDemoAccounts(owner.db)

  const appDatabase = openDatabase({ url, role: 'megalot_app', onError: reportLostConnection })
  stops.push(() => appDatabase.close())
  const { db } = appDatabase
  // Whatever became due while no node ran is processed before the first call arrives; a scheduled run may have been
  // lost.
  await confirmOverdueOrders(db).catch(reportFailure)
  const made = await makePeriods(db)
  if (made > 0) print(`${made} periods made ahead`)

  const live = openLive({ url, onError: reportLostConnection })
  stops.push(() => live.close())
  const publishTicket = createTicketNews(db, live, reportFailure)

  const sendMail = openMail({ ...config, outbox: join(config.dataDir, 'outbox') })
  const sendRecoveries = coalesceRuns(() => sendDueRecoveries(db, sendMail, config.publicUrl))

  const follower = startBookFollower({
    db,
    onError: reportFailure,
    onDifference: (period_ids) => log.error({ period_ids }, 'the book of a period differs, and it is not paid'),
  })
  stops.push(() => follower.stop())
  const settle = coalesceRuns(() => settleDuePeriods(db))
  const refund = coalesceRuns(() => refundVoidedPeriods(db))
  await settle().catch(reportFailure)
  await refund().catch(reportFailure)
  const demoDay = config.demoDays > 0 ? createDemoDay(db, owner.db, settle) : undefined
  const runDemoDay = demoDay && coalesceRuns(() => demoDay.run())
  if (demoDay) await placeWaitingTicket(appDatabase).catch(reportFailure)
  const reportFiles = createReportFiles(db, appDatabase.reports, reportFailure)
  const jobs = await startJobs({
    pool: owner.pool,
    jobs: [
      ...listJobs(db, { settle, refund, sendRecoveries }, publishTicket),
      { name: 'write_report_files', when: '* * * * *', run: () => writeAbandonedFiles(reportFiles) },
      { name: 'remove_report_files', when: '47 * * * *', run: () => removeReportFiles(reportFiles) },
      ...listAuditJobs(db, log),
      ...(runDemoDay ? [{ name: 'run_demo_day', when: '* * * * *', run: runDemoDay }] : []),
    ],
    onError: (job, error) => log.error({ job, err: error }, 'a job failed'),
  })
  stops.push(() => jobs.stop())
  if (runDemoDay)
    stops.push(() => {
      demoDay.stop()
      // A job may still be running: this ends after it.
      return runDemoDay()
    })

  const factorKey = await readFactorKey(config)
  if (!factorKey) log.warn('FACTOR_KEY is not set: authenticator apps cannot be enrolled or used')
  const app = await buildApp({
    config: { ...config, factorKey },
    log,
    db,
    batches: appDatabase.batches,
    reports: appDatabase.reports,
    onAgreed: () => void settle().catch(reportFailure),
    onVoided: () => void refund().catch(reportFailure),
    onRecovery: () => void sendRecoveries().catch(reportFailure),
    onWaiting: (deadline) => jobs.runAt('expire_due_orders', deadline),
    live,
    publishTicket,
    reportFiles,
  })
  stops.push(() => Promise.race([app.close(), new Promise((resolve) => setTimeout(resolve, DRAIN_MS).unref())]))
  await app.listen({ host: config.host, port: config.port })
  // After days of downtime there may be much to catch up with; the start does not wait for it.
  void runDemoDay?.().catch(reportFailure)
  const [address] = app.addresses()
  printAddress(config, typeof address === 'object' ? address.port : config.port)
}

let isStopping = false

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
    onCrash: () => log.error('PostgreSQL went down and is being started again'),
  })
  stops.push(() => postgres.stop())
  print(`PostgreSQL runs on ${config.dataDir}`)
  return postgres.url
}

function listJobs(
  db: Db,
  { settle, refund, sendRecoveries }: Record<'settle' | 'refund' | 'sendRecoveries', () => Promise<unknown>>,
  publishTicket: PublishTicket,
): Job[] {
  return [
    { name: 'make_periods', when: '7 * * * *', run: () => makePeriods(db) },
    { name: 'expire_due_orders', when: '* * * * *', run: () => confirmOverdueOrders(db, publishTicket) },
    { name: 'index_closed_periods', when: '* * * * *', run: () => indexClosedPeriods(db) },
    { name: 'settle_due_periods', when: '* * * * *', run: settle },
    { name: 'refund_voided_periods', when: '* * * * *', run: refund },
    { name: 'send_due_recoveries', when: '* * * * *', run: sendRecoveries },
    { name: 'remove_old_recoveries', when: '17 * * * *', run: () => removeOldRecoveries(db) },
    { name: 'remove_old_failures', when: '27 * * * *', run: () => removeOldFailures(db) },
    { name: 'remove_old_requests', when: '37 * * * *', run: () => removeOldRequests(db) },
    // 23:50 in Bangkok.
    { name: 'mark_day', when: '50 16 * * *', run: () => markDay(db) },
    { name: 'note_balances', when: '55 16 * * *', run: () => recordBalances(db) },
    { name: 'remove_old_challenges', when: '*/10 * * * *', run: () => removeExpiredChallenges(db) },
    { name: 'remove_expired_captchas', when: '*/10 * * * *', run: () => removeExpiredCaptchas(db) },
  ]
}

function listAuditJobs(db: Db, log: Log): Job[] {
  return [
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
