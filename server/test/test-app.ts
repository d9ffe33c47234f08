// The application in a test: its real HTTP server without a socket, and users who log in to it.

import { randomUUID } from 'node:crypto'
import type { Method } from '@megalot/contract'
import type { FastifyInstance, InjectOptions } from 'fastify'
import { type AppParts, buildApp } from '../src/app.ts'
import { type Config, readConfig } from '../src/config.ts'
import { refundVoidedPeriods, settleDuePeriods } from '../src/results/index.ts'
import { createTicketNews } from '../src/oversight/live/index.ts'
import { createReportFiles } from '../src/reports/index.ts'
import { openLive } from '../src/postgres/live.ts'
import { createReadiness } from '../src/http/readiness.ts'
import { createLog } from '../src/lib/log.ts'
import { openWebPush } from '../src/lib/web-push.ts'
import { DEMO_PASSWORD } from '../src/demo/demo.ts'
import { closeAtFileEnd } from './file-end.ts'
import { readReply, type ReplyTo, type RowAt } from './reply.ts'
import { schemaController } from './schema-compilers.ts'
import { cloneDatabase, type TestDatabase } from './test-database.ts'

export const CAPTCHA_ANSWER = 'abcd'

/** Encrypts the secrets of authenticator apps in tests. */
export const FACTOR_KEY = Buffer.alloc(32, 7).toString('base64')

export interface TestApp extends TestDatabase {
  server: FastifyInstance
  /** The instants for which the expiry of waiting tickets was scheduled. */
  deadlines: Date[]
  /** Logs in and returns a caller whose calls carry the session. */
  logIn(username: string, password?: string): Promise<TestCaller>
  /** A caller whose calls carry this session. */
  callerOf(sessionToken: string, user_id: number): TestCaller
  /** A call without a session. */
  call<M extends 'GET' | 'POST', Url extends string>(
    method: M,
    url: Url,
    body?: object,
    language?: 'th' | 'en',
  ): Promise<ReplyTo<M, Url>>
}

export type { Reply, ReplyTo } from './reply.ts'

export interface TestCaller {
  /** Sent with its calls; may be replaced. */
  sessionToken: string
  user_id: number
  get<Url extends string>(url: Url, language?: 'th' | 'en'): Promise<ReplyTo<'GET', Url>>
  post<Url extends string>(url: Url, body?: object, language?: 'th' | 'en'): Promise<ReplyTo<'POST', Url>>
  remove<Url extends string>(url: Url, language?: 'th' | 'en'): Promise<ReplyTo<'DELETE', Url>>
}

/** The HTTP server of one node on a database; a database may have several. Closed when the test file ends. */
export async function startNode(
  { db, batches, reports, lists, url }: TestDatabase,
  config: Config,
  {
    onWaiting = () => {},
    sendMail = async () => {},
    httpLimits,
    webFolder,
  }: Partial<Pick<AppParts, 'onWaiting' | 'sendMail' | 'httpLimits' | 'webFolder'>> = {},
): Promise<FastifyInstance> {
  const live = openLive({ url, onError: () => {} })
  // Work that a call starts without waiting ends before the database is closed.
  const background = new Set<Promise<unknown>>()
  const start = (work: Promise<unknown>): void => {
    background.add(work)
    void work.finally(() => background.delete(work))
  }
  const app = await buildApp({
    config,
    log: createLog(config.logLevel),
    db,
    batches,
    reports,
    lists,
    onAgreed: () => start(settleDuePeriods(db)),
    onVoided: () => start(refundVoidedPeriods(db)),
    onMailDue: () => {},
    onWaiting,
    sendMail,
    pushKey: openWebPush({ secret: Buffer.from(FACTOR_KEY, 'base64'), publicUrl: config.publicUrl }).publicKey,
    ...(httpLimits ? { httpLimits } : {}),
    ...(webFolder === undefined ? {} : { webFolder }),
    live,
    publishTicket: createTicketNews(db, live, () => {}),
    reportFiles: createReportFiles(db, reports, () => {}),
    readiness: createReadiness(db),
    schemaController,
  })
  closeAtFileEnd(async () => {
    const closed = app.close()
    // Otherwise it would wait for the clients of open connections.
    app.server.closeAllConnections()
    await closed
    await Promise.allSettled(background)
    await live.close()
  })
  return app
}

/**
 * The configuration of a test's application. Overload protection is off, because tests may block the event loop for
 * seconds.
 */
export function testConfig(environment: Record<string, string> = {}): Config {
  const settings = { CAPTCHA_TEST_ANSWER: CAPTCHA_ANSWER, LOG_LEVEL: 'silent', MAX_LOOP_DELAY_MS: '0', FACTOR_KEY }
  return readConfig({ ...settings, ...environment })
}

export async function startTestApp(environment: Record<string, string> = {}): Promise<TestApp> {
  return appOn(await cloneDatabase(), environment)
}

/** The application on a test's own database. */
export async function appOn(database: TestDatabase, environment: Record<string, string> = {}): Promise<TestApp> {
  const deadlines: Date[] = []
  const app = await startNode(database, testConfig(environment), {
    onWaiting: (deadline) => deadlines.push(deadline),
  })

  const send = async <M extends Method, Url extends string>(
    method: M,
    url: Url,
    rest: Pick<InjectOptions, 'headers' | 'payload'>,
  ): Promise<ReplyTo<M, Url>> => readReply<RowAt<M, Url>>(await app.inject({ method, url, ...rest }))
  const call: TestApp['call'] = (method, url, body, language = 'th') =>
    send(method, url, { headers: { 'accept-language': language }, ...(body ? { payload: body } : {}) })

  const callerOf = (sessionToken: string, user_id: number): TestCaller => {
    const headersIn = (language: string) => ({
      authorization: `Bearer ${caller.sessionToken}`,
      'accept-language': language,
    })
    const caller: TestCaller = {
      sessionToken,
      user_id,
      get: (url, language = 'th') => send('GET', url, { headers: headersIn(language) }),
      post: (url, payload, language = 'th') =>
        send('POST', url, { headers: headersIn(language), ...(payload ? { payload } : {}) }),
      remove: (url, language = 'th') => send('DELETE', url, { headers: headersIn(language) }),
    }
    return caller
  }
  /** One at a time, because many at once count as a flood, in which unknown browsers get none. */
  let lastPicture: Promise<unknown> = Promise.resolve()
  const logIn = async (username: string, password = DEMO_PASSWORD): Promise<TestCaller> => {
    const request_id = randomUUID()
    lastPicture = lastPicture.then(() => call('GET', `/megalot/auth/captcha?request_id=${request_id}`))
    await lastPicture
    const body = { username, password, request_id, captcha_txt: CAPTCHA_ANSWER }
    const { http, json } = await call('POST', '/megalot/auth/login', body)
    if (http !== 200) throw new Error(`${username} could not log in: ${JSON.stringify(json)}`)
    return callerOf(json.sessionId, json.data.user_id)
  }
  return { ...database, server: app, deadlines, call, logIn, callerOf }
}
