// Goal: a full disk loses nothing that was acknowledged, and bets go on when there is room again. The disk is a real one of 400 MB.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtemp, open, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PlaceOrderBody } from '@megalot/contract'
import { sql } from 'kysely'
import { expect, inject, test } from 'vitest'
import { projectRoot } from '../src/platform/project-root.ts'
import { DEMO_PASSWORD } from '../src/seed/demo.ts'
import { openDataFolderDatabase } from './data-folder-database.ts'
import { closeAtFileEnd } from './file-end.ts'
import { findBrokenInvariants } from './invariants.ts'
import { makeTicket, openPeriod } from './scenes.ts'
import { findFreePort } from './start-app.ts'
import { CAPTCHA_ANSWER } from './test-app.ts'

const DISK_MB = 400
const MEGABYTE = 1024 ** 2

/** In a mount namespace of its own, so that the disk goes away with the application. */
const inNamespace = ['--mount', '--propagation=private']
const hasDisks =
  spawnSync('unshare', [...inNamespace, 'sh', '-c', 'mount -t tmpfs -o size=1m tmpfs /mnt']).status === 0 &&
  process.getuid?.() === 0

interface Node {
  /** Its data folder as this process reaches it. */
  dataDir: string
  url: string
}

/** The application on a small disk, with a demo and no history. */
async function startOnSmallDisk(): Promise<Node> {
  const folder = await mkdtemp(join(tmpdir(), 'megalot-disk-'))
  const port = await findFreePort()
  const script = `mount -t tmpfs -o size=${DISK_MB}m,mode=0755 tmpfs "${folder}" && exec "$0" "$@"`
  const child = spawn('unshare', [...inNamespace, 'sh', '-c', script, process.execPath, inject('appFile')], {
    cwd: join(projectRoot, 'server'),
    env: {
      ...process.env,
      NODE_ENV: 'test',
      PORT: String(port),
      HOST: '127.0.0.1',
      DATA_DIR: folder,
      DATABASE_URL: '',
      CAPTCHA_TEST_ANSWER: CAPTCHA_ANSWER,
      DEMO_DAYS: '0',
    },
    stdio: ['ignore', 'ignore', 'ignore'],
  })
  closeAtFileEnd(async () => {
    await end(child)
    await rm(folder, { recursive: true, force: true })
  })
  const node = { dataDir: `/proc/${child.pid}/root${folder}`, url: `http://127.0.0.1:${port}` }
  await expect.poll(() => readReady(node), { timeout: 300_000 }).toEqual({ status: 'ready' })
  return node
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  await exited
}

async function readReady({ url }: Node): Promise<unknown> {
  return fetch(`${url}/ready`).then(
    (reply) => reply.json(),
    () => 'away',
  )
}

/** Fills the disk until so much is free; 0: to the last byte. @returns frees it again */
async function fill({ dataDir }: Node, untilFreeMegabytes: number): Promise<() => Promise<void>> {
  const path = join(dataDir, 'ballast')
  const file = await open(path, 'w')
  const piece = Buffer.alloc(MEGABYTE)
  const isFull = async (): Promise<boolean> => {
    const { bavail, bsize } = await statfs(dataDir)
    return bavail * bsize <= untilFreeMegabytes * MEGABYTE
  }
  while (!(await isFull())) {
    const isWritten = await file.write(piece).then(
      () => true,
      () => false,
    )
    if (!isWritten) break
  }
  // The last bytes too.
  if (untilFreeMegabytes === 0) await file.write(piece).catch(() => {})
  await file.close()
  return () => rm(path)
}

async function logIn({ url }: Node, username: string): Promise<string> {
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
async function place({ url }: Node, sessionToken: string, body: PlaceOrderBody) {
  const reply = await fetch(`${url}/api/order/create`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${sessionToken}` },
    body: JSON.stringify(body),
  })
  const { data } = (await reply.json()) as { data?: { order_id: number } }
  return { status: reply.status, order_id: data?.order_id }
}

async function preparePeriod({ dataDir }: Node): Promise<string> {
  const owner = await openDataFolderDatabase(dataDir)
  const period_code = await openPeriod(owner.db)
  await owner.close()
  return period_code
}

/** Writes to the log until the server has ended for want of room. */
async function exhaustLog({ dataDir }: Node): Promise<void> {
  const database = await openDataFolderDatabase(dataDir)
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

/** The tickets of the period by their request, and the invariants that are broken. */
async function account({ dataDir }: Node, period_code: string) {
  const database = await openDataFolderDatabase(dataDir)
  const { db } = database
  const { rows } = await sql<{ request_id: string; order_id: number }>`
    select request_id, order_id from orders join periods using (period_id) where period_code = ${period_code}`.execute(
    db,
  )
  const broken = await findBrokenInvariants(db)
  await database.close()
  return { written: new Map(rows.map(({ request_id, order_id }) => [request_id, order_id])), broken }
}

test.runIf(hasDisks )(
  'a disk that is full to the last byte answers 503, loses no acknowledged ticket, and serves again when there is room',
  { timeout: 900_000 },
  async () => {
    const node = await startOnSmallDisk()
    const period_code = await preparePeriod(node)
    const sessionToken = await logIn(node, 'member01')
    const acknowledged = new Map<string, number>()
    const statuses = new Set<number>()
    const unanswered: PlaceOrderBody[] = []
    const bet = async (body: PlaceOrderBody): Promise<number> => {
      const { status, order_id } = await place(node, sessionToken, body)
      statuses.add(status)
      if (status === 200) acknowledged.set(body.request_id, order_id!)
      return status
    }
    await bet(makeTicket(period_code))
    const free = await fill(node, 0)
    while (unanswered.length < 5) {
      const body = makeTicket(period_code)
      if ((await bet(body)) !== 200) unanswered.push(body)
    }
    // Tables that cannot grow are one thing; a write-ahead log that cannot ends the server.
    await exhaustLog(node)
    await expect.poll(() => readReady(node), { timeout: 120_000 }).toEqual({ status: 'database away' })
    await free()
    await expect.poll(() => readReady(node), { timeout: 300_000 }).toEqual({ status: 'ready' })
    for (const body of unanswered) await expect.poll(() => bet(body), { timeout: 120_000 }).toBe(200)
    expect(statuses).toEqual(new Set([200, 503]))
    const { written, broken } = await account(node, period_code)
    expect(written).toEqual(acknowledged)
    expect(broken).toEqual({})
  },
)

// Both tests above need root and a kernel that lets it mount a disk. Elsewhere they are skipped, and this says so.
test('CI runs the tests of the full disk', () => {
  if (!hasDisks) console.warn('server/test/disk-full.test.ts: skipped, because a disk can only be mounted as root')
  expect(hasDisks || !process.env.CI).toBe(true)
})
