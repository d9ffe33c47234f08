// A load of tickets over many kept-alive connections. It does little work, because it shares the cores with the
// application: requests are concatenated from prepared text, and replies are only searched for their end and status.

import { placeOrder } from '@megalot/contract'
import { randomUUID } from 'node:crypto'
import { connect, type Socket } from 'node:net'

export interface Bettor {
  sessionToken: string
}

export interface TicketLoad {
  port: number
  bettors: readonly Bettor[]
  /** JSON after the request_id, without the opening brace. Chosen at random. */
  ticketTails: readonly string[]
  connections: number
  /** Ends the load; called before each ticket. */
  isOver: () => boolean
}

export interface LoadResult {
  /** When each accepted ticket was answered, in ms of `performance.now()`, in order. */
  answeredAtMs: number[]
  /** How long each accepted ticket took, in ms, in the same order. */
  tookMs: number[]
  /** Replies other than 200, by status and refusal code. */
  refusals: Record<string, number>
}

/** Sends tickets until the end. Each connection waits for its reply before it sends the next. */
export async function sendTickets(load: TicketLoad): Promise<LoadResult> {
  const result: LoadResult = { answeredAtMs: [], tookMs: [], refusals: {} }
  const send = async (): Promise<void> => {
    const connection = await openConnection(load.port)
    while (!load.isOver()) {
      const sentAtMs = performance.now()
      const refusal = await connection.send(makeRequest(load))
      if (refusal === null) {
        const now = performance.now()
        result.answeredAtMs.push(now)
        result.tookMs.push(now - sentAtMs)
      } else result.refusals[refusal] = (result.refusals[refusal] ?? 0) + 1
    }
    connection.end()
  }
  await Promise.all(Array.from({ length: load.connections }, send))
  return result
}

function pick<T>(from: readonly T[]): T {
  return from[Math.floor(Math.random() * from.length)]!
}

/** A ticket of a random bettor, as a browser would send it. */
export function makeRequest({ bettors, ticketTails }: Pick<TicketLoad, 'bettors' | 'ticketTails'>): string {
  const body = `{"request_id":"${randomUUID()}",${pick(ticketTails)}`
  return (
    `${placeOrder.method} ${placeOrder.path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${pick(bettors).sessionToken}\r\n` +
    // A browser's headers, because compression of replies is part of the measurement.
    `Accept-Language: th\r\nAccept-Encoding: gzip, deflate, br\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  )
}

export interface Connection {
  /**
   * Sends a request and waits for its reply.
   * @returns null for 200, otherwise its status and refusal code
   */
  send(request: string): Promise<string | null>
  end(): void
}

/** Buffer for all replies; each is parsed before the next is read. */
const readInto = Buffer.allocUnsafe(64 * 1024)
const HEAD_END = Buffer.from('\r\n\r\n')
const LENGTH_NAME = Buffer.from('ontent-length: ')
const LAST_CHUNK = Buffer.from('\r\n0\r\n\r\n')

/**
 * A kept-alive connection for one request at a time.
 * @throws if the application closes it
 */
export function openConnection(port: number): Promise<Connection> {
  return new Promise((opened, failed) => {
    let answer: ((refusal: string | null) => void) | undefined
    let fail: (error: Error) => void = failed
    // The received part of an incomplete reply; nearly all replies arrive in one piece.
    let partial: Buffer | undefined
    const read = (size: number, buffer: Uint8Array): boolean => {
      const chunk = Buffer.from(buffer.buffer, buffer.byteOffset, size)
      const reply = partial ? Buffer.concat([partial, chunk]) : chunk
      if (!isWhole(reply)) {
        partial = partial ? reply : Buffer.from(chunk)
        return true
      }
      partial = undefined
      // "HTTP/1.1 200"
      const isYes = reply[9] === 0x32 && reply[10] === 0x30 && reply[11] === 0x30
      answer?.(isYes ? null : nameRefusal(reply.toString('latin1')))
      return true
    }
    const socket: Socket = connect({
      port,
      host: 'localhost',
      noDelay: true,
      onread: { buffer: readInto, callback: read },
    })
    socket.once('error', (error) => fail(error))
    socket.once('close', () => fail(new Error('the application closed a connection under load')))
    const send: Connection['send'] = (request) =>
      new Promise((resolve, reject) => {
        answer = resolve
        fail = reject
        socket.write(request, 'latin1')
      })
    const end = (): void => {
      fail = () => {}
      socket.end()
    }
    socket.once('connect', () => opened({ send, end }))
  })
}

/** Whether a reply is complete, by its Content-Length or its last chunk. */
function isWhole(received: Buffer): boolean {
  const headEnd = received.indexOf(HEAD_END)
  if (headEnd < 0) return false
  const at = received.indexOf(LENGTH_NAME)
  if (at < 0 || at > headEnd) return received.subarray(-LAST_CHUNK.length).equals(LAST_CHUNK)
  const length = Number.parseInt(received.toString('latin1', at + LENGTH_NAME.length, at + LENGTH_NAME.length + 10), 10)
  return received.length >= headEnd + HEAD_END.length + length
}

function nameRefusal(received: string): string {
  const code = /"code":"([a-z_]+)"/.exec(received)?.[1] ?? '?'
  return `${received.slice(9, 12)} ${code}`
}
