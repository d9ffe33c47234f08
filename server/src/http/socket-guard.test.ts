// Any single read from a socket costs as much as one or two requests, and a client that leaves leaves nothing open.

import { once } from 'node:events'
import { readdir, readlink, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { expect, test } from 'vitest'
import { openSocket } from '../../test/raw-socket.ts'
import { startNode, testConfig } from '../../test/test-app.ts'
import { cloneDatabase } from '../../test/test-database.ts'
import { makeWebFolder } from '../../test/web-folder.ts'
import { requestSeconds } from '../lib/metrics.ts'

/** More than all buffers between server and client hold. */
const FILE_BYTES = 32 * 1_024 * 1_024

/** How often sockets' parsers have read a request's headers. */
let parsed = 0

const webFolder = await makeWebFolder()
await writeFile(join(webFolder, 'assets/large.bin'), Buffer.alloc(FILE_BYTES))
const app: FastifyInstance = await startNode(await cloneDatabase(), testConfig(), { webFolder })
app.server.on('connection', (socket) => {
  const { parser } = socket as unknown as { parser: { onIncoming: (...given: unknown[]) => number } }
  const { onIncoming } = parser
  parser.onIncoming = (...given) => {
    parsed += 1
    return onIncoming(...given)
  }
})
await app.listen({ host: '127.0.0.1', port: 0 })
const port = (app.server.address() as AddressInfo).port

const requestTo = (path: string, headers = '') => `GET ${path} HTTP/1.1\r\nHost: a\r\n${headers}\r\n`
const ask = requestTo('/live')

async function countRequests(): Promise<number> {
  const { values } = await requestSeconds.get()
  return values.filter(({ metricName }) => metricName?.endsWith('_count')).reduce((sum, { value }) => sum + value, 0)
}

// Defect: all requests of one read began at once, and others' calls waited for seconds.
test.each([
  ['that get a reply', ask, 1],
  // Defect: an expectation was refused separately, and each request of a read was parsed.
  ['that expect something', requestTo('/live', 'Expect: x\r\n'), 0],
  ['in chunks', `${requestTo('/live', 'Transfer-Encoding: chunked\r\n')}1\r\nx\r\n0\r\n\r\n`, 0],
])('of many requests %s few are carried out, and what follows is not parsed', async (_name, request, most) => {
  const before = { carriedOut: await countRequests(), parsed }
  // The parsers of sockets are used again.
  for (let each = 1; each <= 3; each += 1) {
    const socket = openSocket(port)
    socket.write(request.repeat(1_000))
    await once(socket.resume(), 'close')
  }
  expect((await countRequests()) - before.carriedOut).toBeLessThanOrEqual(3 * most)
  expect(parsed - before.parsed).toBeLessThanOrEqual(3 * 3)
})

// Defect: after an arrived but unfinished reply, such as a report file's, the next request was lost.
test('one request waits for the previous reply, and then gets its own', async () => {
  const socket = openSocket(port)
  let text = ''
  socket.setEncoding('utf8').on('data', (part: string) => (text += part))
  socket.write(ask + requestTo('/no-such-path'))
  await expect.poll(() => text).toMatch(/^HTTP\/1\.1 200 [\s\S]*HTTP\/1\.1 404 /)
  expect(socket.readyState).toBe('open')
})

test('one request after another on a socket is answered', async () => {
  const socket = openSocket(port)
  let text = ''
  socket.setEncoding('utf8').on('data', (part: string) => (text += part))
  for (let each = 1; each <= 50; each += 1) {
    socket.write(ask)
    await expect.poll(() => text.split('HTTP/1.1 200').length - 1, { interval: 1 }).toBe(each)
  }
  expect(socket.readyState).toBe('open')
})

async function countOpenFiles(): Promise<number> {
  const links = (await readdir('/proc/self/fd')).map((name) => readlink(`/proc/self/fd/${name}`).catch(() => ''))
  return (await Promise.all(links)).filter((path) => path.endsWith('large.bin')).length
}

// Defect: the file of each reply queued behind another stayed open for ever, and a node without descriptors exits.
test.each([
  ['with one request', requestTo('/assets/large.bin')],
  ['with one that waits', requestTo('/assets/large.bin').repeat(2)],
  ['with one behind the last one', requestTo('/live', 'Connection: close\r\n') + requestTo('/assets/large.bin')],
  ['with many', requestTo('/assets/large.bin').repeat(8)],
])('a client that leaves %s leaves no file open', async (_name, requests) => {
  for (let each = 0; each < 10; each += 1) {
    const socket = openSocket(port)
    socket.write(requests)
    await Promise.race([once(socket, 'data'), once(socket, 'close')])
    socket.destroy()
  }
  await expect.poll(countOpenFiles).toBe(0)
})
