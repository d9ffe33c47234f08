// Runs the services of deploy/server/compose.yml without a container engine: each in its own root and process namespace,
// restarted and stopped as declared there. A stand-in for `docker compose` gives it the commands of the documents.

import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { listDescendants } from '../../scripts/run-app.mjs'
import { type Project, readCompose, readEnvFile, type Service, toMilliseconds } from './compose.ts'
import { confine, type Container, makeContainer } from './images.ts'

/** Docker's. */
const FIRST_RESTART_MS = 100
const GRACE_MS = 10_000
/** A service that has run so long starts again at once. */
const STEADY_MS = 10_000
/** How long a service may take to become healthy. */
const HEALTHY_MS = 120_000

export interface Output {
  code: number
  text: string
}

interface Running {
  /** Of the program in front of the namespace. */
  child: ReturnType<typeof spawn>
  startedAtMs: number
  ended: Promise<unknown>
}

class Unit {
  readonly name: string
  readonly service: Service
  readonly container: Container
  log = ''
  restarts = 0
  /** How often it did not end within its time of grace. */
  lateStops = 0
  isStarting = false
  /** Stopped by a person, or by its policy. */
  isStopped = true
  running: Running | undefined
  exitCode: number | null = null
  private waitMs = FIRST_RESTART_MS

  constructor(name: string, service: Service, container: Container) {
    this.name = name
    this.service = service
    this.container = container
  }

  words(entrypoint = this.service.entrypoint ?? this.container.image.entrypoint, command?: string[]): string[] {
    // An entrypoint of compose.yml takes the command of the image away.
    const own = this.service.command ?? (this.service.entrypoint ? [] : this.container.image.command)
    return [...entrypoint, ...(command ?? own)]
  }

  start(): void {
    this.isStopped = false
    const child = spawn(
      'unshare',
      inNamespace(this.container.root, [...confine(this.service, this.container), ...this.words()]),
      {
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    )
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => (this.log = (this.log + chunk.toString()).slice(-200_000)))
    const ended = once(child, 'exit')
    this.running = { child, startedAtMs: performance.now(), ended }
    void ended.then(async ([code]) => {
      const ranMs = performance.now() - this.running!.startedAtMs
      this.running = undefined
      this.exitCode = code as number | null
      if (this.isStopped || this.service.restart === 'no') return
      this.waitMs = ranMs > STEADY_MS ? FIRST_RESTART_MS : Math.min(this.waitMs * 2, 60_000)
      await pause(this.waitMs)
      if (this.isStopped) return
      this.restarts += 1
      this.start()
    })
  }

  /** The first process of the namespace. @throws Error if the service does not run */
  get pid(): number {
    const [, first] = this.running ? listDescendants(this.running.child.pid!) : []
    if (!first) throw new Error(`${this.name} does not run`)
    return first.pid
  }

  async kill(): Promise<void> {
    const { ended } = this.running!
    process.kill(this.pid, 'SIGKILL')
    await ended
  }

  async stop(): Promise<void> {
    this.isStopped = true
    if (!this.running) return
    const { ended } = this.running
    const { stop_signal = 'SIGTERM', stop_grace_period } = this.service
    process.kill(this.pid, stop_signal)
    const graceMs = stop_grace_period ? toMilliseconds(stop_grace_period) : GRACE_MS
    const isOver = await Promise.race([ended.then(() => true), pause(graceMs, false, { ref: false })])
    if (isOver) return
    this.lateStops += 1
    await this.kill()
  }

  isHealthy(): boolean {
    // Its process may not be there yet.
    if (!this.running || listDescendants(this.running.child.pid!).length < 2) return false
    const { test = ['CMD', ...(this.container.image.healthcheck ?? ['true'])] } = this.service.healthcheck ?? {}
    const [kind, ...words] = test
    return this.exec(kind === 'CMD-SHELL' ? ['sh', '-c', ...words] : words).code === 0
  }

  exec(words: string[], env: Readonly<Record<string, string>> = {}, user?: string): Output {
    const container = { ...this.container, env: { ...this.container.env, ...env } }
    const enter = ['--target', String(this.pid), '--mount', '--pid']
    return run('nsenter', [...enter, ...confine(this.service, container, user), ...words])
  }

  async execLater(words: string[], env: Readonly<Record<string, string>> = {}, user?: string): Promise<Output> {
    const container = { ...this.container, env: { ...this.container.env, ...env } }
    const enter = ['--target', String(this.pid), '--mount', '--pid']
    return runLater('nsenter', [...enter, ...confine(this.service, container, user), ...words])
  }

  /** A further container of the service. */
  runOnce(words: string[], user?: string): Promise<Output> {
    return runLater(
      'unshare',
      inNamespace(this.container.root, [...confine(this.service, this.container, user), ...words]),
    )
  }
}

function inNamespace(root: string, words: string[]): string[] {
  const enter = 'mount -t proc proc "$0/proc"; exec "$@"'
  return ['--mount', '--pid', '--fork', '--kill-child', 'bash', '-c', enter, root, ...words]
}

function run(program: string, args: string[]): Output {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8', maxBuffer: 2 ** 26 })
  return { code: status ?? 1, text: stdout + stderr }
}

async function runLater(program: string, args: string[]): Promise<Output> {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (text += chunk.toString()))
  const [code] = (await once(child, 'close')) as [number | null]
  return { code: code ?? 1, text }
}

/** The program `docker` of the house: it hands its arguments to the engine. */
const docker = (socket: string): string => `#!${process.execPath}
const { request } = require('node:http')
const call = request({ socketPath: ${JSON.stringify(socket)}, method: 'POST' }, (reply) => {
  reply.pipe(process.stdout)
  reply.on('end', () => process.exit(Number(reply.trailers['x-code'])))
})
call.end(JSON.stringify(process.argv.slice(2)))
`

export class Engine {
  readonly folder: string
  /** The folder of compose.yml. */
  readonly place: string
  private readonly units = new Map<string, Unit>()
  private readonly server: Server
  private readonly changeService: (name: string, service: Service) => Service
  readonly bin: string

  /** @param changeService what only this machine needs */
  constructor(folder: string, place: string, changeService: (name: string, service: Service) => Service) {
    this.folder = folder
    this.place = place
    this.changeService = changeService
    this.bin = join(folder, 'bin')
    mkdirSync(this.bin, { recursive: true })
    const socket = join(folder, 'docker.sock')
    writeFileSync(join(this.bin, 'docker'), docker(socket), { mode: 0o755 })
    this.server = createServer((call, reply) => {
      let body = ''
      call.on('data', (chunk: Buffer) => (body += chunk.toString()))
      call.on('end', () => {
        reply.writeHead(200, { trailer: 'x-code' })
        void this.docker(JSON.parse(body) as string[])
          .catch((error: Error) => ({ code: 1, text: error.message }))
          .then(({ code, text }) => {
            reply.write(`${text}\n`)
            reply.addTrailers({ 'x-code': String(code) })
            reply.end()
          })
      })
    }).listen(socket)
  }

  unit(name: string): Unit {
    const unit = this.units.get(name)
    if (!unit) throw new Error(`there is no service ${name}`)
    return unit
  }

  private readProject(): { project: Project; envFile: Record<string, string> } {
    const envFile = readEnvFile(readFileSync(join(this.place, '.env'), 'utf8'))
    return { project: readCompose(readFileSync(join(this.place, 'compose.yml'), 'utf8'), envFile), envFile }
  }

  /** `docker …`, as far as the documents use it. */
  private async docker([compose, ...words]: string[]): Promise<Output> {
    if (compose !== 'compose') throw new Error(`docker ${compose} is not known here`)
    if (words[0] === '--env-file') words.splice(0, 2)
    const [command, ...args] = words
    const done = { code: 0, text: '' }
    if (command === 'version') return done
    if (command === 'config') return (this.readProject(), done)
    if (command === 'up') {
      const names = args.filter((each) => !each.startsWith('-'))
      if (args.includes('--force-recreate')) for (const name of names) await this.recreate(name)
      return (await this.up(names), done)
    }
    if (command === 'restart') {
      await this.stop(args)
      return (await this.up(args), done)
    }
    if (command === 'logs') return { code: 0, text: this.unit(args.at(-1)!).log }
    if (command === 'stop') {
      await this.stop(args)
      return done
    }
    if (command !== 'exec' && command !== 'run') throw new Error(`docker compose ${command} is not known here`)
    const options = readOptions(args)
    const unit = this.unit(args.shift()!)
    if (command === 'exec') return unit.execLater(args, options.env, options.user)
    if (!options.isAlone) await this.startOthers(unit)
    return unit.runOnce(unit.words(options.entrypoint ? [options.entrypoint] : undefined, args), options.user)
  }

  /** Stops a service, and forgets its root with the secrets of its start. */
  private async recreate(name: string): Promise<void> {
    await this.unit(name).stop()
    this.units.delete(name)
    run('sh', [
      '-c',
      `grep ' ${this.folder}/containers/${name}[/ ]' /proc/self/mounts | cut -d ' ' -f 2 | sort -r | xargs -r umount -l`,
    ])
  }

  /** Starts what does not run, each service after those that it depends on. */
  async up(names: readonly string[] = []): Promise<void> {
    const { project, envFile } = this.readProject()
    const services = Object.entries(project.services).filter(([, { profiles }]) => profiles === undefined)
    for (const [name, given] of services) {
      if (this.units.has(name)) continue
      const service = this.changeService(name, given)
      this.units.set(
        name,
        new Unit(name, service, makeContainer(this.folder, this.place, name, service, project, envFile)),
      )
    }
    const started = names.length > 0 ? names : services.map(([name]) => name)
    await Promise.all(started.map((name) => this.start(this.unit(name))))
  }

  private async start(unit: Unit): Promise<void> {
    // Several others may wait for it.
    if (unit.running || unit.isStarting) return
    unit.isStarting = true
    try {
      await this.startOthers(unit)
      unit.start()
    } finally {
      unit.isStarting = false
    }
  }

  private async startOthers(unit: Unit): Promise<void> {
    for (const [name, { condition }] of Object.entries(unit.service.depends_on ?? {})) {
      await this.start(this.unit(name))
      if (condition === 'service_healthy') await this.waitHealthy(name)
      else while (this.unit(name).exitCode !== 0) await pause(50)
    }
  }

  /** Stops services, by default all, those that others depend on last. */
  async stop(names: readonly string[] = []): Promise<void> {
    const stopped = names.length > 0 ? names : [...this.units.keys()].toReversed()
    for (const name of stopped) await this.unit(name).stop()
  }

  async waitHealthy(name: string): Promise<void> {
    const deadline = performance.now() + HEALTHY_MS
    while (!this.unit(name).isHealthy()) {
      if (performance.now() > deadline) throw new Error(`${name} is not healthy:\n${this.unit(name).log.slice(-3_000)}`)
      await pause(200)
    }
  }

  /** Runs shell commands as an operator would, beside compose.yml. */
  async shell(commands: string, env: Readonly<Record<string, string>> = {}): Promise<Output> {
    const child = spawn('bash', ['-euo', 'pipefail', '-c', commands], {
      cwd: this.place,
      env: { ...process.env, PATH: `${this.bin}:${dirname(process.execPath)}:${process.env.PATH}`, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let text = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (text += chunk.toString()))
    const [code] = (await once(child, 'close')) as [number | null]
    return { code: code ?? 1, text }
  }

  async close(): Promise<void> {
    await this.stop()
    this.server.close()
  }

  /** The last lines of each service, for a failure. */
  describe(): string {
    return [...this.units.values()].map(({ name, log }) => `── ${name}\n${log.slice(-2_500)}`).join('\n')
  }
}

interface Options {
  env: Record<string, string>
  user?: string
  entrypoint?: string
  /** The services that it depends on are not started. */
  isAlone?: true
}

function readOptions(args: string[]): Options {
  const options: Options = { env: {} }
  while (args[0]?.startsWith('-')) {
    const option = args.shift()
    if (option === '-e') {
      const [name, ...value] = args.shift()!.split('=')
      options.env[name!] = value.join('=')
    } else if (option === '-u') options.user = args.shift()!
    else if (option === '--entrypoint') options.entrypoint = args.shift()!
    else if (option === '--no-deps') options.isAlone = true
    else if (option !== '--rm' && option !== '-T') throw new Error(`the option ${option} is not known here`)
  }
  return options
}
