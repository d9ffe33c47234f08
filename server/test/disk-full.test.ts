// A full disk loses no acknowledged ticket, and bets continue once there is room again. The disk is a real one of 400
// MB.

import { spawn, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PlaceOrderBody } from '@megalot/contract'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { projectRoot } from '../src/lib/project-root.ts'
import { DEMO_PASSWORD } from '../src/demo/demo.ts'
import { openOwnerDatabase } from './data-folder-database.ts'
import { closeAtFileEnd } from './file-end.ts'
import { findViolatedInvariants } from './invariants.ts'
import { makeTicket, openPeriod } from './scenes.ts'
import { startApp } from './start-app.ts'
import { CAPTCHA_ANSWER } from './test-app.ts'

const DISK_MB = 400
const MEGABYTE = 1024 ** 2

/** In its own mount namespace, so that the disk disappears with the process. */
const inNamespace = ['--mount', '--propagation=private']
const hasDisks =
  spawnSync('unshare', [...inNamespace, 'sh', '-c', 'mount -t tmpfs -o size=1m tmpfs /mnt']).status === 0 &&
  process.getuid?.() === 0

interface SmallDisk {
  /** As this process reaches it. */
  folder: string
  /** The database on it, as its owner. */
  url: string
}

/** Runs PostgreSQL on a small disk, and restarts it whenever it ends, like a service manager. */
async function startPostgresOnSmallDisk(): Promise<SmallDisk> {
  const folder = await mkdtemp(join(tmpdir(), 'megalot-disk-'))
  const program = `
    import { startEmbeddedPostgres } from ${JSON.stringify(join(projectRoot, 'server/src/postgres/embedded-postgres.ts'))}
    for (;;) {
      const postgres = await startEmbeddedPostgres({ dataDir: ${JSON.stringify(folder)} }).catch(() => null)
      if (postgres) console.log(postgres.url)
      await postgres?.ended
    }`
  const script = `mount -t tmpfs -o size=${DISK_MB}m,mode=0755 tmpfs "${folder}" && exec "$0" "$@"`
  const node = [process.execPath, '--import', 'tsx', '--input-type=module', '-e', program]
  const child = spawn('unshare', [...inNamespace, 'sh', '-c', script, ...node], {
    cwd: join(projectRoot, 'server'),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  closeAtFileEnd(async () => {
    const exited = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGTERM')
    await exited
    await rm(folder, { recursive: true, force: true })
  })
  const url = await new Promise<string>((resolve) =>
    child.stdout.once('data', (line: Buffer) => resolve(line.toString().trim())),
  )
  return { folder: `/proc/${child.pid}/root${folder}`, url }
}

async function readReady(url: string): Promise<unknown> {
  return fetch(`${url}/ready`).then((reply) => reply.json())
}

/** Fills the disk to the last byte. @returns frees it again */
async function fill({ folder }: SmallDisk): Promise<() => Promise<void>> {
  const path = join(folder, 'ballast')
  const file = await open(path, 'w')
  const piece = Buffer.alloc(MEGABYTE)
  const write = (): Promise<boolean> =>
    file.write(piece).then(
      ({ bytesWritten }) => bytesWritten > 0,
      () => false,
    )
  while (await write());
  await file.close()
  return () => rm(path)
}

async function logIn(url: string, username: string): Promise<string> {
  const request_id = randomUUID()
  await fetch(`${url}/megalot/auth/captcha?request_id=${request_id}`)
  const response = await fetch(`${url}/megalot/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password: DEMO_PASSWORD, request_id, captcha_txt: CAPTCHA_ANSWER }),
  })
  return ((await response.json()) as { sessionId: string }).sessionId
}

/** @returns the status of the reply, and the id of the ticket */
async function place(url: string, sessionToken: string, body: PlaceOrderBody) {
  const reply = await fetch(`${url}/api/order/create`, {
    method: 'POST',
    headers: { authorization: `Bearer ${sessionToken}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const { data } = (await reply.json()) as { data?: { order_id: number } }
  return { status: reply.status, order_id: data?.order_id }
}

async function preparePeriod({ url }: SmallDisk): Promise<string> {
  const owner = openOwnerDatabase(url)
  const period_code = await openPeriod(owner.db)
  await owner.close()
  return period_code
}

/** Writes to the log until the server ends for lack of space. */
async function exhaustLog({ url }: SmallDisk): Promise<void> {
  const database = openOwnerDatabase(url)
  const write = (): Promise<unknown> =>
    database.pool.query(`select pg_logical_emit_message(false, '', repeat('x', 1000000))`)
  while (
    await write().then(
      () => true,
      () => false,
    )
  );
  await database.close()
}

/** The period's tickets by request, and the violated invariants. */
async function account({ url }: SmallDisk, period_code: string) {
  const database = openOwnerDatabase(url)
  const { db } = database
  const { rows } = await sql<{ request_id: string; order_id: number }>`
    select request_id, order_id from orders join periods using (period_id) where period_code = ${period_code}`.execute(
    db,
  )
  const broken = await findViolatedInvariants(db)
  await database.close()
  return { written: new Map(rows.map(({ request_id, order_id }) => [request_id, order_id])), broken }
}

test.runIf(hasDisks)(
  'a disk that is full to the last byte answers 503, loses no acknowledged ticket, and serves again when there is room',
  { timeout: 900_000 },
  async () => {
    const disk = await startPostgresOnSmallDisk()
    const files = await mkdtemp(join(tmpdir(), 'megalot-disk-files-'))
    closeAtFileEnd(() => rm(files, { recursive: true }))
    const settings = { DATA_DIR: files, DEMO: '1', DEMO_DAYS: '0', LOG_LEVEL: 'fatal' }
    const { url } = await startApp(disk.url, 0, settings)
    const period_code = await preparePeriod(disk)
    const sessionToken = await logIn(url, 'member01')
    const acknowledged = new Map<string, number>()
    const statuses = new Set<number>()
    const unanswered: PlaceOrderBody[] = []
    const bet = async (body: PlaceOrderBody): Promise<number> => {
      const { status, order_id } = await place(url, sessionToken, body)
      statuses.add(status)
      if (status === 200) acknowledged.set(body.request_id, order_id!)
      return status
    }
    await bet(makeTicket(period_code))
    const free = await fill(disk)
    while (unanswered.length < 5) {
      const body = makeTicket(period_code)
      if ((await bet(body)) !== 200) unanswered.push(body)
    }
    // Tables that cannot grow only fail statements; a write-ahead log that cannot grow ends the server.
    await exhaustLog(disk)
    await expect.poll(() => readReady(url), { timeout: 120_000 }).toEqual({ status: 'database away' })
    await free()
    await expect.poll(() => readReady(url), { timeout: 300_000 }).toEqual({ status: 'ready' })
    for (const body of unanswered) await expect.poll(() => bet(body), { timeout: 120_000 }).toBe(200)
    expect(statuses).toEqual(new Set([200, 503]))
    const { written, broken } = await account(disk, period_code)
    expect(written).toEqual(acknowledged)
    expect(broken).toEqual({})
  },
)

// The test above needs root and permission to mount a disk. Elsewhere it is skipped, so this checks that CI runs it.
test('CI runs the test of the full disk', () => {
  if (!hasDisks) console.warn('server/test/disk-full.test.ts: skipped, because a disk can only be mounted as root')
  expect(hasDisks || !process.env.CI).toBe(true)
})
