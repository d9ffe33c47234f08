// Files of the web are sent as built, whatever encoding a client asks for, and nothing else of the folder is sent.

import { readdirSync, readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { get } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import zlib from 'node:zlib'
import { listProductPeriod } from '@megalot/contract'
import type { FastifyInstance } from 'fastify'
import { afterEach, expect, test, vi } from 'vitest'
import { startNode, startTestApp, testConfig } from './test-app.ts'
import { makeWebFolder } from './web-folder.ts'

const folder = await makeWebFolder()
await mkdir(join(folder, '.vite'))
await writeFile(join(folder, '.vite/manifest.json'), JSON.stringify({ files: 'x'.repeat(20_000) }))
const app = await startTestApp()
const server: FastifyInstance = await startNode(app, testConfig(), { webFolder: folder })

afterEach(() => {
  vi.restoreAllMocks()
})

const codings = [
  '',
  'identity',
  'br',
  'gzip',
  'gzip, deflate, br, zstd',
  'x-gzip',
  'X-GZIP, x-compress',
  'deflate',
  '*',
  '*;q=0.1',
  'gzip;q=1, *',
  'gzip;q=0, br;q=0, *',
  'br;q=0, deflate',
  'zstd',
]
const extensions: Record<string, string> = { br: '.br', gzip: '.gz' }

/** How often a compressor was created, streaming or not. */
function watchCompressors(): () => number {
  const streams = ['createGzip', 'createBrotliCompress', 'createDeflate', 'createZstdCompress']
  const sync = ['gzipSync', 'brotliCompressSync', 'deflateSync', 'zstdCompressSync']
  // Node has zstd from version 22.15; the types are those of version 20.
  const functions = zlib as unknown as Record<string, () => unknown>
  const spies = [...streams, ...sync].filter((name) => name in zlib).map((name) => vi.spyOn(functions, name))
  return () => spies.reduce((sum, spy) => sum + spy.mock.calls.length, 0)
}

// Regression: a client that asked for x-gzip had each script compressed again.
test.each(codings)('files asked for with %o are those of the build', async (coding) => {
  const countCompressors = watchCompressors()
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.(?:br|gz)$/.test(entry.name) && !entry.parentPath.endsWith('.vite'))
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length))
  for (const url of paths) {
    const reply = await server.inject({ url, headers: { 'accept-encoding': coding } })
    expect(reply.statusCode).toBe(200)
    const sent = reply.headers['content-encoding']
    const stored = readFileSync(join(folder, `${url}${sent === undefined ? '' : extensions[sent]}`))
    expect(reply.rawPayload.equals(stored)).toBe(true)
    expect(Number(reply.headers['content-length'])).toBe(stored.length)
  }
  expect(paths.length).toBeGreaterThan(8)
  expect(countCompressors()).toBe(0)
})

test.each(codings)('the description of the API asked for with %o is not compressed', async (coding) => {
  const countCompressors = watchCompressors()
  for (const url of ['/api/docs/json', '/api/docs/static/swagger-ui-bundle.js', '/api/docs/static/swagger-ui.css']) {
    const reply = await server.inject({ url, headers: { 'accept-encoding': coding } })
    expect(reply.statusCode).toBe(200)
  }
  expect(countCompressors()).toBe(0)
})

test.each(['/.vite/manifest.json', '/%2evite/manifest.json', '/assets/../.vite/manifest.json', '/.vite/'])(
  '%s is not sent',
  async (url) => {
    const reply = await server.inject({ url, headers: { 'accept-encoding': 'gzip' } })
    expect(reply.statusCode).toBe(404)
    expect(reply.body).not.toContain('xxxx')
  },
)

// Regression: a page was sent under paths that are not its own, without its content security policy.
test.each([
  '//index.html',
  '/assets/../console.html',
  '/assets/..%2Fconsole.html',
  '//assets/../console.html',
  '/./index.html',
])('a page is not sent as %s', async (path) => {
  if (!server.server.listening) await server.listen({ host: '127.0.0.1', port: 0 })
  const { port } = server.server.address() as AddressInfo
  const { status, policy } = await new Promise<{ status: number | undefined; policy: unknown }>((resolve, reject) => {
    get({ host: '127.0.0.1', port, path, agent: false }, (reply) => {
      reply.resume()
      resolve({ status: reply.statusCode, policy: reply.headers['content-security-policy'] })
    }).on('error', reject)
  })
  expect({ isRefused: status === 404 || status === 400, policy }).toEqual({
    isRefused: true,
    policy: expect.any(String),
  })
})

test('replies of the API are still compressed', async () => {
  const { sessionToken } = await app.logIn('member01')
  const headers = { authorization: `Bearer ${sessionToken}`, 'accept-encoding': 'gzip' }
  const countCompressors = watchCompressors()
  const reply = await server.inject({ url: listProductPeriod.path, headers })
  expect(reply.statusCode).toBe(200)
  expect(countCompressors()).toBe(1)
  expect(reply.headers['content-encoding']).toBe('gzip')
  expect(zlib.gunzipSync(reply.rawPayload).length).toBeGreaterThan(4_096)
})
