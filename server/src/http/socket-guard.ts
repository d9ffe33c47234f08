// Restricts sockets to one request after another, each with a body length. Node parses a whole read in one turn of the
// event loop, which could be two thousand short requests or ten thousand one-byte chunks, before anything of another
// client. So requests are refused once their headers are parsed, and the rest is not parsed. Node has no public
// function for that: the parser calls `onIncoming`, which the server sets for each socket.

import type { IncomingMessage, RequestListener } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { answerUnreadable } from './http-limits.ts'

/** @returns 2 if the following bytes are not HTTP */
type OnIncoming = (request: IncomingMessage, shouldKeepAlive: boolean) => number
const NO_MORE_HTTP = 2

/** A socket with an unanswered request. */
interface BusySocket {
  /** Runs the request that waits for the reply. */
  next: (() => void) | undefined
}

/**
 * Runs a socket's requests one after another. One request may wait, because its sender may have received the whole
 * reply before it ends here. Another one closes the socket, because no browser or proxy sends it. When a socket closes,
 * Node does not end replies queued behind another, whose files would stay open for ever.
 * Refuses chunked bodies, which clients do not use for bodies of known length, and an `Expect` other than
 * `100-continue`, which Node would answer with an empty 417.
 * @param headers the security headers of every reply
 */
export function guardSockets({ server }: FastifyInstance, headers: Readonly<Record<string, string>>): void {
  const busySockets = new WeakMap<Socket, BusySocket>()
  server.on('connection', (socket: Socket) => {
    const { parser } = socket as unknown as { parser: { onIncoming: OnIncoming } }
    const { onIncoming } = parser
    parser.onIncoming = (request, shouldKeepAlive) => {
      if (busySockets.get(socket)?.next) socket.destroy()
      else if (request.headers['transfer-encoding'] !== undefined)
        answerUnreadable(Object.assign(new Error('chunks'), { code: 'LENGTH_REQUIRED' }), socket, headers)
      else if (hasUnknownExpectation(request)) answerUnreadable(new Error('Expect'), socket, headers)
      else return onIncoming(request, shouldKeepAlive)
      // Once a refusal is sent, nothing more is read.
      socket.destroySoon()
      return NO_MORE_HTTP
    }
  })

  const handlers = server.listeners('request') as RequestListener[]
  server.removeAllListeners('request')
  server.on('request', (request, reply) => {
    const { socket } = request
    const start = (): void => {
      const busy: BusySocket = { next: undefined }
      busySockets.set(socket, busy)
      reply.once('close', () => {
        busySockets.delete(socket)
        // The reply may have been the socket's last.
        if (socket.writable) busy.next?.()
      })
      for (const handle of handlers) handle(request, reply)
    }
    const busy = busySockets.get(socket)
    if (busy) busy.next = start
    else start()
  })
}

function hasUnknownExpectation({ headers: { expect } }: IncomingMessage): boolean {
  return expect !== undefined && !/^\s*100-continue\s*$/i.test(expect)
}
