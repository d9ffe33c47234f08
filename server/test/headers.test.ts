// Every reply of every route carries its security headers, and another site can neither read nor write.

import { routes } from '@megalot/contract'
import type { FastifyInstance } from 'fastify'
import { describe, expect, test } from 'vitest'
import { startNode, startTestApp, testConfig } from './test-app.ts'

const app = await startTestApp()

function policyOf(header: unknown): Map<string, string[]> {
  return new Map(
    String(header)
      .split(';')
      .map((part) => part.trim().split(' '))
      .map(([name, ...values]) => [name!, values]),
  )
}

// Regression: HEAD had its own captcha limit, and opened event streams without a reader.
test('no call answers HEAD', () => {
  const answering = routes.filter(({ path }) => app.server.hasRoute({ method: 'HEAD', url: path }))
  expect(answering.map(({ name }) => name)).toEqual([])
  expect(app.server.hasRoute({ method: 'GET', url: '/api/live' })).toBe(true)
})

describe.each(routes.map((route) => [route.name, route] as const))('%s', (_name, route) => {
  const url = route.path.replaceAll(/:\w+/g, '1')

  test('is answered with a policy that forbids foreign scripts and frames', async () => {
    const { headers } = await app.server.inject({ method: route.method, url })
    const policy = policyOf(headers['content-security-policy'])
    expect(policy.get('default-src')).toEqual(["'none'"])
    expect(policy.get('script-src')).toEqual(["'self'"])
    expect(policy.get('frame-ancestors')).toEqual(["'none'"])
    expect(policy.get('base-uri')).toEqual(["'none'"])
    expect(policy.get('object-src')).toEqual(["'none'"])
    expect(policy.get('form-action')).toEqual(["'self'"])
    expect(headers['x-content-type-options']).toBe('nosniff')
    expect(headers['referrer-policy']).toBe('no-referrer')
    expect(headers['cache-control']).toBe('no-store')
    expect(headers['x-powered-by']).toBeUndefined()
    expect(headers['content-type']).toBe('application/json; charset=utf-8')
  })

  test('is open to no other origin', async () => {
    const origin = 'https://elsewhere.example'
    const call = await app.server.inject({ method: route.method, url, headers: { origin } })
    const preflight = await app.server.inject({
      method: 'OPTIONS',
      url,
      headers: { origin, 'access-control-request-method': route.method },
    })
    for (const { headers } of [call, preflight]) expect(headers['access-control-allow-origin']).toBeUndefined()
    expect(preflight.statusCode).toBe(404)
  })
})

const writing = routes.filter(({ method }) => method !== 'GET')

test.each(writing.map((route) => [route.name, route] as const))(
  '%s refuses an HTML form of another page',
  async (_name, route) => {
    const member = await app.logIn('member01')
    const url = route.path.replaceAll(/:\w+/g, '1')
    // Content types that another site can send without a preflight request.
    for (const type of ['application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'text/plain']) {
      const headers = { authorization: `Bearer ${member.sessionToken}`, 'content-type': type }
      const reply = await app.server.inject({ method: route.method, url, headers, payload: '{"a":1}' })
      expect([403, 415]).toContain(reply.statusCode)
    }
  },
)

test.each(['TRACE', 'CONNECT'] as const)('%s is refused, and sends nothing back of the call', async (method) => {
  const headers = { authorization: `Bearer ${'x'.repeat(40)}` }
  const reply = await app.server.inject({ method: method as 'GET', url: '/live', headers })
  expect(reply.statusCode).toBe(404)
  expect(reply.body).not.toContain('xxxx')
})

const production: FastifyInstance = await startNode(app, { ...testConfig(), isProduction: true })

test('in production browsers must use TLS', async () => {
  const { headers } = await production.inject('/live')
  expect(headers['strict-transport-security']).toBe('max-age=31536000; includeSubDomains')
})

describe('the description of the API', () => {
  const paths = ['/api/docs', '/api/docs/', '/api/docs/json', '/api/docs/yaml', '/api/docs/static/index.html']

  test('has the policy of every reply, and checks nothing on other sites', async () => {
    const page = await app.server.inject('/api/docs/')
    expect(page.statusCode).toBe(200)
    expect(policyOf(page.headers['content-security-policy']).get('script-src')).toEqual(["'self'"])
    expect(policyOf(page.headers['content-security-policy']).get('default-src')).toEqual(["'none'"])
    expect((await app.server.inject('/api/docs/static/swagger-initializer.js')).body).toMatch(/"validatorUrl":\s*null/)
  })

  test.each(paths)('%s is for the office alone in production', async (url) => {
    const statusOf = async (caller?: { sessionToken: string }) => {
      const headers = caller ? { authorization: `Bearer ${caller.sessionToken}` } : {}
      return (await production.inject({ url, headers })).statusCode
    }
    expect(await statusOf()).toBe(401)
    expect(await statusOf(await app.logIn('member01'))).toBe(403)
    expect(await statusOf(await app.logIn('agent01'))).toBe(403)
    expect([200, 302]).toContain(await statusOf(await app.logIn('office01')))
  })
})

test('a session is accepted in a header only, never in a cookie', async () => {
  const member = await app.logIn('member02')
  for (const name of ['sessionId', 'session', 'authorization', 'megalot_device']) {
    const headers = { cookie: `${name}=${member.sessionToken}` }
    expect((await app.server.inject({ url: '/mgluser/user_data/basic', headers })).statusCode).toBe(401)
  }
})
