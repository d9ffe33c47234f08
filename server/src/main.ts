// Starts the application: configuration, database, migrations, demo, jobs, HTTP; stops it in reverse order.

import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { buildApp } from './app.ts'
import { type Config, readConfig } from './config.ts'
import { setBreachedPasswords } from './identity/accounts/index.ts'
import { refundVoidedPeriods, settleDuePeriods } from './results/index.ts'
import { startExposureFollower } from './exposure/index.ts'
import {
  type IntegrityChecker,
  readIntegrityMetrics,
  requestFullCheck,
  sendDueAlerts,
} from './oversight/invariants/index.ts'
import { sendDueEmailNotices, sendDueEmails, sendDueRecoveries } from './identity/credentials/index.ts'
import { createTicketNews, watchReaders } from './oversight/live/index.ts'
import { recordClosedPeriods, loadExchangeData, makePeriods } from './markets/index.ts'
import { confirmOverdueOrders } from './betting/index.ts'
import { sendDuePushes } from './identity/push/index.ts'
import { describeSetupLink, makeSetupLink, prepareHouse } from './identity/setup/index.ts'
import { createReportFiles } from './reports/index.ts'
import { listJobs } from './jobs.ts'
import { checkCommitTimes } from './postgres/commit-times.ts'
import { checkConnections } from './postgres/connection-budget.ts'
import { listChangedSettings, makeAppLogin } from './postgres/database-log-ins.ts'
import { readDatabaseMetrics } from './postgres/database-metrics.ts'
import {
  AUDITOR_CONNECTIONS,
  type Db,
  MAX_CACHED_BATCHES,
  MAX_READ_BATCHES,
  openIntegrityReader,
  openDatabase,
} from './postgres/db.ts'
import { startEmbeddedPostgres } from './postgres/embedded-postgres.ts'
import { startJobs } from './lib/jobs.ts'
import { openLive } from './postgres/live.ts'
import { createLog, type Log } from './lib/log.ts'
import { openMail, type SendMail } from './lib/mail.ts'
import { readFactorKey } from './lib/factor-key.ts'
import { startMetricsServer } from './lib/metrics-server.ts'
import { migrate } from './postgres/migrate.ts'
import { createReadiness, type Readiness } from './http/readiness.ts'
import { startRepeating } from './lib/repeated-run.ts'
import { createStops, type Stops } from './lib/stops.ts'
import { openWebhook } from './lib/webhook.ts'
import { openWebPush } from './lib/web-push.ts'
import { DEMO_PASSWORD, refuseDemoAccounts, seedDemo } from './demo/demo.ts'
import { createDemoDay, placeWaitingTicket } from './demo/demo-day.ts'

/** A node's connections for jobs and other work of the owner. */
const OWNER_CONNECTIONS = 6
/** How long a shutdown waits for calls in progress, in ms. */
const DRAIN_MS = 10_000
const IDLE_CHECK_MS = 100
/** How often closes are recorded, in ms. */
const LATCH_MS = 1_000
/** How often due pushes are looked for, in ms. */
const PUSH_MS = 1_000
/** How often metrics and readers' sessions are read from the database, in ms. */
const SAMPLE_MS = 10_000
/** The longest shutdown after the load balancer's notice, in ms. */
const STOP_MS = 20_000

async function main(): Promise<void> {
  const config = readConfig(process.env)
  const log = createLog(config.logLevel)
  const reportFailure = (error: unknown): void => log.error({ err: error }, 'a stop failed')
  const stops = createStops(reportFailure)
  const stopAll = (): Promise<void> => {
    // One limit for all steps: an unresponsive database must not prevent the shutdown.
    if (!stops.isRunning()) setTimeout(() => process.exit(1), config.drainNoticeMs + STOP_MS).unref()
    return stops.run()
  }
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
    // The signal ends the process; failures of an aborted start are not errors.
    if (stops.isRunning()) return
    await stopAll()
    throw error
  }
}

/**
 * Starts a node's parts one after another.
 * @param stops receives the stop of each
 * @throws StopRequested once the stops run
 */
async function start(config: Config, log: Log, stops: Stops): Promise<void> {
  const reportFailure = (error: unknown): void => log.error({ err: error }, 'failed in the background')
  const reportLostConnection = (error: Error): void => {
    // During a shutdown the database stops too, which is not an error.
    if (!stops.isRunning()) log.error({ err: error }, 'a connection to the database was lost')
  }
  const context: StartContext = { config, log, stops, reportFailure, reportLostConnection }
  setBreachedPasswords(config.breachedPasswords)
  await openPorts(context)
  const urls = await prepareDatabase(context)
  const { owner, appDatabase } = await openDatabases(context, urls)
  const { db } = appDatabase
  // Processes whatever became due while no node ran before the first call arrives, because a scheduled run may have
  // been lost.
  await confirmOverdueOrders(db).catch(reportFailure)
  const made = await makePeriods(db).catch(reportFailure)
  if (made) print(`${made} periods made ahead`)

  const live = openLive({ url: urls.app, onError: reportLostConnection })
  stops.push(() => live.close())
  const publishTicket = createTicketNews(db, live, reportFailure)
  startLoops(context, db, owner.db)
  const sendMail = openMail({ ...config, outbox: join(config.dataDir, 'outbox') })
  const { auditor, sendAlarms } = await openAuditor(context, urls, owner.db, sendMail)
  const sharedRuns = { ...openSharedRuns(config, db, sendMail), sendAlarms }
  const { settle, refund, sendLinks } = sharedRuns
  await settle().catch(reportFailure)
  await refund().catch(reportFailure)
  const demoDay = config.demoDays > 0 ? createDemoDay(db, owner.db, settle) : undefined
  const runDemoDay = demoDay && coalesceRuns(() => demoDay.run())
  if (demoDay) await placeWaitingTicket(appDatabase).catch(reportFailure)
  const reportFiles = createReportFiles(db, appDatabase.reports, reportFailure)
  const jobs = await startJobs({
    pool: owner.pool,
    jobs: listJobs({
      ...{ db, log, publishTicket, reportFiles, auditor, ...sharedRuns, runDemoDay },
      retention: config.retention,
      isStopping: () => stops.isRunning(),
    }),
    onError: (job, error) => log.error({ job, err: error }, 'a job failed'),
    onWait: (names) => log.warn({ jobs: names }, 'the shutdown waits for jobs'),
  })
  stops.push(() => jobs.stop())
  if (runDemoDay)
    stops.push(() => {
      demoDay.stop()
      // A job may still be running; this ends after it.
      return runDemoDay()
    })

  const factorKey = await readFactorKey(config)
  if (!factorKey)
    log.warn('FACTOR_KEY is not set: no authenticator apps can be enrolled or used, and no pushes are sent')
  const push = factorKey && openWebPush({ secret: factorKey, publicUrl: config.publicUrl })
  if (push) {
    const sending = {
      send: push.send,
      sessionLifeMs: config.sessionLifeMs,
      isStopping: () => stops.isRunning(),
      onError: (err: unknown) => log.warn({ err }, 'a push was lost'),
    }
    stops.push(startRepeating(PUSH_MS, () => sendDuePushes(db, sending), reportFailure))
  }
  const readiness = createReadiness(db)
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
    sendMail,
    pushKey: push?.publicKey ?? null,
    onWaiting: (deadline) => jobs.runAt('expire_due_orders', deadline),
    live,
    publishTicket,
    reportFiles,
    readiness,
  })
  stops.push(() => drain(config, readiness, app))
  await app.listen({ host: addressOf(config.host), port: config.port })
  // There may be much to catch up on after days of downtime; the start does not wait for it.
  void runDemoDay?.().catch(reportFailure)
  const [address] = app.addresses()
  printAddress(config, typeof address === 'object' ? address.port : config.port)
  const setupLink = config.isDemo ? undefined : await makeSetupLink(owner.db, config.publicUrl)
  if (setupLink) print(describeSetupLink(setupLink))
}

/** The context of each step of the start. */
interface StartContext {
  config: Config
  log: Log
  stops: Stops
  /** Logs background failures. */
  reportFailure: (error: unknown) => void
  reportLostConnection: (error: Error) => void
}

/** Database URLs by log-in. */
interface DatabaseUrls {
  owner: string
  app: string
}

/** Checks the ports before anything else starts, and serves the metrics. */
async function openPorts({ config, stops }: StartContext): Promise<void> {
  await assertPortFree('PORT', addressOf(config.host), config.port)
  if (config.metricsPort === 0) return
  const { metricsHost: host, metricsPort: port } = config
  await assertPortFree('METRICS_PORT', host, port)
  const metrics = await startMetricsServer({ host, port })
  // Pushed first, so that it stops last and shows the shutdown too.
  stops.push(() => metrics.close())
}

/** Starts the embedded PostgreSQL unless another one is used, and migrates the database. */
async function prepareDatabase({ config, log, stops }: StartContext): Promise<DatabaseUrls> {
  const embedded = config.databaseUrl ? undefined : await startEmbedded(config, log, stops)
  const owner = embedded ?? config.ownerDatabaseUrl!
  const ran = await migrate(owner)
  if (ran.length > 0) print(`database brought to ${ran.at(-1)!.replace('.sql', '')}`)
  const plan = { perNode: connectionsPerNode(config), nodes: config.databaseNodes }
  for (const warning of [await checkConnections(owner, plan), await checkCommitTimes(owner)])
    if (warning) log.warn(warning)
  const app = embedded === undefined ? config.databaseUrl! : await makeAppLogin(embedded)
  return { owner, app }
}

/** Opens the pools of both log-ins. Between them it seeds the demo, which the application then finds. */
async function openDatabases({ config, log, stops, reportLostConnection }: StartContext, urls: DatabaseUrls) {
  const owner = openDatabase({
    url: urls.owner,
    role: 'owner',
    maxConnections: OWNER_CONNECTIONS,
    onError: reportLostConnection,
  })
  stops.push(() => owner.close())
  const settings = await listChangedSettings(owner.db)
  if (settings.length > 0)
    log.error({ settings }, 'log-ins of the database have other settings than server/roles.sql gives them')
  await owner.db.transaction().execute((tx) => loadExchangeData(tx))
  if (config.isProduction) await refuseDemoAccounts(owner.db)
  if (config.isDemo) await seedDemo(owner.db, print, config.demoDays)
  else await prepareHouse(owner.db)

  const { callConnections: maxConnections, reportConnections: maxReports, listConnections: maxLists } = config
  const appDatabase = openDatabase({
    url: urls.app,
    role: 'megalot_app',
    maxConnections,
    maxReports,
    maxLists,
    onError: reportLostConnection,
  })
  stops.push(() => appDatabase.close())
  return { owner, appDatabase }
}

/** Each node's own loops, for which a minute is too long: exposure, closes, metrics, readers' sessions. */
function startLoops({ log, stops, reportFailure }: StartContext, db: Db, owner: Db): void {
  const follower = startExposureFollower({
    db,
    onError: reportFailure,
    onDifference: (books) => log.error({ books }, 'the book of a period differs, and it is not paid'),
  })
  stops.push(() => follower.stop())
  stops.push(startRepeating(LATCH_MS, () => recordClosedPeriods(db), reportFailure))
  const onEnded = (sessions: readonly object[]): void =>
    log.error({ sessions }, 'sessions of readers were ended: they kept what others need')
  for (const run of [
    () => readIntegrityMetrics(owner),
    () => readDatabaseMetrics(owner),
    () => watchReaders(owner, { onEnded }),
  ])
    stops.push(startRepeating(SAMPLE_MS, run, reportFailure))
}

/**
 * The integrity check with its connection, which checks everything once after each start, and the sending of its
 * alerts.
 */
async function openAuditor(
  { config, stops, reportFailure, reportLostConnection }: StartContext,
  urls: DatabaseUrls,
  owner: Db,
  sendMail: SendMail,
): Promise<{ auditor: IntegrityChecker; sendAlarms: () => Promise<unknown> }> {
  const opened = openIntegrityReader({
    url: config.auditorDatabaseUrl ?? urls.app,
    onError: reportLostConnection,
  })
  stops.push(() => opened.close())
  const targets = { mails: config.alarmMails, hasWebhook: config.alarmWebhook !== undefined }
  const callWebhook = config.alarmWebhook && openWebhook(config.alarmWebhook)
  const sendAlarms = coalesceRuns(() => sendDueAlerts(owner, { sendMail, callWebhook }, reportFailure))
  await requestFullCheck(owner)
  return { auditor: { reader: opened.reader, owner, targets }, sendAlarms }
}

/** Work requested by both calls and jobs. */
function openSharedRuns(config: Config, db: Db, sendMail: SendMail) {
  return {
    settle: coalesceRuns(() => settleDuePeriods(db)),
    refund: coalesceRuns(() => refundVoidedPeriods(db)),
    sendLinks: coalesceRuns(async () => {
      try {
        await sendDueRecoveries(db, sendMail, config.publicUrl)
      } finally {
        // Undeliverable messages of one kind do not delay the others.
        await Promise.all([sendDueEmails(db, sendMail, config.publicUrl), sendDueEmailNotices(db, sendMail)])
      }
    }),
  }
}

/** Stops serving: the balancer gets time to notice, then live streams end, and calls in progress are awaited. */
async function drain(config: Config, readiness: Readiness, app: FastifyInstance): Promise<void> {
  readiness.stop()
  await pause(config.drainNoticeMs)
  // A kept connection becomes idle with its last reply, and would otherwise be awaited until its own timeout.
  const closeIdle = setInterval(() => app.server.closeIdleConnections(), IDLE_CHECK_MS)
  // Ends live streams, whose pages reconnect elsewhere, then waits for calls in progress.
  await Promise.race([app.close(), pause(DRAIN_MS, undefined, { ref: false })])
  clearInterval(closeIdle)
}

/** The connections of `openDatabase` for both roles, of the integrity check, and of live updates. */
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

/**
 * A single address for `localhost`: Fastify opens a second server for a second address, without the first one's guards.
 */
function addressOf(host: string): string {
  return host === 'localhost' ? '127.0.0.1' : host
}

/**
 * Checks a port before anything starts.
 * @throws Error with a sentence for the operator
 */
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

async function startEmbedded(config: Config, log: Log, stops: Stops): Promise<string> {
  const postgres = await startEmbeddedPostgres({ dataDir: config.dataDir })
  stops.push(() => postgres.stop())
  void postgres.ended.then(() => {
    if (stops.isRunning()) return
    log.error('PostgreSQL has ended, and so does the application')
    process.exit(1)
  })
  print(`PostgreSQL runs on ${config.dataDir}`)
  return postgres.url
}

/**
 * Calls during a run share one further run that begins after it, so that nothing that became due meanwhile is missed.
 */
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

function printAddress(config: Config, port: number): void {
  const address = config.isProduction ? `for ${config.publicUrl}` : `(API: http://localhost:${port}/api/docs)`
  print(`megalot is ready on http://localhost:${port}  ${address}`)
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
