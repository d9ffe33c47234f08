// What a socket may send: one request after another, each with the length of its body. Node parses all of a read in one turn of the event loop,
// two thousand short requests or ten thousand chunks of a byte, before anything of another client. So what is refused here is refused where the
// parser has read its headers, and what follows is not parsed. Node has no public function for that: the parser calls `onIncoming`, which
// the server sets anew for each socket.

import { AsyncResource } from 'node:async_hooks'
import type { IncomingMessage, RequestListener } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { answerUnreadable } from './http-limits.ts'

/** @returns 2: the bytes that follow are no HTTP */
type OnIncoming = (request: IncomingMessage, shouldKeepAlive: boolean) => number
const NO_MORE_HTTP = 2

/** A socket with a request that is not answered. */
interface BusySocket {
  /** Carries out the request that waits for the reply. */
  next: (() => void) | undefined
}

/**
 * Carries out the requests of a socket one after another. One may wait, because its sender may have all bytes of a reply before it ends here; a further
 * one closes the socket: no browser and no proxy sends it. Node ends no reply that waits behind another one when the socket is closed: the
 * file that is to be sent would stay open for ever.
 *
 * Refuses a body in chunks, which nobody sends for a body of known length, and an `Expect` other than `100-continue`, which Node would answer with an
 * empty 417.
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
      // Once a refusal is sent: nothing more is read.
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
        // The reply may have been the last one of the socket.
        if (socket.writable) busy.next?.()
      })
      for (const handle of handlers) handle(request, reply)
    }
    const busy = busySockets.get(socket)
    // With its own async context, and not that of the call before it.
    if (busy) busy.next = AsyncResource.bind(start)
    else start()
  })
}

function hasUnknownExpectation({ headers: { expect } }: IncomingMessage): boolean {
  return expect !== undefined && !/^\s*100-continue\s*$/i.test(expect)
}
