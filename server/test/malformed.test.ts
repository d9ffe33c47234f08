// Whatever bytes arrive, the server answers with less than 500 or closes the socket. It holds no socket beyond its
// limits, leaks no memory, logs no error, and then still answers valid requests.
// `MALFORMED_REQUESTS` sets more than 500, `MALFORMED_SEED` repeats a run. The application is a separate process.

import { hash, randomBytes } from 'node:crypto'
import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { httpLimits } from '../src/http/http-limits.ts'
import { makeMalformed, makeSlow, type MalformedCase } from './malformed-cases.ts'
import { makeTicket, openPeriod } from './scenes.ts'
import { type RunningApp, startApp } from './start-app.ts'
import { cloneDatabase } from './test-database.ts'

vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 })

const COUNT = Number(process.env.MALFORMED_REQUESTS ?? 200)
/** In a long run, this many are held until the limits; a short one would spend all its time on them. */
const SLOW = COUNT >= 5_000 ? Math.floor(COUNT / 20) : 0
const seed = Number(process.env.MALFORMED_SEED ?? Date.now() % 2 ** 31)
/** Sockets at a time. */
const TOGETHER = 100
/** Allowed heap growth from a tenth of the run on, because caches fill. */
const MAX_GROWTH = 1.05
const MAX_PIECES = 40
/** The latest that a socket is closed after its last limit, in ms; the machine may be busy. */
const SLACK_MS = 8_000

/** On SIGUSR2 it collects garbage and prints the remaining heap. */
const reporter = `
  import v8 from 'node:v8'
  import vm from 'node:vm'
  v8.setFlagsFromString('--expose-gc')
  const collect = vm.runInNewContext('gc')
  process.on('SIGUSR2', () => {
    collect()
    collect()
    const { heapUsed, external } = process.memoryUsage()
    console.log(JSON.stringify({ bytes_in_use: heapUsed + external }))
  })`

const database = await cloneDatabase()
const sessionToken = randomBytes(32).toString('base64url')
await database.asOwner`insert into sessions (token_hash, user_id)
    select ${hash('sha256', sessionToken, 'buffer')}, user_id from users where username = 'member01'`
const app: RunningApp = await startApp(database.url, 0, {
  NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(reporter)}`,
})
const port = Number(new URL(app.url).port)

async function readBytesInUse(): Promise<number> {
  const before = app.log.length
  process.kill(app.pid, 'SIGUSR2')
  const report = () => app.log.slice(before).find((line) => line.startsWith('{"bytes_in_use"'))
  await expect.poll(report, { timeout: 30_000 }).toBeDefined()
  return (JSON.parse(report()!) as { bytes_in_use: number }).bytes_in_use
}

/**
 * All that the server replies until it closes the socket, and whether the socket failed on this side: a write after the
 * server has closed drops unread replies.
 * @throws if the server does not close it in time
 */
async function send({ bytes, piece, end }: MalformedCase): Promise<{ text: string; hasFailed: boolean }> {
  const socket = connect(port, '127.0.0.1')
  let text = ''
  let hasFailed = false
  socket.setNoDelay(true).setEncoding('latin1')
  socket.on('data', (part: string) => (text += part))
  // The server may close while this side still writes.
  socket.on('error', () => (hasFailed = true))
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  let at = 0
  for (let times = 0; piece !== undefined && at < bytes.length && times < MAX_PIECES; times += 1) {
    socket.write(bytes.subarray(at, (at += piece)))
    await pause(0)
  }
  if (at < bytes.length) socket.write(bytes.subarray(at))
  if (end === 'end') socket.end()
  if (end === 'reset') {
    await pause(2)
    socket.resetAndDestroy()
  }
  const trickle = setInterval(() => end === 'trickle' && socket.writable && socket.write('x'), 500)
  const late = pause(httpLimits.request_ms + httpLimits.check_ms + SLACK_MS, 'late', { ref: false })
  const first = await Promise.race([closed, late])
  clearInterval(trickle)
  socket.destroy()
  if (first === 'late') throw new Error('the socket was held')
  return { text, hasFailed }
}

/** As `send`, and again in one piece if the expected reply was lost. */
async function sendUntilRead(sent: MalformedCase): Promise<string> {
  const { text, hasFailed } = await send(sent)
  if (text !== '' || !hasFailed || sent.expected !== 'one_refusal' || sent.end === 'reset') return text
  return (await send({ ...sent, piece: undefined, end: 'end' })).text
}

/** The problem with the server's reply, or undefined. */
function findProblem({ expected, end }: MalformedCase, text: string): string | undefined {
  const replies = [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, http]) => Number(http))
  if (text !== '' && !text.startsWith('HTTP/1.1 ')) return 'no HTTP'
  if (replies.some((http) => http >= 500)) return 'a failure of the server'
  if (end === 'reset') return undefined
  const isSilent = replies.length === 0 && expected === 'one_at_most'
  if (expected !== 'anything' && !isSilent && (replies.length !== 1 || replies[0]! < 400))
    return 'accepted, or not one reply'
  const [, body = ''] = text.split('\r\n\r\n', 2)
  if (replies.length !== 1 || replies[0]! < 400 || body === '') return undefined
  const { status, error } = JSON.parse(body) as { status?: { code: number }; error?: { code: string } }
  return status?.code === replies[0] && error?.code ? undefined : 'no envelope'
}

/** Limits of the report: problems, and characters of each. */
const MAX_PROBLEMS = 8
const MAX_SHOWN = 600

interface Tally {
  problems: object[]
  replies: Map<number, number>
  silent: number
}

/** Sends them all, and records the first few problems. */
async function sendAll(cases: readonly MalformedCase[], tally: Tally, together = TOGETHER): Promise<void> {
  const left = [...cases]
  const work = async (): Promise<void> => {
    for (let one = left.pop(); one && tally.problems.length < MAX_PROBLEMS; one = left.pop()) {
      const sent = one
      const text = await sendUntilRead(sent).catch((error: Error) => error)
      const problem = text instanceof Error ? text.message : findProblem(sent, text)
      const said = String(text)
      if (problem !== undefined) tally.problems.push({ problem, sent: describe(sent), said: said.slice(0, MAX_SHOWN) })
      if (said === '') tally.silent += 1
      for (const [, http] of said.matchAll(/HTTP\/1\.1 (\d{3}) /g))
        tally.replies.set(Number(http), (tally.replies.get(Number(http)) ?? 0) + 1)
    }
  }
  await Promise.all(Array.from({ length: together }, work))
}

function describe({ bytes, ...rest }: MalformedCase): object {
  return { ...rest, bytes: bytes.toString('latin1').slice(0, MAX_SHOWN) }
}

const place = async (period_code: string) =>
  (await app.post('/api/order/create', sessionToken, makeTicket(period_code))).json.data

test(`${COUNT} malformed requests, seed ${seed}`, async () => {
  const period_code = await openPeriod(database.owner)
  expect(await place(period_code)).toMatchObject({ status: 'CONFIRMED' })
  const tally: Tally = { problems: [], replies: new Map(), silent: 0 }
  const cases = makeMalformed(COUNT - SLOW, seed)
  const startedAtMs = performance.now()
  const slow = sendAll(makeSlow(SLOW, seed), tally, SLOW)
  const warmUp = Math.max(250, COUNT / 10)
  await sendAll(cases.slice(0, warmUp), tally)
  const before = await readBytesInUse()
  await sendAll(cases.slice(warmUp), tally)
  await slow
  const seconds = (performance.now() - startedAtMs) / 1_000
  const growth = (await readBytesInUse()) / before
  console.info(
    `${COUNT} in ${seconds.toFixed(1)} s: ${[...tally.replies]
      .toSorted(([one], [other]) => one - other)
      .map(([http, count]) => `${count} × ${http}`)
      .join(', ')}, ` +
      `${tally.silent} without a reply; memory × ${growth.toFixed(3)} of ${(before / 2 ** 20).toFixed(0)} MiB`,
  )
  // An assertion shortens what it shows.
  if (tally.problems.length > 0) throw new Error(JSON.stringify(tally.problems, null, 1))
  // Otherwise the cases would be useless. A short run may lack the rare ones.
  for (const http of COUNT >= 5_000 ? [200, 400, 411, 413, 431] : [200, 400])
    expect(tally.replies.get(http)).toBeGreaterThan(0)
  expect(tally.replies.get(408) ?? 0).toBe(SLOW)
  expect(growth).toBeLessThan(MAX_GROWTH)
  // A background job that waits long for a connection says how busy the machine is, and nothing about a request.
  const errors = app.log.filter(
    (line) =>
      /^\{"level":(50|60)/.test(line) &&
      !/timeout exceeded when trying to connect|terminated due to connection timeout/.test(line),
  )
  expect(errors.slice(0, MAX_PROBLEMS)).toEqual([])
  expect(await place(period_code)).toMatchObject({ status: 'CONFIRMED' })
  expect(await app.stop()).toBe(0)
})
