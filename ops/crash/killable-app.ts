// The built application on its own data folder, with a watcher that restarts it whenever it ends, like an operator's
// service manager. Kills it, or the PostgreSQL below it, without warning.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import {
  findFreePort,
  findSurvivors,
  type LaunchedApp,
  launchApp,
  listDescendants,
  type ProcessName,
  waitUntilReady,
} from '../../scripts/run-app.mjs'
import { findRunningPostgres } from '../../server/test/data-folder-database.ts'

const STOP_MS = 30_000
const GONE_MS = 10_000
const SERVER_MS = 60_000
/** Between the end of the app and its next start. */
const LONGEST_BREAK_MS = 300

export class KillableApp {
  readonly dataDir = mkdtempSync(join(tmpdir(), 'megalot-bench-crash-'))
  /** How often the app ended without a kill: while serving, and while starting. */
  readonly endedUnasked = { serving: 0, starting: 0 }
  readonly port: number
  private readonly env: Record<string, string>
  private process: LaunchedApp
  /** All processes that ever ran here. */
  private family: ProcessName[] = []
  private isStopping = false
  /** The app ends with its PostgreSQL. */
  private hasKilledPostmaster = false

  private constructor(port: number, env: Record<string, string>) {
    this.port = port
    this.env = env
    this.process = this.launch()
    process.on('exit', this.endAtOnce)
  }

  /** Starts it and waits until it is ready. */
  static async start(env: Record<string, string>): Promise<KillableApp> {
    const app = new KillableApp(await findFreePort(), env)
    try {
      await waitUntilReady(app.url, app.process.hasEnded)
    } catch (error) {
      await app.stop().catch(() => {})
      throw new Error(`${(error as Error).message}\n${app.readLog()}`, { cause: error })
    }
    return app
  }

  get url(): string {
    return `http://localhost:${this.port}`
  }

  private readLog(): string {
    return this.process.readLog()
  }

  /** Its state, for the report of a failure. */
  describe(): string {
    const running = this.listLeft().map(({ pid }) => `${pid} ${nameOf(pid)}`)
    return ['runs now:', ...running, 'has said:', this.readLog()].join('\n')
  }

  /** Kills the app in any state, and restarts it after a short break. */
  async killApp(): Promise<void> {
    while (this.process.hasEnded()) await pause(10)
    this.remember()
    const killed = this.process
    killed.kill('SIGKILL')
    await killed.ended
    // The watcher restarts it.
  }

  /** Kills the postmaster as soon as there is one. The app ends with it, and the watcher restarts both. */
  async killPostmaster(): Promise<void> {
    const { pid } = await this.findServer()
    this.remember()
    const self = listDescendants(pid).filter((one) => one.pid === pid)
    this.hasKilledPostmaster = true
    process.kill(pid, 'SIGKILL')
    while (findSurvivors(self).length > 0) await pause(2)
  }

  /** Kills a random process below the postmaster, or the postmaster itself if the system does not list them. */
  async killBackend(): Promise<'backend' | 'postmaster'> {
    const { pid } = await this.findServer()
    this.remember()
    const backends = listDescendants(pid).filter((one) => one.parent === pid)
    const backend = backends[Math.floor(Math.random() * backends.length)]
    if (!backend) this.hasKilledPostmaster = true
    try {
      process.kill(backend?.pid ?? pid, 'SIGKILL')
    } catch {
      // It has ended meanwhile, so try another one.
      return this.killBackend()
    }
    return backend ? 'backend' : 'postmaster'
  }

  /**
   * Stops the app as an operator does, restarts it and waits until it is ready.
   * @throws Error on an unclean end
   */
  async restart(): Promise<void> {
    this.isStopping = true
    await this.endApp()
    this.isStopping = false
    this.process = this.launch()
    await waitUntilReady(this.url, this.process.hasEnded)
  }

  /**
   * Ends everything, by SIGTERM if possible, and removes the data.
   * @throws Error if anything had to be killed
   */
  async stop(): Promise<void> {
    this.isStopping = true
    try {
      if (!this.process.hasEnded()) await this.endApp()
      const deadline = Date.now() + GONE_MS
      while (this.listLeft().length > 0 && Date.now() < deadline) await pause(50)
      const left = this.listLeft()
      if (left.length > 0)
        throw new Error(`processes left behind:\n${left.map(({ pid }) => `${pid} ${nameOf(pid)}`).join('\n')}`)
    } finally {
      this.endAtOnce()
      process.off('exit', this.endAtOnce)
    }
  }

  /** For an interrupted benchmark: must not wait. */
  private readonly endAtOnce = (): void => {
    this.isStopping = true
    for (const { pid } of this.listLeft())
      try {
        process.kill(pid, 'SIGKILL')
      } catch {
        // It has already ended.
      }
    rmSync(this.dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  }

  private async endApp(): Promise<void> {
    this.remember()
    const timer = setTimeout(() => this.process.kill('SIGKILL'), STOP_MS)
    this.process.kill('SIGTERM')
    const code = await this.process.ended
    clearTimeout(timer)
    if (code !== 0) throw new Error(`the application ended with ${code}\n${this.readLog()}`)
  }

  private async findServer(): Promise<{ pid: number }> {
    const deadline = Date.now() + SERVER_MS
    while (Date.now() < deadline) {
      const server = await findRunningPostgres(this.dataDir)
      if (server) return server
      await pause(5)
    }
    throw new Error(`PostgreSQL did not come back\n${this.readLog()}`)
  }

  /** The processes still running, of all that ever ran here, with their children. */
  private listLeft(): ProcessName[] {
    this.remember()
    const left = findSurvivors(this.family).flatMap(({ pid }) => listDescendants(pid))
    return [...new Map(left.map((one) => [one.pid, one])).values()]
  }

  private remember(): void {
    if (!this.process.hasEnded()) this.family.push(...listDescendants(this.process.pid))
  }

  private launch(): LaunchedApp {
    const app = launchApp({ port: this.port, dataDir: this.dataDir, env: this.env })
    void app.ended.then(async (code) => {
      if (this.isStopping) return
      const isUnasked = code !== 'SIGKILL' && !this.hasKilledPostmaster
      this.hasKilledPostmaster = false
      if (isUnasked) this.endedUnasked[app.readLog().includes('megalot is ready') ? 'serving' : 'starting'] += 1
      await pause(Math.random() * LONGEST_BREAK_MS)
      if (!this.isStopping) this.process = this.launch()
    })
    return app
  }
}

/** A process's command line, shortened. */
function nameOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
      .replaceAll(/[\0\s]+/g, ' ')
      .slice(0, 150)
  } catch {
    return 'gone'
  }
}
