// Limits for sockets of the HTTP server, and its reply to malformed requests: the envelope and the headers of every
// other reply.

import { readFileSync } from 'node:fs'
import { STATUS_CODES, type ServerOptions } from 'node:http'
import type { Socket } from 'node:net'
import { type RefusalCode, type RefusalEnvelope, refusals } from '@megalot/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { refusalsTotal } from '../lib/metrics.ts'
import { Refusal } from '../lib/refusal.ts'

/** Time limits of a request and its reply, in ms. */
export interface HttpLimits {
  /** For its headers. Must be below the limit of the whole request, or Node would swap them. */
  headers_ms: number
  /** For the whole request, including the body. */
  request_ms: number
  /**
   * How long a reply may go unread. Longer than any call waits before it answers, because nothing moves on its socket
   * meanwhile.
   */
  stalled_ms: number
  /** How often sockets are checked; a slow one may live that much longer. */
  check_ms: number
}

export const httpLimits: HttpLimits = { headers_ms: 8_000, request_ms: 15_000, stalled_ms: 60_000, check_ms: 1_000 }

/** Larger headers, in bytes, are refused (431). */
const MAX_HEADER_BYTES = 16 * 1_024

export function httpOptionsOf({ headers_ms, request_ms, check_ms }: HttpLimits): ServerOptions {
  return {
    headersTimeout: headers_ms,
    requestTimeout: request_ms,
    connectionsCheckingInterval: check_ms,
    maxHeaderSize: MAX_HEADER_BYTES,
    // Done by `refuseWrongHost`, with the envelope.
    requireHostHeader: false,
  }
}

/** Open files besides sockets: the database, logs, report files. */
const OTHER_FILES = 500
const FEWEST_SOCKETS = 50

/**
 * Limits a node's sockets by its open file limit, counting two for each, because a reply may be a file. Without a free
 * file descriptor Node cannot even read its own memory use, and exits.
 */
export function boundSockets({ server }: FastifyInstance): void {
  const openFiles = readOpenFilesLimit()
  if (!Number.isNaN(openFiles))
    server.maxConnections = Math.max(FEWEST_SOCKETS, Math.floor((openFiles - OTHER_FILES) / 2))
}

/** NaN if the system does not say. `process.report` resolves the address of each open socket first. */
function readOpenFilesLimit(): number {
  try {
    return Number(/^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1])
  } catch {
    return Number.NaN
  }
}

/**
 * Refuses a request that names two hosts, which a proxy and this server could interpret differently, because Node
 * passes on only the first. Also refuses an HTTP/1.1 request without a host.
 */
export function refuseWrongHost(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const { rawHeaders } = request.raw
    let hosts = 0
    for (let at = 0; at < rawHeaders.length; at += 2)
      if (rawHeaders[at]!.length === 4 && rawHeaders[at]!.toLowerCase() === 'host') hosts += 1
    const isWrong = hosts > 1 || (hosts === 0 && request.raw.httpVersion === '1.1')
    done(isWrong ? new Refusal('bad_input') : undefined)
  })
}

/**
 * Refuses a request whose client left before its address was read. No one reads the reply, and limits by address would
 * fail. The address read here is kept by the socket.
 */
export function refuseLeft(app: FastifyInstance): void {
  app.addHook('onRequest', ({ raw }, _reply, done) => {
    done(raw.socket.remoteAddress === undefined ? new Refusal('bad_input') : undefined)
  })
}

/** Applies `boundUnreadBody` to the replies of all routes. */
export function boundUnreadBodies(app: FastifyInstance): void {
  app.addHook('onSend', (request, reply, _payload, done) => {
    boundUnreadBody(request, reply)
    done()
  })
}

/**
 * Closes the connection after the reply if the body exceeds the route's limit. Well-behaved clients do not send more,
 * and the rest would only create garbage.
 */
export function boundUnreadBody(request: FastifyRequest, reply: FastifyReply): void {
  const { raw, headers, routeOptions } = request
  if (raw.complete) return
  // `socket-guard.ts` refuses chunked bodies, whose length is unknown.
  const bytes = Number(headers['content-length'] ?? 0)
  if (bytes > routeOptions.bodyLimit || headers['transfer-encoding'] !== undefined) reply.header('connection', 'close')
}

/** By the code of Node's error or of `socket-guard.ts`; every other one means an unreadable request. */
const codes: Readonly<Record<string, { http: number; code: RefusalCode }>> = {
  ERR_HTTP_REQUEST_TIMEOUT: { http: 408, code: 'request_timeout' },
  LENGTH_REQUIRED: { http: 411, code: 'bad_input' },
  HPE_HEADER_OVERFLOW: { http: 431, code: 'headers_too_large' },
}
const UNREADABLE = { http: 400, code: 'bad_input' } as const

/**
 * Replies to a malformed request, and closes its socket. Without a request there is no language, so the sentence is
 * Thai.
 * @param headers the security headers of every reply
 */
export function answerUnreadable(
  error: Error & { code?: string },
  socket: Socket,
  headers: Readonly<Record<string, string>>,
): void {
  // The client has left, or a reply has begun, in which further bytes would be misplaced.
  const { _httpMessage: reply } = socket as { _httpMessage?: { headersSent: boolean } | null }
  if (error.code === 'ECONNRESET' || !socket.writable || reply?.headersSent === true) {
    socket.destroy()
    return
  }
  const { http, code } = codes[error.code ?? ''] ?? UNREADABLE
  refusalsTotal.inc({ code })
  const envelope: RefusalEnvelope = {
    status: { code: http, message: refusals[code].th },
    error: { code, details: {} },
  }
  const body = JSON.stringify(envelope)
  const lines = Object.entries({
    ...headers,
    'Cache-Control': 'no-store',
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': String(Buffer.byteLength(body)),
    Connection: 'close',
  }).map(([name, value]) => `${name}: ${value}`)
  socket.end(`HTTP/1.1 ${http} ${STATUS_CODES[http]}\r\n${lines.join('\r\n')}\r\n\r\n${body}`)
}
