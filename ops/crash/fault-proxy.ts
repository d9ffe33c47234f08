// A faulty proxy between members and the application: it reads whole requests, and at random passes, delays, cuts or
// swallows them or their replies.

import { Agent, createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'

/** How many of a hundred requests each fault affects. */
const shares = {
  pass: 72,
  /** Delayed, then answered. */
  delay: 8,
  /** The connection breaks before anything reaches the application. */
  cut_before: 3,
  /** The connection breaks when part of the request has reached the application. */
  cut_in_request: 3,
  /** The connection breaks when part of the reply has reached the member. */
  cut_in_reply: 3,
  /** The application has replied, after its commit; then the connection breaks. */
  drop_reply: 4,
  /** Nothing reaches the application, and the member gets no reply until its timeout. */
  blackhole: 2,
  /** The application has replied, but the member gets no reply until its timeout. */
  blackhole_reply: 3,
  /** The request reaches the application only after the member has timed out and sent it again. */
  late: 2,
} as const

export type Fault = keyof typeof shares
const faults = Object.keys(shares) as Fault[]

const LONGEST_DELAY_MS = 400
const LONGEST_LATENESS_MS = 1_000
/** The application answers everything sooner, if only with 503. */
const GIVE_UP_MS = 20_000

interface Reply {
  http: number
  headers: IncomingMessage['headers']
  content: Buffer
}

export class FaultProxy {
  readonly counts = Object.fromEntries(faults.map((fault) => [fault, 0])) as Record<Fault, number>
  /** If false, everything passes and nothing is counted. */
  isFaulty = false
  private readonly server: Server
  private readonly port: number
  private readonly patienceMs: number
  private readonly agent = new Agent({ keepAlive: true })
  private inFlight = 0

  private constructor(port: number, patienceMs: number) {
    this.port = port
    this.patienceMs = patienceMs
    this.server = createServer((request, answer) => {
      this.inFlight += 1
      this.forward(request, answer)
        // A connection that broke on either side is one more cut.
        .catch(() => request.socket.destroy())
        .finally(() => (this.inFlight -= 1))
    })
  }

  /**
   * @param port where the application listens
   * @param patienceMs the timeout of its callers
   */
  static async start(port: number, patienceMs: number): Promise<FaultProxy> {
    const proxy = new FaultProxy(port, patienceMs)
    await new Promise<void>((resolve) => proxy.server.listen(0, '127.0.0.1', resolve))
    return proxy
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`
  }

  /** Waits until no request is in flight, including late ones. */
  async settle(): Promise<void> {
    while (this.inFlight > 0) await pause(20)
  }

  close(): void {
    this.server.close()
    this.server.closeAllConnections()
    this.agent.destroy()
  }

  private async forward(request: IncomingMessage, answer: ServerResponse): Promise<void> {
    const content = await buffer(request)
    const fault = this.isFaulty ? drawFault() : 'pass'
    if (this.isFaulty) this.counts[fault] += 1
    if (fault === 'blackhole') return
    if (fault === 'cut_before') return void request.socket.destroy()
    if (fault === 'cut_in_request') {
      await this.deliverPart(request, content)
      return void request.socket.destroy()
    }
    if (fault === 'delay') await pause(Math.random() * LONGEST_DELAY_MS)
    if (fault === 'late') await pause(this.patienceMs + Math.random() * LONGEST_LATENESS_MS)
    const reply = await this.deliver(request, content)
    if (fault === 'drop_reply') return void request.socket.destroy()
    if (fault === 'blackhole_reply') return
    // With its length, so that a cut reply cannot look complete.
    answer.writeHead(reply.http, { ...reply.headers, 'content-length': reply.content.length })
    if (fault !== 'cut_in_reply') return void answer.end(reply.content)
    answer.write(reply.content.subarray(0, Math.floor(Math.random() * reply.content.length)))
    await pause(5)
    request.socket.destroy()
  }

  /**
   * Passes a request to the application and its whole reply back.
   * @throws Error if the application breaks the connection
   */
  private deliver({ method, url, headers }: IncomingMessage, content: Buffer): Promise<Reply> {
    return new Promise((resolve, reject) => {
      const { connection: _, ...rest } = headers
      const options = { host: 'localhost', port: this.port, method, path: url, headers: rest, agent: this.agent }
      const call = request(options, (reply) => {
        buffer(reply).then(
          (received) => resolve({ http: reply.statusCode ?? 0, headers: endToEnd(reply.headers), content: received }),
          reject,
        )
      })
      call.setTimeout(GIVE_UP_MS, () => call.destroy(new Error('the application is silent')))
      call.once('error', reject)
      call.end(content)
    })
  }

  /** Sends the application part of a request and breaks the connection. */
  private async deliverPart({ method, url, rawHeaders }: IncomingMessage, content: Buffer): Promise<void> {
    const lines = rawHeaders.flatMap((name, index) => (index % 2 === 0 ? [`${name}: ${rawHeaders[index + 1]}`] : []))
    const head = [`${method} ${url} HTTP/1.1`, ...lines, '', ''].join('\r\n')
    const message = Buffer.concat([Buffer.from(head), content])
    const socket = connect({ host: 'localhost', port: this.port })
    socket.on('error', () => {})
    socket.write(message.subarray(0, 1 + Math.floor(Math.random() * (message.length - 1))))
    await pause(5)
    socket.destroy()
  }
}

function drawFault(): Fault {
  let drawn = Math.random() * Object.values(shares).reduce((sum, share) => sum + share, 0)
  return faults.find((fault) => (drawn -= shares[fault]) < 0) ?? 'pass'
}

/** Removes hop-by-hop headers. */
function endToEnd(headers: IncomingMessage['headers']): IncomingMessage['headers'] {
  const { connection: _, 'keep-alive': __, 'transfer-encoding': ___, ...rest } = headers
  return rest
}
