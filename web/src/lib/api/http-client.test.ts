// Goal: a refusal of the server is not confused with the answer of a proxy, which says nothing of what the server did.

import { listAnnouncements } from '@megalot/contract/browser'
import { beforeEach, expect, test, vi } from 'vitest'
import { makeStorage } from '../device/testing/memory-storage.ts'

const fetched = vi.fn<(address: string, init: RequestInit) => Promise<Response>>()

beforeEach(() => {
  vi.resetModules()
  const localStorage = makeStorage()
  vi.stubGlobal('localStorage', localStorage)
  vi.stubGlobal('window', Object.assign(new EventTarget(), { localStorage }))
  vi.stubGlobal('fetch', fetched)
  fetched.mockReset()
})

const own = {
  status: { code: 500, message: 'failed' },
  error: { code: 'server_error', details: { request_id: 'a-1' } },
}

test.each([
  ['ours', Response.json(own, { status: 500 }), 'server_error', 500, 'failed'],
  ['JSON of a proxy', Response.json({ error: { code: 'gateway_timeout' } }, { status: 504 }), 'no_reply', 504, ''],
  ['our envelope with the status of a proxy', Response.json(own, { status: 502 }), 'no_reply', 502, ''],
  ['null', Response.json(null, { status: 502 }), 'no_reply', 502, ''],
])('%s', async (_name, response, code, http, message) => {
  const { callRoute } = await import('./http-client.ts')
  fetched.mockResolvedValueOnce(response)
  await expect(callRoute(listAnnouncements, {})).rejects.toMatchObject({ code, http, message })
})

// Defect: an edge that forbids, limits or gives up a call is taken for the server, which may be carrying the call out.
test.each([403, 408, 429, 499])('JSON of a proxy with the status %d leaves the call unsure', async (http) => {
  const { callRoute } = await import('./http-client.ts')
  fetched.mockResolvedValueOnce(Response.json({ message: 'edge' }, { status: http }))
  await expect(callRoute(listAnnouncements, {})).rejects.toMatchObject({ code: 'no_reply', http, isUnsure: true })
})

test('a refusal of the server is sure', async () => {
  const { callRoute } = await import('./http-client.ts')
  const refused = { status: { code: 403, message: 'no' }, error: { code: 'not_allowed', details: {} } }
  fetched.mockResolvedValueOnce(Response.json(refused, { status: 403 }))
  await expect(callRoute(listAnnouncements, {})).rejects.toMatchObject({ code: 'not_allowed', isUnsure: false })
})

// Defect: the page of a captive portal or of a proxy counts as a ticket that was placed.
test.each([
  ['JSON of a proxy', { ok: true }],
  ['null', null],
  ['an envelope without data', { status: { code: 200, message: 'OK' } }],
  ['an envelope of another status', { status: { code: 201, message: 'OK' }, data: {} }],
])('%s with status 200 is no reply', async (_name, json) => {
  const { callRoute } = await import('./http-client.ts')
  fetched.mockResolvedValueOnce(Response.json(json))
  const refusal = { code: 'no_reply', http: 200, isUnsure: true }
  await expect(callRoute(listAnnouncements, {})).rejects.toMatchObject(refusal)
})

test('a page of a proxy is no reply', async () => {
  const { callRoute } = await import('./http-client.ts')
  fetched.mockResolvedValueOnce(new Response('<html>502 Bad Gateway</html>', { status: 502 }))
  await expect(callRoute(listAnnouncements, {})).rejects.toMatchObject({ code: 'no_reply', http: null })
})
