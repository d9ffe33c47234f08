// The HTTP server with all its routes, independent of how it is started.

import type { IncomingMessage, ServerResponse } from 'node:http'
import { constants } from 'node:zlib'
import compress from '@fastify/compress'
import cookie from '@fastify/cookie'
import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import { APP_VERSION } from '@megalot/contract'
import Fastify, {
  type FastifyBaseLogger,
  type FastifyServerOptions,
  type FastifyInstance,
  type FastifyRequest,
  LogController,
} from 'fastify'
import helmet from 'helmet'
import type { Config } from './config.ts'
import { serveAccounts } from './identity/accounts/index.ts'
import { serveApprovals } from './changes/approvals/index.ts'
import { serveAnnouncements } from './markets/announcements/index.ts'
import { serveAudit } from './changes/audit/index.ts'
import { serveAwards } from './results/index.ts'
import { serveBook } from './exposure/index.ts'
import { serveCredentials } from './identity/credentials/index.ts'
import { serveInvariants } from './oversight/invariants/index.ts'
import { createLiveStreams, type LiveStreams, serveLive, type PublishTicket } from './oversight/live/index.ts'
import { serveMaintenance } from './markets/maintenance/index.ts'
import { serveMarkets } from './markets/index.ts'
import { serveDrawDay } from './oversight/draw-day/index.ts'
import { serveMoney } from './money/index.ts'
import { serveNotices } from './results/notices/index.ts'
import { serveOrders } from './betting/index.ts'
import { servePeople } from './identity/people/index.ts'
import { servePush } from './identity/push/index.ts'
import { servePersonalData } from './identity/personal-data/index.ts'
import { serveSavedViews } from './identity/saved-views/index.ts'
import { serveOwnLists } from './betting/own-lists/index.ts'
import { createUseCache, servePlayLimits } from './betting/play-limits/index.ts'
import { serveQuotas } from './markets/quotas/index.ts'
import { type ReportFiles, serveReports } from './reports/index.ts'
import { serveSecondFactor } from './identity/second-factor/index.ts'
import { authenticate, createSessionServices, requiredProof, serveSessions } from './identity/sessions/index.ts'
import { serveReadiness } from './oversight/readiness/index.ts'
import { serveSetup } from './identity/setup/index.ts'
import { serveSignals } from './oversight/signals/index.ts'
import { serveStaff } from './identity/staff/index.ts'
import { serveVitals } from './oversight/vitals/index.ts'
import type { DatabaseHandles } from './postgres/db.ts'
import { createLimits } from './http/limits.ts'
import type { Live } from './postgres/live.ts'
import type { Log } from './lib/log.ts'
import type { SendMail } from './lib/mail.ts'
import {
  answerUnreadable,
  boundSockets,
  boundUnreadBodies,
  boundUnreadBody,
  type HttpLimits,
  httpLimits as defaultHttpLimits,
  httpOptionsOf,
  refuseLeft,
  refuseWrongHost,
} from './http/http-limits.ts'
import { createRequestIds, observeRequests } from './http/observe-requests.ts'
import { refuseOverload } from './http/refuse-overload.ts'
import type { Readiness } from './http/readiness.ts'
import { createSendError } from './http/send-error.ts'
import { removesUnknownKeys } from './http/unknown-keys.ts'
import { guardSockets } from './http/socket-guard.ts'
import { admitOffice, type Authenticate, createServe } from './http/serve.ts'
import { serveWebPages } from './http/web-pages.ts'

export interface AppParts extends DatabaseHandles {
  config: Config
  log: Log
  /** Called when a period is ready to be settled. */
  onAgreed: () => void
  /** Called when the stakes of a voided period are to be refunded. */
  onVoided: () => void
  /** Called with the instant when waiting tickets count as confirmed. */
  onWaiting: (deadline: Date) => void
  /** Called when a link is to be mailed, for a forgotten password or to a new member. */
  onMailDue: () => void
  sendMail: SendMail
  /** The public key of web pushes; null if none are sent. */
  pushKey: string | null
  /** Publish/subscribe between the nodes. */
  live: Live
  reportFiles: ReportFiles
  readiness: Readiness
  /** Called for each placed or changed ticket. */
  publishTicket: PublishTicket
  /** Defaults to production's. */
  httpLimits?: HttpLimits
  /** Defaults to Fastify's, which compiles the schemas of all routes for each application. */
  schemaController?: FastifyServerOptions['schemaController']
  /** The folder of the built web. Defaults to the build's. */
  webFolder?: string
}

const BODY_LIMIT = 512 * 1024

/** Builds a node's HTTP server: routes, limits, headers, files of the web. It does not listen yet. */
export async function buildApp(parts: AppParts): Promise<FastifyInstance> {
  const { config, db } = parts
  // Independent of the request, so computed once: computing them costs as much as a small call.
  const headers = computeHelmetHeaders(config)
  const httpLimits = parts.httpLimits ?? defaultHttpLimits
  // Typed as Fastify's; otherwise the server's type would include the logger's.
  const loggerInstance: FastifyBaseLogger = parts.log
  const sendError = createSendError()
  const app = Fastify({
    loggerInstance,
    genReqId: createRequestIds(),
    requestIdHeader: false,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_LIMIT,
    // A stopping node still answers arriving calls, with `connection: close`. Fastify's own 503 has no envelope.
    return503OnClosing: false,
    // Limits how long slow requests hold a socket. Fastify sets the second limit on the server once it is created.
    http: httpOptionsOf(httpLimits),
    requestTimeout: httpLimits.request_ms,
    // Limits replies that are not read. Node restarts this timeout while bytes still leave.
    connectionTimeout: httpLimits.stalled_ms,
    clientErrorHandler: (error, socket) => answerUnreadable(error, socket, headers),
    frameworkErrors: (error, request, reply) => {
      // No hook runs for requests without a route.
      reply.headers(headers)
      boundUnreadBody(request, reply)
      sendError(error, request, reply)
    },
    trustProxy: proxyHopsOf(config.trustedProxies),
    routerOptions: { ignoreTrailingSlash: false },
    ...(parts.schemaController ? { schemaController: parts.schemaController } : {}),
    ajv: {
      customOptions: {
        coerceTypes: false,
        removeAdditional: false,
        useDefaults: false,
        allErrors: false,
        keywords: [removesUnknownKeys],
      },
    },
  })
  app.removeContentTypeParser('text/plain')
  app.setErrorHandler((error, request, reply) => sendError(error, request, reply))
  observeRequests(app)
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(headers)
    done()
  })
  refuseLeft(app)
  refuseWrongHost(app)
  guardSockets(app, headers)
  boundSockets(app)
  boundUnreadBodies(app)
  await refuseOverload(app, config.maxLoopDelayMs)
  addHealth(app, parts.readiness)
  const sessionServices = createSessionServices(db, (error) => app.log.error({ err: error }, 'activity was not noted'))
  const authenticateCaller: Authenticate = (sessionToken, options) =>
    authenticate(db, sessionServices, sessionToken, config, options)
  await addOpenApi(app, config.isProduction ? admitOffice(authenticateCaller) : undefined)

  const limits = createLimits(config.callLimitsFactor)
  requiredProof.start(config.callLimitsFactor)
  await app.register(async (api) => {
    await compressReplies(api)
    const serve = createServe(api, authenticateCaller, limits, config)
    const playUses = createUseCache()
    serveMaintenance(serve, db)
    // Only these routes read and set the device cookie.
    await api.register(async (scope) => {
      await scope.register(cookie)
      const serveWithCookies = createServe(scope, authenticateCaller, limits, config)
      serveSessions(serveWithCookies, db, parts.lists, config)
      serveCredentials(serveWithCookies, db, config, parts.onMailDue)
      serveSetup(serveWithCookies, db, config)
    })
    serveSecondFactor(serve, db, config)
    serveAccounts(serve, db, parts.lists)
    serveStaff(serve, db, parts.lists)
    servePeople(serve, db, parts.lists, playUses, parts.onMailDue)
    servePersonalData(serve, db)
    serveAnnouncements(serve, db)
    serveMarkets(serve, db, parts.onWaiting)
    serveQuotas(serve, db)
    servePlayLimits(serve, db, playUses)
    serveOwnLists(serve, db)
    serveSavedViews(serve, db)
    serveOrders(serve, { ...parts, playUses, onChanged: parts.publishTicket })
    serveBook(serve, parts.reports)
    serveAwards(serve, db, parts.lists, parts.onAgreed)
    serveApprovals(serve, parts)
    serveDrawDay(serve, parts.reports, parts.lists)
    serveInvariants(serve, parts.lists)
    serveReadiness(serve, db, config, parts.sendMail)
    serveMoney(serve, db, parts.lists)
    serveNotices(serve, db)
    servePush(serve, db, parts.pushKey)
    serveReports(serve, parts.reportFiles, parts.lists)
    serveAudit(serve, parts)
    serveSignals(serve, parts.reports)
    serveLive(serve, openStreams(app, parts))
    serveVitals(serve)
  })
  await serveWebPages(app, headers['Content-Security-Policy'] ?? '', sendError, parts.webFolder)
  return app
}

function openStreams(app: FastifyInstance, { config, db, live }: AppParts): LiveStreams {
  const onError = (error: unknown): void => app.log.warn({ err: error }, 'live sessions could not be checked')
  const streams = createLiveStreams({ db, live, settings: config, onError })
  // Runs before the server waits for calls in progress, because streams do not end by themselves.
  app.addHook('preClose', async () => streams.close())
  return streams
}

/** With a number of proxies, that many hops in front of this server may set the address. */
function proxyHopsOf(
  proxies: Config['trustedProxies'],
): false | string[] | ((address: string, hop: number) => boolean) {
  return typeof proxies === 'number' ? (_address, hop) => hop < proxies : proxies
}

/** Only for the API. Otherwise unauthenticated calls could have the web's files compressed again each time. */
async function compressReplies(api: FastifyInstance): Promise<void> {
  await api.register(compress, {
    // Compressing smaller replies costs more than it saves.
    threshold: 4_096,
    // Clients send no compressed bodies, and a decompressed one could have any size.
    globalDecompression: false,
    encodings: ['br', 'gzip'],
    // The default is meant for files that are compressed once, and takes milliseconds per reply.
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } },
  })
}

/** The security headers, by name. */
function computeHelmetHeaders({ isProduction }: Config): Record<string, string> {
  const headers: Record<string, string> = {}
  const reply = {
    setHeader: (name: string, value: string) => (headers[name] = value),
    removeHeader: () => {},
  }
  const protect = helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        'default-src': ["'none'"],
        'script-src': ["'self'"],
        // The pages' style sheets are inline, and some parts set sizes by style attributes.
        'style-src': ["'self'", "'unsafe-inline'"],
        'img-src': ["'self'", 'data:', 'blob:'],
        'font-src': ["'self'"],
        'connect-src': ["'self'"],
        'manifest-src': ["'self'"],
        'worker-src': ["'self'"],
        'object-src': ["'none'"],
        'base-uri': ["'none'"],
        'form-action': ["'self'"],
        'frame-ancestors': ["'none'"],
      },
    },
    // Only if the site is served over TLS, because a demo on plain HTTP must stay reachable.
    strictTransportSecurity: isProduction ? { maxAge: 31_536_000, includeSubDomains: true } : false,
    crossOriginEmbedderPolicy: false,
    xFrameOptions: { action: 'deny' },
    referrerPolicy: { policy: 'no-referrer' },
  })
  protect({} as IncomingMessage, reply as unknown as ServerResponse, (error) => {
    if (error instanceof Error) throw error
  })
  return headers
}

/**
 * The API's description, with the content security policy of every reply.
 * @param admit refuses callers who may not read it; omit to allow all
 */
async function addOpenApi(app: FastifyInstance, admit?: (request: FastifyRequest) => Promise<void>): Promise<void> {
  await app.register(swagger, {
    openapi: {
      info: {
        title: 'megalot',
        version: APP_VERSION,
        description:
          'Amounts are satang, rates hundredths, instants UTC. Every reply is { status, data } or { status, error }.',
      },
      components: { securitySchemes: { session: { type: 'http', scheme: 'bearer' } } },
    },
  })
  await app.register(swaggerUi, {
    routePrefix: '/api/docs',
    // The default sends the description to another site.
    uiConfig: { validatorUrl: null },
    // Fastify awaits this hook, although its types do not say so.
    // oxlint-disable-next-line typescript/no-misused-promises
    ...(admit ? { uiHooks: { onRequest: admit } } : {}),
  })
}

function addHealth(app: FastifyInstance, readiness: Readiness): void {
  app.get('/live', { schema: { hide: true } }, async () => ({ status: 'live' }))
  app.get('/ready', { schema: { hide: true } }, async (_request, reply) => {
    const status = await readiness.check()
    return reply.code(status === 'ready' ? 200 : 503).send({ status })
  })
  // Before a shutdown: kept connections would bring more calls to a stopping node.
  app.addHook('onRequest', (_request, reply, done) => {
    if (readiness.isStopping()) reply.header('connection', 'close')
    done()
  })
}
