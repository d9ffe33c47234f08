// Goal: the files of the web are sent as the build wrote them, whatever coding a client asks for, and nothing else of its folder is.

import { readdirSync, readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import zlib from 'node:zlib'
import { listProductPeriod } from '@megalot/contract'
import type { FastifyInstance } from 'fastify'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { startNode, startTestApp, testConfig, type TestApp } from './test-app.ts'
import { makeWebFolder } from './web-folder.ts'

let app: TestApp
let server: FastifyInstance
let folder: string

beforeAll(async () => {
  folder = await makeWebFolder()
  await mkdir(join(folder, '.vite'))
  await writeFile(join(folder, '.vite/manifest.json'), JSON.stringify({ files: 'x'.repeat(20_000) }))
  app = await startTestApp()
  server = await startNode(app, testConfig(), { webFolder: folder })
})

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

/** How often a compressor was made, of those that work on streams and of those that work at once. */
function watchCompressors(): () => number {
  const streams = ['createGzip', 'createBrotliCompress', 'createDeflate', 'createZstdCompress']
  const sync = ['gzipSync', 'brotliCompressSync', 'deflateSync', 'zstdCompressSync']
  // Node has zstd from version 22.15 on; the types are those of version 20.
  const functions = zlib as unknown as Record<string, () => unknown>
  const spies = [...streams, ...sync].filter((name) => name in zlib).map((name) => vi.spyOn(functions, name))
  return () => spies.reduce((sum, spy) => sum + spy.mock.calls.length, 0)
}

// Defect: a client that asked for x-gzip had each script compressed anew.
test.each(codings)('files asked for with %o are those of the build', async (coding) => {
  const countCompressors = watchCompressors()
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.endsWith('.vite'))
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length))
  for (const url of paths) {
    const reply = await server.inject({ url, headers: { 'accept-encoding': coding } })
    expect(reply.statusCode).toBe(200)
    const sent = reply.headers['content-encoding']
    const stored = readFileSync(join(folder, `${url}${sent === undefined ? '' : extensions[sent]}`))
    expect(reply.rawPayload.equals(stored)).toBe(true)
    expect(Number(reply.headers['content-length'])).toBe(stored.length)
  }
  expect(paths.length).toBeGreaterThan(20)
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
