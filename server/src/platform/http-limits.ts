// What the sockets of the HTTP server allow, and what it says to a client whose bytes are no request: the envelope and the headers
// of every other reply.

import { type IncomingMessage, type RequestListener, STATUS_CODES, type ServerOptions } from 'node:http'
import type { Socket } from 'node:net'
import { type RefusalCode, type RefusalEnvelope, refusals } from '@megalot/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { refusalsTotal } from './metrics.ts'
import { Refusal } from './refusal.ts'

/** Time limits of a request and its reply, in ms. */
export interface HttpLimits {
  /** For its headers. Below the limit of the whole request: Node would swap them otherwise. */
  headers_ms: number
  /** For all of it, body included. */
  request_ms: number
  /** For how long nothing of a reply is read. Beyond what any call waits before it answers: nothing moves on its socket meanwhile. */
  stalled_ms: number
  /** How often sockets are checked: a slow one lives that much longer. */
  check_ms: number
}

export const httpLimits: HttpLimits = { headers_ms: 8_000, request_ms: 15_000, stalled_ms: 60_000, check_ms: 1_000 }

/** Headers of more bytes are refused (431). */
const MAX_HEADER_BYTES = 16 * 1_024

export function httpOptionsOf({ headers_ms, request_ms, check_ms }: HttpLimits): ServerOptions {
  return {
    headersTimeout: headers_ms,
    requestTimeout: request_ms,
    connectionsCheckingInterval: check_ms,
    maxHeaderSize: MAX_HEADER_BYTES,
    // `refuseWrongHost` does it, with the envelope.
    requireHostHeader: false,
  }
}

/** A socket with a request that is not answered. */
interface BusySocket {
  /** Carries out the request that waits for the reply. */
  next: (() => void) | undefined
}

/**
 * Carries out the requests of a socket one after another. One may wait, because its sender may have all bytes of a reply before it ends here; a further one
 * closes the socket: no browser and no proxy sends it. Node begins all that arrive in one read, some two thousand short ones, before
 * anything of another client. It ends no reply that waits behind another one when the socket is closed: the file that is to be sent would stay
 * open for ever.
 */
export function boundPipelining({ server }: FastifyInstance): void {
  const handlers = server.listeners('request') as RequestListener[]
  server.removeAllListeners('request')
  const busySockets = new WeakMap<Socket, BusySocket>()
  server.on('request', (request, reply) => {
    const { socket } = request
    const start = (): void => {
      const busy: BusySocket = { next: undefined }
      busySockets.set(socket, busy)
      reply.once('close', () => {
        busySockets.delete(socket)
        // The reply may have been the last one of the socket.
        if (socket.writable) busy.next?.()
      })
      for (const handle of handlers) handle(request, reply)
    }
    const busy = busySockets.get(socket)
    if (!busy) start()
    else if (!busy.next) busy.next = start
    else {
      stopParsing(socket)
      socket.destroy()
    }
  })
}

/** Answer of `onIncoming`: the bytes that follow are no HTTP. */
const UPGRADED = 2

/**
 * Ends the parsing of what a socket has sent. Node parses all of a read, and makes objects of each request, also once the socket is destroyed: 28 ms for
 * 64 KiB of short ones, which a client that connects again and again sends each time. It offers no function for it; a parser is set anew for
 * each socket.
 */
function stopParsing(socket: Socket): void {
  const { parser } = socket as { parser?: { onIncoming?: unknown } | null }
  if (parser?.onIncoming) parser.onIncoming = () => UPGRADED
}

/** Open files for all but sockets: the database, logs, report files. */
const OTHER_FILES = 500

/**
 * Bounds the sockets of a node by the open files that its process may have, two for each: a reply may be a file. Without a file descriptor left
 * Node cannot even read its own memory use, and ends.
 */
export function boundSockets({ server }: FastifyInstance): void {
  const { userLimits } = process.report.getReport() as { userLimits?: { open_files?: { soft?: number | string } } }
  const most = Number(userLimits?.open_files?.soft)
  if (most > OTHER_FILES) server.maxConnections = Math.floor((most - OTHER_FILES) / 2)
}

/**
 * Refuses a request that names two hosts: a proxy and this server could take it for requests to different ones, because Node passes on
 * the first alone. And one of HTTP/1.1 that names none.
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
 * Refuses a request whose client has left before its address was read: nobody reads the reply, and what limits calls by their address
 * would fail. The address that is read here is kept by the socket.
 */
export function refuseLeft(app: FastifyInstance): void {
  app.addHook('onRequest', ({ raw }, _reply, done) => {
    done(raw.socket.remoteAddress === undefined ? new Refusal('bad_input') : undefined)
  })
}

/** For the replies of all routes: `boundUnreadBody`. */
export function boundUnreadBodies(app: FastifyInstance): void {
  app.addHook('onSend', (request, reply, _payload, done) => {
    boundUnreadBody(request, reply)
    done()
  })
}

/**
 * What is left of a body whose call is answered is read up to the limit of its route, and the connection ends then: no honest client sends
 * more. It would be collected as garbage with all else in memory.
 */
export function boundUnreadBody(request: FastifyRequest, reply: FastifyReply): void {
  const { raw, headers, routeOptions } = request
  if (raw.complete) return
  if (Number(headers['content-length'] ?? 0) > routeOptions.bodyLimit) reply.header('connection', 'close')
  // Chunks do not say how many follow.
  else if (headers['transfer-encoding'] !== undefined) endBeyondLimit(request, reply)
}

function endBeyondLimit({ raw, routeOptions: { bodyLimit } }: FastifyRequest, reply: FastifyReply): void {
  let bytes = 0
  raw.on('data', (part: Buffer) => {
    bytes += part.length
    if (bytes <= bodyLimit) return
    raw.pause()
    if (reply.raw.writableFinished) raw.destroy()
    else reply.raw.once('finish', () => raw.destroy())
  })
  // Whoever found too much has paused it.
  raw.resume()
}

/** Refuses an `Expect` other than `100-continue`, which Node would answer with an empty 417, without the headers of every reply. */
export function refuseExpectations(app: FastifyInstance, headers: Readonly<Record<string, string>>): void {
  app.server.on('checkExpectation', ({ socket }: IncomingMessage) => {
    stopParsing(socket)
    answerUnreadable(new Error('Expect'), socket, headers)
  })
}

/** By the code of Node's error; every other is a request that cannot be read. */
const codes: Readonly<Record<string, { http: number; code: RefusalCode }>> = {
  ERR_HTTP_REQUEST_TIMEOUT: { http: 408, code: 'request_timeout' },
  HPE_HEADER_OVERFLOW: { http: 431, code: 'headers_too_large' },
}
const UNREADABLE = { http: 400, code: 'bad_input' } as const

/**
 * Replies to a client whose bytes are no request, and closes its socket. There is no request, so no language either: the sentence is
 * the Thai one.
 * @param headers the security headers of every reply
 */
export function answerUnreadable(
  error: Error & { code?: string },
  socket: Socket,
  headers: Readonly<Record<string, string>>,
): void {
  // The client has left, or a reply has begun: bytes in the middle of it would belong to no request.
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
