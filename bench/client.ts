// An HTTP client for benchmarks: keeps its connection, does little work of its own, and times each call.

import {
  type DataOf,
  type Envelope,
  getCaptcha,
  getGameConfig,
  listPackages,
  listProductPeriod,
  logIn,
  type RefusalEnvelope,
  type Route,
} from '@megalot/contract'
import { randomUUID } from 'node:crypto'
import { Agent, request } from 'node:http'

export const captchaAnswer = 'abcd'
const demoPassword = 'demo1234'
const LATE = 'out of patience'

export interface Timed<T> {
  value: T
  ms: number
}

/** The result of a try: a reply, a definite refusal, or unknown. */
export type Attempt<R extends Route> =
  | { kind: 'answered'; data: DataOf<R>; sentAtMs: number }
  | { kind: 'refused'; code: string }
  /** No reply, or a reply that the server itself does not know the outcome. */
  | { kind: 'unknown' }

interface Exchanged {
  http: number
  content: Buffer
}

export class Client {
  private readonly agent: Agent
  private readonly url: string
  sessionToken: string | null = null
  /** Replies with a status of 500 or above: the refusal's code, or the text. */
  readonly serverErrors: { status: number; said: string }[] = []
  /** How often a try got no reply, because of a timeout or a broken connection. */
  readonly lost = { late: 0, broken: 0 }

  constructor(url: string, connections = 1) {
    this.url = url
    this.agent = new Agent({ keepAlive: true, maxSockets: connections })
  }

  /**
   * One call on a kept-alive connection, with any reply.
   * @throws Error on a broken connection or a timeout
   */
  private exchange(method: string, path: string, body?: unknown, patienceMs?: number): Promise<Exchanged> {
    const payload = body === undefined ? undefined : JSON.stringify(body)
    const headers: Record<string, string> = {}
    if (payload !== undefined) {
      headers['content-type'] = 'application/json'
      headers['content-length'] = String(Buffer.byteLength(payload))
    }
    if (this.sessionToken !== null) headers.authorization = `Bearer ${this.sessionToken}`
    return new Promise((resolve, reject) => {
      const call = request(new URL(path, this.url), { method, headers, agent: this.agent }, (reply) => {
        const chunks: Buffer[] = []
        reply.on('data', (chunk: Buffer) => chunks.push(chunk))
        reply.once('error', reject)
        reply.once('end', () => resolve({ http: reply.statusCode ?? 0, content: Buffer.concat(chunks) }))
      })
      call.once('error', reject)
      if (patienceMs !== undefined) {
        // Limits the whole exchange, like a browser's timeout, not pauses within it.
        const timer = setTimeout(() => call.destroy(new Error(LATE)), patienceMs)
        call.once('close', () => clearTimeout(timer))
      }
      call.end(payload)
    })
  }

  /** One call on the kept-alive connection; any reply other than 200 is an error. */
  async fetchTimed(method: string, path: string, body?: unknown): Promise<Timed<Buffer>> {
    const startedAtMs = performance.now()
    const { http, content } = await this.exchange(method, path, body)
    if (http === 200) return { value: content, ms: performance.now() - startedAtMs }
    throw new Error(`${method} ${path} answered ${http}: ${content.toString().slice(0, 300)}`)
  }

  /** One try of a call that may be lost; never throws. */
  async attempt<R extends Route>(route: R, path: string, body: unknown, patienceMs: number): Promise<Attempt<R>> {
    const sentAtMs = performance.now()
    try {
      const { http, content } = await this.exchange(route.method, path, body, patienceMs)
      if (http >= 500) {
        const text = content.toString()
        this.serverErrors.push({ status: http, said: /"code":"(\w+)"/.exec(text)?.[1] ?? text.slice(0, 80) })
        return { kind: 'unknown' }
      }
      const envelope: unknown = JSON.parse(content.toString())
      if (http === 200) return { kind: 'answered', data: (envelope as Envelope<R>).data, sentAtMs }
      return { kind: 'refused', code: (envelope as RefusalEnvelope).error.code }
    } catch (error) {
      this.lost[error instanceof Error && error.message === LATE ? 'late' : 'broken'] += 1
      return { kind: 'unknown' }
    }
  }

  async call<R extends Route>(route: R, path: string, body?: unknown): Promise<Timed<Envelope<R>>> {
    const { value, ms } = await this.fetchTimed(route.method, path, body)
    return { value: JSON.parse(value.toString()) as Envelope<R>, ms }
  }

  /** Logs in. The time excludes the captcha picture. */
  async logIn(username: string): Promise<number> {
    const request_id = randomUUID()
    await this.fetchTimed('GET', `${getCaptcha.path}?request_id=${request_id}`)
    const body = { username, password: demoPassword, request_id, captcha_txt: captchaAnswer }
    const { value, ms } = await this.call(logIn, logIn.path, body)
    this.sessionToken = value.sessionId
    return ms
  }

  close(): void {
    this.agent.destroy()
  }
}

export interface OpenMarket {
  period_code: string
  config: DataOf<typeof getGameConfig>
}

/** An open market, with the terms of the member's first package. */
export async function findOpenMarket(client: Client): Promise<OpenMarket> {
  const { value } = await client.call(listProductPeriod, listProductPeriod.path)
  const open = value.data.products.find(({ current_period, has_package }) => {
    return has_package && current_period?.status === 'open'
  })
  if (!open?.current_period) throw new Error('no market is open')
  const packagesPath = listPackages.path.replace(':product_code', open.product_code)
  const [first] = (await client.call(listPackages, packagesPath)).value.data
  if (!first) throw new Error('the member has no package')
  const configPath = getGameConfig.path
    .replace(':product_code', open.product_code)
    .replace(':package_code', first.package_code)
  const config = (await client.call(getGameConfig, configPath)).value.data
  return { period_code: open.current_period.period_code, config }
}
