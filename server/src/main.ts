// The product, started: configuration, database, migrations, demo, jobs, HTTP; and all of it stopped in reverse.

import { buildApp } from './app.ts'
import { type Config, readConfig } from './config.ts'
import { settleDuePeriods } from './modules/awards/settlement.service.ts'
import { makePeriods } from './modules/markets/markets.service.ts'
import { expireDueOrders } from './modules/orders/order-life.service.ts'
import { removeExpiredCaptchas } from './modules/sessions/captcha.service.ts'
import { type Db, openDatabase } from './platform/db.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from './platform/embedded-postgres.ts'
import { type Job, startJobs } from './platform/jobs.ts'
import { migrate } from './platform/migrate.ts'
import { DEMO_PASSWORD, refuseDemoAccounts, seedDemo } from './seed/demo.ts'

/** How long a stop waits for calls in progress, in ms. */
const DRAIN_MS = 10_000

type Stop = () => Promise<unknown>

async function main(): Promise<void> {
  const config = readConfig(process.env)
  const stops: Stop[] = []
  const stopAll = once(async () => {
    for (const stop of stops.toReversed()) await stop().catch((error: unknown) => console.error(error))
  })
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, () => void stopAll().then(() => process.exit(0)))
  try {
    await start(config, stops)
  } catch (error) {
    await stopAll()
    throw error
  }
}

async function start(config: Config, stops: Stop[]): Promise<void> {
  const databaseUrl = config.databaseUrl ?? (await startEmbedded(config, stops))
  const ran = await migrate(databaseUrl)
  if (ran.length > 0) say(`database brought to ${ran.at(-1)!.replace('.sql', '')}`)

  const owner = openDatabase({ url: databaseUrl, role: 'owner', maxConnections: 6, onError: reportLostConnection })
  stops.push(() => owner.close())
  if (config.isDemo) await seedDemo(owner.db, say)
  if (config.isProduction) await refuseDemoAccounts(owner.db)

  const working = openDatabase({ url: databaseUrl, role: 'megalot_app', onError: reportLostConnection })
  stops.push(() => working.close())
  const { db } = working
  const made = await makePeriods(db)
  if (made > 0) say(`${made} periods made ahead`)

  const settle = oneAtATime(() => settleDuePeriods(db))
  await settle()
  const jobs = await startJobs({
    pool: owner.pool,
    jobs: listJobs(db, settle),
    onError: (name, error) => console.error(`job ${name}:`, error),
  })
  stops.push(() => jobs.stop())

  const app = await buildApp({
    config,
    db,
    onAgreed: () => void settle().catch(console.error),
    onWaiting: (deadline) => jobs.ringAt('expire_due_orders', deadline),
  })
  stops.push(() => Promise.race([app.close(), new Promise((resolve) => setTimeout(resolve, DRAIN_MS).unref())]))
  await app.listen({ host: config.host, port: config.port })
  const [address] = app.addresses()
  greet(config, typeof address === 'object' ? address.port : config.port)
}

function reportLostConnection(error: Error): void {
  console.error(`database: ${error.message}`)
}

async function startEmbedded(config: Config, stops: Stop[]): Promise<string> {
  const postgres: EmbeddedPostgres = await startEmbeddedPostgres({
    dataDir: config.dataDir,
    onCrash: () => console.error('PostgreSQL went down and is being started again'),
  })
  stops.push(() => postgres.stop())
  say(`PostgreSQL runs on ${config.dataDir}`)
  return postgres.url
}

function listJobs(db: Db, settle: () => Promise<unknown>): Job[] {
  return [
    { name: 'make_periods', when: '7 * * * *', run: () => makePeriods(db) },
    { name: 'expire_due_orders', when: '* * * * *', run: () => expireDueOrders(db) },
    { name: 'settle_due_periods', when: '* * * * *', run: settle },
    { name: 'remove_expired_captchas', when: '*/10 * * * *', run: () => removeExpiredCaptchas(db) },
  ]
}

/** Calls that come while one runs share a run that begins after it, so that nothing that became due meanwhile is missed. */
function oneAtATime(run: () => Promise<unknown>): () => Promise<unknown> {
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

function greet(config: Config, port: number): void {
  say(`megalot is ready on http://localhost:${port}  (API: http://localhost:${port}/api/docs)`)
  if (!config.isDemo) return
  say(`demo log-ins: member01 … member20, agent01, office01, office02 — password ${DEMO_PASSWORD}`)
}

function say(line: string): void {
  console.info(line)
}

main().catch((error: unknown) => {
  console.error(error instanceof Error && process.env.LOG_LEVEL !== 'debug' ? error.message : error)
  process.exit(1)
})
