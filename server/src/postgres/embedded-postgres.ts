// A real PostgreSQL server from npm for demo, development and tests. It lives exactly as long as the process that
// started it: a shell between the two has a pipe from this process as standard input. When this process ends in any way
// (kill -9 too), the pipe closes and the shell shuts the server down.

import { type ChildProcessByStdio, execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, chown, mkdir, mkdtemp, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { totalmem } from 'node:os'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'

const run = promisify(execFile)

export interface EmbeddedPostgres {
  /** Connection string of the superuser. */
  url: string
  /** Process id of the postmaster. */
  pid: number
  /** Resolves when the server has ended, requested or not. */
  ended: Promise<void>
  /** Shuts the server down and waits for it. */
  stop(): Promise<void>
}

export interface EmbeddedPostgresOptions {
  /** Its cluster is the folder `postgres` in it, created if absent. */
  dataDir: string
  /** Further `name=value` settings of the server, for tests. */
  settings?: readonly string[]
}

interface Binaries {
  postgres: string
  initdb: string
}

/** In the cluster's folder, readable by its owner alone. */
const PASSWORD_FILE = 'megalot-password'
/** How long a failing start is retried. */
const START_MS = 60_000

// The first printed line is the server's process id. A server that has just started ignores the signal, so it is
// repeated until the server has ended. PostgreSQL 18, signalled during recovery, may hang with only its checkpointer
// left. After about 5 s it is told to stop without the last checkpoint: the next start recovers a little longer, and no
// ticket is lost.
const SHELL = `
trap '' PIPE
exec 3<&0
"$@" </dev/null >/dev/null &
pid=$!
(
  cat <&3 >/dev/null
  times=0
  while kill -INT "$pid" 2>/dev/null; do
    sleep 0.1 || sleep 1
    times=$((times + 1))
    [ "$times" -lt 50 ] || kill -QUIT "$pid" 2>/dev/null
  done
) &
echo "$pid"
wait "$pid"
`

/**
 * Starts the server of a data folder. Waits for another process to stop its server on it first.
 * @throws Error with a sentence for the operator if the machine cannot run it
 */
export async function startEmbeddedPostgres({
  dataDir,
  settings = [],
}: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const folder = join(dataDir, 'postgres')
  await mkdir(dataDir, { recursive: true })
  const binaries = await findBinaries()
  const user = await chooseUser(dataDir)
  if (!existsSync(folder)) await initialise(binaries, user, folder)
  await refuseOtherMajor(binaries, folder)

  const port = await choosePort(join(dataDir, 'postgres-port'))
  const all = [
    `port=${port}`,
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    `shared_buffers=${sharedMegabytes(memoryOfProcess())}MB`,
    'max_connections=100',
    'timezone=UTC',
    'log_timezone=UTC',
    'max_wal_size=2GB',
    // For the invariant `committed_in_time`.
    'track_commit_timestamp=on',
    // Otherwise a commit would wait for 16 MB of zeros whenever the log grows by a file.
    'wal_init_zero=off',
    'log_lock_waits=on',
    // Only the error, without its statement and row, which may contain addresses and people's names.
    'log_error_verbosity=terse',
    'log_min_error_statement=panic',
    ...settings,
  ]
  const command = [binaries.postgres, '-D', folder, ...all.flatMap((setting) => ['-c', setting])]
  const server = await launchUntilReady(command, user, folder, join(dataDir, 'log'))
  return { ...server, url: makeUrl(port, await readPassword(folder)) }
}

/** The server that another process runs on a data folder, if it accepts connections. */
export async function findRunningPostgres(dataDir: string): Promise<{ url: string; pid: number } | undefined> {
  const folder = join(dataDir, 'postgres')
  const running = await findRunning(folder)
  return running && { url: makeUrl(running.port, await readPassword(folder)), pid: running.pid }
}

function makeUrl(port: number, password: string): string {
  return `postgresql://postgres:${password}@127.0.0.1:${port}/postgres`
}

function readPassword(folder: string): Promise<string> {
  return readFile(join(folder, PASSWORD_FILE), 'utf8')
}

type Launched = Omit<EmbeddedPostgres, 'url'>

/** The server's user, if it is not this process's. */
interface User {
  uid?: number
  gid?: number
}

/**
 * Retries a failing start: another server may still be shutting down, or a killed one's children may hold its memory
 * for a moment.
 */
async function launchUntilReady(
  command: readonly string[],
  user: User,
  folder: string,
  logFolder: string,
): Promise<Launched> {
  const deadline = Date.now() + START_MS
  await mkdir(logFolder, { recursive: true, mode: 0o700 })
  const logFile = join(logFolder, 'postgres.log')
  // The server's messages may quote a value.
  const log = await open(logFile, 'a', 0o600)
  try {
    for (;;) {
      await removeStalePidFile(folder)
      const server = await launch(command, user, folder, log.fd)
      if (server) return server
      if (Date.now() >= deadline) break
      await pause(250)
    }
  } finally {
    await log.close()
  }
  throw new Error(
    `PostgreSQL did not start in ${folder}.${aboutRoot(user)}\n${(await readFile(logFile, 'utf8')).slice(-2_000)}`,
  )
}

/** @returns undefined if the server ends before it accepts connections */
async function launch(
  command: readonly string[],
  user: User,
  folder: string,
  log: number,
): Promise<Launched | undefined> {
  const shell = spawn('sh', ['-c', SHELL, 'embedded-postgres', ...command], {
    stdio: ['pipe', 'pipe', log],
    // A separate session: Ctrl-C at the terminal reaches this process first, so that requests drain before the database
    // stops.
    detached: true,
    cwd: '/',
    ...user,
  }) as ChildProcessByStdio<Writable, Readable, null>
  shell.stdin.on('error', () => {})
  let pid: number | undefined
  shell.stdout.on('data', (chunk: Buffer) => (pid ??= Number.parseInt(chunk.toString(), 10)))
  let hasEnded = false
  const ended = new Promise<void>((resolve) => {
    const end = (): void => {
      hasEnded = true
      // The shell's other child waits at the pipe until it is closed.
      shell.stdin.end()
      resolve()
    }
    shell.once('exit', end).once('error', end)
  })
  while (!hasEnded) {
    // Another process's server may be ready before this one has failed.
    if (pid !== undefined && (await findRunning(folder))?.pid === pid)
      return {
        pid,
        ended,
        stop: () => {
          shell.stdin.end()
          return ended
        },
      }
    await pause(25)
  }
  return undefined
}

/** Port and process id of the server on a cluster's folder, if it accepts connections. */
async function findRunning(folder: string): Promise<{ port: number; pid: number } | undefined> {
  const text = await readFile(join(folder, 'postmaster.pid'), 'utf8').catch(() => '')
  const [pid, , , port, , , , state] = text.split('\n')
  // A server that is starting or stopping cannot be used.
  if (!pid || !port || state?.trim() !== 'ready' || !isAlive(Number(pid))) return undefined
  // The file may be older than the machine's last boot, and its process id may belong to another process now.
  return (await canConnect(Number(port))) ? { port: Number(port), pid: Number(pid) } : undefined
}

/** PostgreSQL does not start while the process id in its old pid file is alive, even if that is another program. */
async function removeStalePidFile(folder: string): Promise<void> {
  const file = join(folder, 'postmaster.pid')
  const pid = Number.parseInt(await readFile(file, 'utf8').catch(() => ''), 10)
  if (!(pid > 0) || !isAlive(pid)) return
  const name = await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => 'postgres')
  if (name.trim() !== 'postgres') await rm(file, { force: true })
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

function canConnect(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', timeout: 1_000 })
    const answer = (can: boolean) => () => {
      socket.destroy()
      resolve(can)
    }
    socket.once('connect', answer(true)).once('error', answer(false)).once('timeout', answer(false))
  })
}

/** On Linux the account `nobody`. */
const NOBODY = 65_534

/**
 * PostgreSQL refuses to run as root, and its superuser must not have root's rights. As root, the server runs as the
 * owner of its folder, or as `nobody` if there is none yet or it is root's.
 */
async function chooseUser(dataDir: string): Promise<User> {
  if (process.getuid?.() !== 0) return {}
  // That user must be able to reach its folder in this one.
  const { mode } = await stat(dataDir)
  await chmod(dataDir, mode | 0o011)
  const folder = join(dataDir, 'postgres')
  const owner = await stat(folder).catch(() => undefined)
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid }
  if (owner) await run('chown', ['-R', `${NOBODY}:${NOBODY}`, folder])
  return { uid: NOBODY, gid: NOBODY }
}

function aboutRoot({ uid }: User): string {
  if (uid === undefined) return ''
  return (
    ` As root it runs as the user ${uid}, who must own this folder and be able to reach it and the project, which is not so below ` +
    '/root. Move the project or set DATA_DIR, start as another user, or set DATABASE_URL to a server.'
  )
}

/**
 * Creates the cluster in a temporary folder, with its password file, and renames it when complete. An interrupted start
 * leaves no incomplete cluster, and of two concurrent starts the first wins.
 */
async function initialise(binaries: Binaries, user: User, folder: string): Promise<void> {
  const temporary = await mkdtemp(`${folder}-new-`)
  const cluster = join(temporary, 'cluster')
  const password = join(temporary, PASSWORD_FILE)
  await writeFile(password, randomBytes(18).toString('base64url'), { mode: 0o600 })
  const { uid, gid } = user
  if (uid !== undefined && gid !== undefined) for (const path of [temporary, password]) await chown(path, uid, gid)
  const parameters = [
    ...['-D', cluster, '-U', 'postgres', '--auth=scram-sha-256', `--pwfile=${password}`],
    ...['--encoding=UTF8', '--locale=C', '--data-checksums'],
  ]
  try {
    await run(binaries.initdb, parameters, { cwd: '/', ...user })
    await rename(password, join(cluster, PASSWORD_FILE))
    // Fails if the folder exists and is not empty; then the other process's cluster is used.
    await rename(cluster, folder).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error
    })
  } catch (error) {
    const output = (error as { stderr?: string }).stderr || (error as Error).message
    throw new Error(`PostgreSQL could not be set up in ${folder}.${aboutRoot(user)}\n${output}`, { cause: error })
  } finally {
    await rm(temporary, { recursive: true, force: true })
  }
}

/**
 * A new version of the application may bring another PostgreSQL, which cannot read the old one's files.
 * @throws Error
 */
async function refuseOtherMajor({ postgres }: Binaries, folder: string): Promise<void> {
  const made = (await readFile(join(folder, 'PG_VERSION'), 'utf8')).trim()
  const { stdout } = await run(postgres, ['--version'])
  // `postgres (PostgreSQL) 18.4`
  const here = /\(PostgreSQL\) (\d+)/.exec(stdout)?.[1]
  if (made === here) return
  throw new Error(
    `ข้อมูลใน ${folder} สร้างด้วย PostgreSQL ${made} แต่รุ่นที่มากับระบบนี้คือ ${here} ข้อมูลไม่ถูกแตะต้อง ถ้าเป็นข้อมูลสาธิตให้ลบโฟลเดอร์นี้ ถ้าไม่ใช่ให้สำรองข้อมูลออกด้วย pg_dump ของรุ่นเดิมก่อน\n` +
      `${folder} was made by PostgreSQL ${made}, but this version brings PostgreSQL ${here}. Nothing was touched. ` +
      'Delete the folder if it only holds the demo. Otherwise dump it first with pg_dump while the old version runs.',
  )
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

const MEGABYTE = 1024 * 1024

/** PostgreSQL's shared memory: a quarter of the memory, as its manual advises, within limits. */
export function sharedMegabytes(memoryBytes: number): number {
  return Math.min(2_048, Math.max(128, Math.floor(memoryBytes / 4 / MEGABYTE)))
}

/** A container may have less memory than the machine. */
function memoryOfProcess(): number {
  const limit = process.constrainedMemory()
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem()
}

/**
 * The port of the last start if it is free, so that the address stays the same; otherwise another, which is written to
 * the file.
 */
async function choosePort(file: string): Promise<number> {
  const last = Number(await readFile(file, 'utf8').catch(() => '0'))
  const isFree = last > 0 && (await takePort(last).catch(() => 0)) === last
  const port = isFree ? last : await takePort(0)
  if (port !== last) await writeFile(file, String(port))
  return port
}

/**
 * Listens on a port for a moment.
 * @param port 0 for any free one
 * @throws Error if it is taken
 */
function takePort(port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(port, '127.0.0.1', () => {
      const address = probe.address() as { port: number }
      probe.close(() => resolve(address.port))
    })
  })
}
