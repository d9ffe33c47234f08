// A house on one server, set up as deploy/README.md says, in a folder and a network of its own.

import { execFileSync } from 'node:child_process'
import { createHash, X509Certificate } from 'node:crypto'
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:https'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { BodyOf, DataOf, Envelope, ParamsOf, QueryOf, RefusalEnvelope, Route } from '@megalot/contract'
import { root } from '../../scripts/run-step.mjs'
import { Engine } from './engine.ts'

export const HOST = 'house.example.com'
export const url = `https://${HOST}`
/** Not 127.0.0.1, from which the database accepts every log-in. */
const hosts = { database: '10.55.0.2', megalot: '10.55.0.3', [HOST]: '10.55.0.4' }

/** How long the start of all services may take, in ms. */
const READY_MS = 120_000

/** Caddy's options of the test: certificates of its own authority, which nobody trusts. */
const caddyOptions = '{\n\tlocal_certs\n\tskip_install_trust'

const answers = {
  PUBLIC_HOST: HOST,
  ACME_MAIL: 'owner@example.com',
  // Nothing listens there: mail is tried in another test.
  SMTP_URL: 'smtp://house:secret@localhost:2525',
}

/** A call that was refused, or failed. */
export class Refused extends Error {
  readonly http: number
  readonly code: string

  constructor(http: number, code: string, text: string) {
    super(`${http} ${code}: ${text.slice(0, 300)}`)
    this.http = http
    this.code = code
  }
}

export class House {
  readonly engine: Engine
  readonly folder: string
  private agent: Agent | undefined

  private constructor(folder: string) {
    this.folder = folder
    this.engine = new Engine(folder, join(folder, 'megalot/deploy/server'), (name, service) =>
      // Its image has a larger limit of open files than some machines allow.
      name === 'megalot' ? { ...service, ulimits: {} } : service,
    )
  }

  /** Writes its folder. Run `setup` next. */
  static make(): House {
    // Not in /dev/shm, where other tests are: the roots of the services show /dev.
    const folder = mkdtempSync('/tmp/megalot-house-')
    chmodSync(folder, 0o755)
    writeFileSync(
      join(folder, 'hosts'),
      `127.0.0.1 localhost\n${Object.entries(hosts)
        .map(([name, address]) => `${address} ${name}\n`)
        .join('')}`,
    )
    execFileSync('mount', ['--bind', join(folder, 'hosts'), '/etc/hosts'])
    execFileSync('ip', ['link', 'set', 'lo', 'up'])
    for (const address of Object.values(hosts)) execFileSync('ip', ['address', 'add', `${address}/32`, 'dev', 'lo'])
    cpSync(join(root, 'deploy'), join(folder, 'megalot/deploy'), { recursive: true })
    const caddyfile = join(folder, 'megalot/deploy/server/Caddyfile')
    writeFileSync(caddyfile, readFileSync(caddyfile, 'utf8').replace(/^\{$/m, caddyOptions))
    mkdirSync(join(folder, 'backup-disk'))
    return new House(folder)
  }

  /** Runs `setup` without a terminal. */
  async setUp(): Promise<string> {
    const env = { ...answers, BACKUP_TO: join(this.folder, 'backup-disk') }
    const { code, text } = await this.engine.shell('./setup', env)
    if (code !== 0) throw new Error(`setup failed: ${text}`)
    return text
  }

  /** Runs commands of a document, and returns what they print. */
  async run(commands: string): Promise<string> {
    const { code, text } = await this.engine.shell(commands)
    if (code !== 0) throw new Error(`${commands}\nended with ${code}: ${text}`)
    return text
  }

  office(command: string, env: Readonly<Record<string, string>> = {}): Promise<string> {
    const given = Object.entries(env).map(([name, value]) => `-e ${name}=${value} `)
    return this.run(`docker compose exec ${given.join('')}megalot node server/dist/office.js ${command}`)
  }

  /** By a superuser, in the container of the database. */
  sql(statement: string): string {
    const { code, text } = this.engine
      .unit('database')
      .exec(['psql', '-U', 'postgres', '-d', 'megalot', '-v', 'ON_ERROR_STOP=1', '-Atc', statement])
    if (code !== 0) throw new Error(`${statement}: ${text}`)
    return text.trim()
  }

  /** The database's address for its owner. */
  ownerUrl(): string {
    return readFileSync(join(this.engine.place, 'secrets/owner_database_url'), 'utf8').trim()
  }

  private certificate(name: 'root' | 'intermediate'): string {
    const place = `volumes/certificates/caddy/pki/authorities/local/${name}.crt`
    return readFileSync(join(this.folder, place), 'utf8')
  }

  /** Chromium's option to trust the house's authority, and no other. */
  trustOption(): string {
    const hashes = (['root', 'intermediate'] as const).map((name) => {
      const key = new X509Certificate(this.certificate(name)).publicKey.export({ type: 'spki', format: 'der' })
      return createHash('sha256').update(key).digest('base64')
    })
    return `--ignore-certificate-errors-spki-list=${hashes.join(',')}`
  }

  /** One HTTPS call. @throws Refused */
  async call<R extends Route>(
    route: R,
    input: { params?: ParamsOf<R>; query?: QueryOf<R>; body?: BodyOf<R>; token?: string },
  ): Promise<DataOf<R>> {
    const path = Object.entries(input.params ?? {}).reduce(
      (text, [name, value]) => text.replace(`:${name}`, encodeURIComponent(String(value))),
      route.path,
    )
    const query = new URLSearchParams(input.query).toString()
    const { http, text } = await this.fetch(route.method, query ? `${path}?${query}` : path, input.body, input.token)
    if (http === 200) return (JSON.parse(text) as Envelope<R>).data
    const refusal = text.startsWith('{') ? (JSON.parse(text) as RefusalEnvelope) : undefined
    throw new Refused(http, refusal?.error?.code ?? 'no refusal', text)
  }

  async fetch(method: string, path: string, body?: unknown, token?: string): Promise<{ http: number; text: string }> {
    this.agent ??= new Agent({ keepAlive: false, ca: this.certificate('root') })
    const headers = {
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    }
    return new Promise((resolve, reject) => {
      const call = request(`${url}${path}`, { method, headers, agent: this.agent, timeout: 40_000 }, (reply) => {
        let text = ''
        reply.on('data', (chunk: Buffer) => (text += chunk.toString()))
        reply.on('end', () => resolve({ http: reply.statusCode ?? 0, text }))
        reply.on('error', reject)
      })
      call.on('error', reject)
      call.on('timeout', () => call.destroy(new Error('no reply')))
      call.end(body === undefined ? undefined : JSON.stringify(body))
    })
  }

  /** Waits until the application accepts calls from outside. */
  async waitReady(): Promise<void> {
    const deadline = performance.now() + READY_MS
    for (;;) {
      const { http } = await this.fetch('GET', '/ready').catch(() => ({ http: 0 }))
      if (http === 200) return
      if (performance.now() > deadline) throw new Error(`not ready, but ${http}`)
      await pause(100)
    }
  }

  async close(): Promise<void> {
    await this.engine.close()
    // Mounts end with the namespace.
    execFileSync('sh', [
      '-c',
      `grep ' ${this.folder}/' /proc/self/mounts | cut -d ' ' -f 2 | sort -r | xargs -r umount -l`,
    ])
    execFileSync('umount', ['-l', '/etc/hosts'])
    rmSync(this.folder, { recursive: true, force: true })
  }
}
