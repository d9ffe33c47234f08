// Every reply has its envelope and its headers, whatever the request.

import { routes } from '@megalot/contract'
import { describe, expect, test } from 'vitest'
import { startTestApp } from '../test/test-app.ts'
import { refuseDemoAccounts } from './demo/demo.ts'

const app = await startTestApp()

describe('every route of the contract', () => {
  test.each(routes.map((route) => [route.name, route] as const))(
    '%s is served, and guarded as its row says',
    async (_name, route) => {
      // With a key that no route has, and an empty body.
      const url = `${route.path.replaceAll(/:\w+/g, '1')}?nobody_knows=1`
      const response = await app.server.inject({
        method: route.method,
        url,
        headers: { 'content-type': 'application/json' },
        ...(route.body ? { payload: {} } : {}),
      })
      const isOpen = route.access === 'anyone'
      const isRefused = !isOpen || !route.is_specified || route.body !== undefined
      expect(response.json().error?.code).toBe(isRefused ? (isOpen ? 'bad_input' : 'not_signed_in') : undefined)
      expect(response.headers['cache-control']).toBe('no-store')
      expect(response.headers['x-content-type-options']).toBe('nosniff')
      expect(response.headers['x-frame-options']).toBe('DENY')
      expect(response.headers['content-security-policy']).toMatch(/script-src 'self';/)
    },
  )

  test('is in the OpenAPI document under its name', async () => {
    const { paths } = (await app.server.inject('/api/docs/json')).json()
    const named = Object.values(paths as Record<string, Record<string, { operationId: string }>>).flatMap((methods) =>
      Object.values(methods).map((each) => each.operationId),
    )
    expect(named.toSorted()).toEqual(routes.map((route) => route.name).toSorted())
  })
})

describe('an unknown call', () => {
  test('an unknown path of the API is 404 in the caller’s language', async () => {
    const { http, json } = await app.call('GET', '/api/nothing', undefined, 'en')
    expect([http, json.error.code, json.status.message]).toEqual([404, 'route_not_found', 'Page Not Found'])
  })

  test.each([
    ['text/plain', 'hello', 415, 'unsupported_media_type'],
    ['application/json', '{"a":', 400, 'bad_input'],
    ['application/json', '', 400, 'bad_input'],
    ['application/json', `{"note":"${'x'.repeat(600_000)}"}`, 413, 'payload_too_large'],
    ['application/json', '{"__proto__":{"is_office":true}}', 400, 'bad_input'],
  ])('a body of %s is refused: %.20s', async (type, payload, http, code) => {
    const response = await app.server.inject({
      method: 'POST',
      url: '/megalot/auth/login',
      headers: { 'content-type': type },
      payload,
    })
    expect([response.statusCode, response.json().error.code]).toEqual([http, code])
  })
})

test('/live and /ready answer', async () => {
  expect((await app.server.inject('/live')).json()).toEqual({ status: 'live' })
  expect((await app.server.inject('/ready')).json()).toEqual({ status: 'ready' })
})

test('production refuses a database with demo accounts', async () => {
  await expect(refuseDemoAccounts(app.owner)).rejects.toThrow('demo accounts')
})
