// While the event loop is late, calls are refused at once with a reason, except those that must continue.

import { getBasicUser } from '@megalot/contract'
import { setTimeout as pause } from 'node:timers/promises'
import Fastify, { type FastifyInstance } from 'fastify'
import { expect, test } from 'vitest'
import { listenTo } from '../../test/live-listener.ts'
import { startTestApp } from '../../test/test-app.ts'
import { refuseOverload } from './refuse-overload.ts'

// A fraction of the time that the test blocks the loop, and far more than a busy machine does on its own.
const app = await startTestApp({ MAX_LOOP_DELAY_MS: '500' })
const member = await app.logIn('member01')

function keepLoopBusy(ms: number): void {
  // The thread sleeps, and leaves the processor to other tests.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}

const call = (language?: 'th' | 'en') => member.get('/mgluser/user_data/basic', language)

test('calls are refused in both languages, live streams and health checks are not, and calls are answered again afterwards', async () => {
  expect((await call()).http).toBe(200)
  let refused = await call()
  while (refused.http === 200) {
    keepLoopBusy(1_000)
    // Let the loop turn, so that timers and measurements run first.
    await new Promise((resolve) => setImmediate(resolve))
    refused = await call()
  }
  const inEnglish = await call('en')
  const [live, ready, stream] = await Promise.all([
    app.call('GET', '/live'),
    app.call('GET', '/ready'),
    listenTo(app.server, member.sessionToken),
  ])
  expect(refused).toMatchObject({
    http: 503,
    headers: { 'retry-after': '1', 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' },
    json: {
      status: { code: 503, message: 'ระบบไม่พร้อมให้บริการชั่วคราว กรุณาลองใหม่อีกครั้ง' },
      error: { code: 'unavailable' },
    },
  })
  expect(inEnglish).toMatchObject({
    http: 503,
    json: { status: { message: 'The service is not available for a moment. Please try again' } },
  })
  expect([live.http, ready.http]).toEqual([200, 200])
  await stream.waitFor(({ event }) => event === 'hello')
  stream.leave()
  while ((await call()).http === 503) await pause(20)
  expect((await call()).http).toBe(200)
})

/** A server whose loop may be late by 100 ms on average over 200 ms. */
async function startSensitive(): Promise<FastifyInstance> {
  const app = Fastify()
  await refuseOverload(app, 100, 200)
  app.get('/', { config: { contractRoute: getBasicUser } }, async () => 'answered')
  await app.ready()
  return app
}

/** Waits until a sample's delay satisfies a condition. */
async function untilDelay(app: FastifyInstance, isReached: (delayMs: number) => boolean): Promise<void> {
  while (!isReached(app.memoryUsage().eventLoopDelay)) await pause(5)
}

test('a node that stood still while starting refuses nothing for it', async () => {
  const app = await startSensitive()
  keepLoopBusy(500)
  await untilDelay(app, (delayMs) => delayMs === Infinity)
  expect((await app.inject('/')).body).toBe('answered')
  await app.close()
})

test('a node that stood still once refuses nothing for it', async () => {
  const app = await startSensitive()
  keepLoopBusy(500)
  await untilDelay(app, (delayMs) => delayMs === Infinity)
  await untilDelay(app, (delayMs) => delayMs < 100)
  keepLoopBusy(2_000)
  await untilDelay(app, (delayMs) => delayMs > 100)
  for (let call = 0; call < 3; call += 1) expect((await app.inject('/')).body).toBe('answered')
  await app.close()
})
