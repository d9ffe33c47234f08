// Goal: whoever tries what it may not do is found in the log.

import Fastify from 'fastify'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import type { Caller } from './caller.ts'
import { Refusal } from './refusal.ts'
import { sendError } from './send-error.ts'

test.each(['not_allowed', 'permission_missing', 'more_than_own'] as const)(
  'a refusal with %s is logged with its caller, address and route',
  async (code) => {
    const lines: string[] = []
    const app = Fastify({ loggerInstance: pino({ level: 'info' }, { write: (line) => lines.push(line) }) })
    app.decorateRequest('caller', null)
    app.setErrorHandler((error, request, reply) => sendError(error, request, reply))
    app.post('/things/:thing_id', (request) => {
      request.caller = { actor_id: 77 } as Caller
      throw new Refusal(code)
    })
    await app.inject({ method: 'POST', url: '/things/5', remoteAddress: '192.0.2.7' })
    const logged = lines.map((line) => JSON.parse(line) as object).filter((line) => 'code' in line)
    const who = { actor_id: 77, address: '192.0.2.7', method: 'POST', route: '/things/:thing_id' }
    expect(logged).toMatchObject([{ level: 30, msg: 'refused', code, ...who }])
  },
)
