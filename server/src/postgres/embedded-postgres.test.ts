// Goal: the embedded server runs once for each folder, never as root, and stops when its process ends.

import { type ChildProcess, execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import {
  type EmbeddedPostgres,
  findRunningPostgres,
  sharedMegabytes,
  startEmbeddedPostgres,
} from './embedded-postgres.ts'
import { projectRoot } from '../lib/project-root.ts'

const settings = ['fsync=off']

// A folder with mode 0700, as a fresh temporary folder has.
const dataDir = await mkdtemp(join(tmpdir(), 'megalot-embedded-'))
// The server of the killed process may still run.
afterAll(() => rm(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }))

async function ask(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url })
  // A server that shuts down during a query reports it twice: by the failed call, and by this event.
  client.on('error', () => {})
  await client.connect()
  const { rows } = await client.query<{ one: number }>('select 1 as one')
  await client.end()
  return rows[0]!.one
}

async function waitFor(isDone: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 20_000
  while (!(await isDone()) && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 20))
}

const isUp = (url: string) =>
  ask(url).then(
    () => true,
    () => false,
  )

test('others find the running server, and a second start waits until the first one has stopped, on the same address', async () => {
  const first = await startEmbeddedPostgres({ dataDir, settings })
  expect(await findRunningPostgres(dataDir)).toEqual({ url: first.url, pid: first.pid })
  const waiting = startEmbeddedPostgres({ dataDir, settings })
  // It has tried in vain.
  const log = join(dataDir, 'log', 'postgres.log')
  await waitFor(async () => (await readFile(log, 'utf8')).includes('lock file "postmaster.pid" already exists'))
  expect(await ask(first.url)).toBe(1)
  await first.stop()
  const second = await waiting
  expect(await ask(second.url)).toBe(1)
  expect(second.pid).not.toBe(first.pid)
  await second.stop()
  expect(await findRunningPostgres(dataDir)).toBeUndefined()
})

test('a server that is killed says so, and the next start has its address', async () => {
  const killed = await startEmbeddedPostgres({ dataDir, settings })
  process.kill(killed.pid, 'SIGKILL')
  await killed.ended
  const postgres = await startEmbeddedPostgres({ dataDir, settings })
  expect(postgres.url).toBe(killed.url)
  expect(await ask(postgres.url)).toBe(1)
  await postgres.stop()
})

test.runIf(existsSync('/proc/self/status'))(
  'neither the server nor what its superuser runs has the rights of root',
  async () => {
    const folder = join(dataDir, 'postgres')
    // As a copy by root leaves it.
    if (process.getuid?.() === 0) await promisify(execFile)('chown', ['-R', '0:0', folder])
    const postgres = await startEmbeddedPostgres({ dataDir, settings })
    const client = new pg.Client({ connectionString: postgres.url })
    await client.connect()
    await client.query(
      `create temp table ran (line text); copy ran from program 'grep ^Uid: /proc/self/status' delimiter ','`,
    )
    const { rows } = await client.query<{ line: string }>('select line from ran')
    await client.end()
    // Real, effective and saved user, and that of the file system.
    const { uid } = await stat(folder)
    const all = ['Uid:', uid, uid, uid, uid].join('\t')
    const ofServer = await readFile(`/proc/${postgres.pid}/status`, 'utf8')
    expect(/^Uid:.*$/m.exec(ofServer)?.[0]).toBe(all)
    expect(rows.map(({ line }) => line)).toEqual([all])
    expect(uid).not.toBe(0)
    await postgres.stop()
  },
)

test('a cluster of another major version is refused, and not touched', async () => {
  const other = await mkdtemp(join(tmpdir(), 'megalot-embedded-'))
  await mkdir(join(other, 'postgres'))
  await writeFile(join(other, 'postgres', 'PG_VERSION'), '17\n')
  await expect(startEmbeddedPostgres({ dataDir: other })).rejects.toThrow(
    /[ก-๙].*\n.*was made by PostgreSQL 17, but this version brings PostgreSQL \d+\. Nothing was touched\. Delete the folder/,
  )
  expect(await readdir(join(other, 'postgres'))).toEqual(['PG_VERSION'])
  await rm(other, { recursive: true })
})

test('a stale pid file does not block the start, even when its process id was reused', async () => {
  const stale = [process.pid, join(dataDir, 'postgres'), '1', '1', '', '127.0.0.1', '', 'ready', ''].join('\n')
  await writeFile(join(dataDir, 'postgres', 'postmaster.pid'), stale, { mode: 0o600 })
  const postgres: EmbeddedPostgres = await startEmbeddedPostgres({ dataDir, settings })
  expect(await ask(postgres.url)).toBe(1)
  await postgres.stop()
})

test('an interrupted set-up does not block the next start, and a finished one leaves no temporary files', async () => {
  const other = await mkdtemp(join(tmpdir(), 'megalot-embedded-'))
  await mkdir(join(other, 'postgres-new-half', 'cluster'), { recursive: true })
  const postgres = await startEmbeddedPostgres({ dataDir: other, settings })
  expect(await ask(postgres.url)).toBe(1)
  await postgres.stop()
  expect((await readdir(other)).toSorted()).toEqual(['log', 'postgres', 'postgres-new-half', 'postgres-port'])
  expect(await readFile(join(other, 'log', 'postgres.log'), 'utf8')).toContain(
    'database system is ready to accept connections',
  )
  await rm(other, { recursive: true, force: true })
})

test.runIf(existsSync('/proc/self/cmdline'))('a server that hangs during its shutdown is killed', async () => {
  const postgres = await startEmbeddedPostgres({ dataDir, settings })
  const children = await readFile(`/proc/${postgres.pid}/task/${postgres.pid}/children`, 'utf8')
  const pids = children.trim().split(' ')
  const calls = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')))
  // Without its checkpointer the server waits forever for the last checkpoint.
  const checkpointer = pids[calls.findIndex((call) => call.includes('checkpointer'))]
  process.kill(Number(checkpointer), 'SIGSTOP')
  await postgres.stop()
  expect(await isUp(postgres.url)).toBe(false)
  const again = await startEmbeddedPostgres({ dataDir, settings })
  expect(await ask(again.url)).toBe(1)
  await again.stop()
})

/** Another process that starts the server and then prints its address. */
function startElsewhere(): ChildProcess {
  const program = `
    import { startEmbeddedPostgres } from ${JSON.stringify(join(projectRoot, 'server/src/postgres/embedded-postgres.ts'))}
    const postgres = await startEmbeddedPostgres({ dataDir: ${JSON.stringify(dataDir)}, settings: ['fsync=off'] })
    console.log(postgres.url)
    setInterval(() => {}, 1000)`
  return execFile(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', program], {
    cwd: join(projectRoot, 'server'),
  })
}

test('it stops when its process is killed', async () => {
  const child = startElsewhere()
  const url = await new Promise<string>((resolve) => child.stdout?.once('data', (line: string) => resolve(line.trim())))
  expect(await isUp(url)).toBe(true)
  child.kill('SIGKILL')
  await waitFor(async () => !(await isUp(url)))
  expect(await isUp(url)).toBe(false)
})

/** The processes of the server on this folder and their parent shell, found by their command lines. */
async function listServers(): Promise<string[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const calls = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')))
  return pids.filter((_, index) => calls[index]!.includes(`\0-D\0${join(dataDir, 'postgres')}\0`))
}

test.runIf(existsSync('/proc/self/cmdline'))(
  'it stops when its process is killed during the start, at any moment',
  { timeout: 240_000 },
  async () => {
    for (let waitMs = 0; waitMs <= 30; waitMs += 6) {
      const child = startElsewhere()
      await waitFor(async () => (await listServers()).length > 0)
      await new Promise((resolve) => setTimeout(resolve, waitMs))
      child.kill('SIGKILL')
      await waitFor(async () => (await listServers()).length === 0)
      const left = await listServers()
      for (const pid of left) process.kill(Number(pid), 'SIGKILL')
      expect({ waitMs, left }).toEqual({ waitMs, left: [] })
    }
  },
)

test.each([
  [256 * 1024 ** 2, 128],
  [2 * 1024 ** 3, 512],
  [24 * 1024 ** 3, 2_048],
])('of %d bytes of memory the server uses %d MB as shared buffers', (memoryBytes, megabytes) => {
  expect(sharedMegabytes(memoryBytes)).toBe(megabytes)
})
