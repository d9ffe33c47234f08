// Attempts without permission are found in the log.

import { type RefusalEnvelope, refusals } from '@megalot/contract'
import Fastify from 'fastify'
import { sql } from 'kysely'
import { pino } from 'pino'
import { describe, expect, test } from 'vitest'
import { startTestApp } from '../../test/test-app.ts'
import type { Caller } from './caller.ts'
import { Refusal } from '../lib/refusal.ts'
import { createSendError } from './send-error.ts'

test.each(['not_allowed', 'permission_missing', 'more_than_own'] as const)(
  'a refusal with %s is logged with its caller, address and route',
  async (code) => {
    const lines: string[] = []
    const app = Fastify({ loggerInstance: pino({ level: 'info' }, { write: (line) => lines.push(line) }) })
    app.decorateRequest('caller', null)
    app.setErrorHandler(createSendError())
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

// Defect: a user with many addresses, or an agent with many assistants, kept all others' acts out of the log.
test("a principal's acts without permission are 20 lines per minute, whatever addresses and assistants it uses", async () => {
  const lines: string[] = []
  const app = Fastify({ loggerInstance: pino({ level: 'info' }, { write: (line) => lines.push(line) }) })
  app.decorateRequest('caller', null)
  app.setErrorHandler(createSendError(() => {}))
  app.post('/things/:principal_id/:actor_id', (request) => {
    const { principal_id, actor_id } = request.params as { principal_id: string; actor_id: string }
    request.caller = { principal_id: Number(principal_id), actor_id: Number(actor_id) } as Caller
    throw new Refusal('not_allowed')
  })
  for (let net = 0; net < 220; net += 1)
    await app.inject({ method: 'POST', url: `/things/66/${100 + (net % 11)}`, remoteAddress: `198.51.${net}.1` })
  await app.inject({ method: 'POST', url: '/things/77/77', remoteAddress: '198.51.7.1' })
  const countOf = (actor: RegExp) => lines.filter((line) => actor.test(line)).length
  expect([countOf(/"actor_id":1\d\d,/), countOf(/"actor_id":77,/)]).toEqual([20, 1])
})

// Defect: when two acts of the office deadlocked, one ended with 500, which clients do not retry.
test('a deadlock is refused as unavailable, and logged', async () => {
  const app = await startTestApp()
  const lines: string[] = []
  const http = Fastify({ loggerInstance: pino({ level: 'info' }, { write: (line) => lines.push(line) }) })
  http.setErrorHandler(createSendError())
  // Each transaction takes its second lock once both have their first.
  const both = { locked: 0, arrived: () => {} }
  const bothLocked = new Promise<void>((resolve) => (both.arrived = resolve))
  http.post('/:first/:second', (request) =>
    app.owner.transaction().execute(async (tx) => {
      const { first, second } = request.params as Record<'first' | 'second', string>
      await sql`select pg_advisory_xact_lock(7707, ${first}::int)`.execute(tx)
      both.locked += 1
      if (both.locked === 2) both.arrived()
      await bothLocked
      await sql`select pg_advisory_xact_lock(7707, ${second}::int)`.execute(tx)
      return 'done'
    }),
  )
  const replies = await Promise.all(['/1/2', '/2/1'].map((url) => http.inject({ method: 'POST', url })))
  expect(new Set(replies.map(({ statusCode }) => statusCode))).toEqual(new Set([200, 503]))
  const refused = replies.find(({ statusCode }) => statusCode === 503)!
  expect(refused.json()).toMatchObject({ error: { code: 'unavailable' } })
  expect(refused.headers['retry-after']).toBe('1')
  expect(lines.map((line) => JSON.parse(line) as { level: number; msg: string })).toContainEqual(
    expect.objectContaining({ level: 50, msg: 'request failed' }),
  )
})

// Defect: input that breaks a schema was counted but not logged, so the caller could not be found.
test('input that breaks a schema is logged without its content, 20 times per minute and subnet, 200 in all', async () => {
  const lines: string[] = []
  let endMinute!: () => void
  const app = Fastify({ loggerInstance: pino({ level: 'info' }, { write: (line) => lines.push(line) }) })
  app.decorateRequest('caller', null)
  app.setErrorHandler(createSendError((act) => (endMinute = act)))
  const body = { type: 'object', properties: { amount: { type: 'integer' } }, additionalProperties: false }
  app.post('/things', { schema: { body } }, () => 'made')
  /** How many of some calls are logged. */
  const send = async (remoteAddress: string, times: number): Promise<number> => {
    const before = lines.filter((line) => line.includes('"refused"')).length
    for (let each = 0; each < times; each += 1) {
      const reply = await app.inject({ method: 'POST', url: '/things', remoteAddress, payload: { amount: 'planted' } })
      expect(reply.statusCode).toBe(400)
    }
    return lines.filter((line) => line.includes('"refused"')).length - before
  }
  expect(await send('192.0.2.7', 30)).toBe(20)
  // The first subnet does not keep another out of the log.
  expect(await send('203.0.113.8', 1)).toBe(1)
  for (let net = 1; net <= 9; net += 1) await send(`198.51.${net}.1`, 20)
  expect(await send('203.0.113.9', 1)).toBe(0)
  endMinute()
  expect(await send('192.0.2.7', 30)).toBe(20)

  const logged = lines.map((line) => JSON.parse(line) as object).filter((line) => 'code' in line)
  const problem = { part: 'body', rule: 'type' }
  expect(logged[0]).toMatchObject({ code: 'bad_input', address: '192.0.2.7', route: '/things', problem })
  expect(lines.join('')).not.toContain('planted')
})

// Defect: each refused call of a signed-in user, and each log-in attempt, wrote a line.
test.each([
  ['not_allowed', 20, 200],
  ['wrong_login', 100, 2_000],
  ['too_many_requests', 100, 2_000],
] as const)(
  '%s is logged %i times a minute of a subnet, %i of all, and what is left out is counted',
  async (...row) => {
    const [code, ofSubnet, ofAll] = row
    const lines: string[] = []
    const minutes: (() => void)[] = []
    const app = Fastify({ loggerInstance: pino({ level: 'info' }, { write: (line) => lines.push(line) }) })
    app.decorateRequest('caller', null)
    app.setErrorHandler(createSendError((act) => minutes.push(act)))
    app.get('/things', () => {
      throw new Refusal(code)
    })
    app.get('/others', () => {
      throw new Refusal('more_than_own')
    })
    const countLogged = () => lines.filter((line) => line.includes('"refused"')).length
    const send = async (remoteAddress: string, times: number, url = '/things'): Promise<number> => {
      const before = countLogged()
      for (let each = 0; each < times; each += 1) await app.inject({ url, remoteAddress })
      return countLogged() - before
    }
    expect(await send('192.0.2.7', ofSubnet + 3)).toBe(ofSubnet)
    for (let net = 1; net < ofAll / ofSubnet; net += 1) expect(await send(`198.51.${net}.1`, ofSubnet)).toBe(ofSubnet)
    expect(await send('203.0.113.8', 1)).toBe(0)
    // Filling the log with one code does not keep out others.
    expect(await send('192.0.2.7', 1, '/others')).toBe(1)
    expect(minutes).toHaveLength(1)
    minutes[0]!()
    const leftOut = () =>
      lines.map((line) => JSON.parse(line) as { left_out?: object }).filter(({ left_out }) => left_out !== undefined)
    expect(leftOut()).toMatchObject([{ level: 30, left_out: { [code]: 4 } }])
    // A minute without omitted lines has no such line.
    expect(await send('203.0.113.8', 1)).toBe(1)
    minutes[1]!()
    expect(leftOut()).toHaveLength(1)
  },
)

// Defect: a refusal said that something was wrong with the data, but not which field.
describe('bad input names its field', () => {
  const body = {
    type: 'object',
    properties: { items: { type: 'array', items: { type: 'object', properties: { rate: { type: 'integer' } } } } },
    required: ['items'],
    additionalProperties: false,
  }
  const { th, en } = refusals.bad_input
  test.each([
    ['one that is missing', {}, ': ขาดช่อง items', ': items is missing'],
    ['one that is unknown', { items: [], itmes: [] }, ': ไม่รู้จักช่อง itmes', ': itmes is unknown'],
    ['one inside of others', { items: [{}, { rate: 'x' }] }, ': ช่อง items[1].rate', ': field items[1].rate'],
    ['no name that a client made up', { items: [], '<script>': 1 }, '', ''],
  ])('%s', async (_name, payload, inThai, inEnglish) => {
    const app = Fastify({ ajv: { customOptions: { removeAdditional: false } } })
    app.setErrorHandler(createSendError())
    app.post('/things', { schema: { body } }, () => 'made')
    const readMessage = async (language: string): Promise<string> => {
      const headers = { 'accept-language': language }
      const reply = await app.inject({ method: 'POST', url: '/things', headers, payload })
      return reply.json<RefusalEnvelope>().status.message
    }
    expect([await readMessage('th'), await readMessage('en')]).toEqual([th + inThai, en + inEnglish])
  })

  test('if a service has found it', async () => {
    const app = Fastify()
    app.setErrorHandler(createSendError())
    app.get('/things', () => {
      throw new Refusal('bad_input', { problems: [{ part: 'body', path: '/payload/open_at', rule: 'order' }] })
    })
    app.get('/others', () => {
      throw new Refusal('bad_input', { fields: ['until_date'] })
    })
    const messages = await Promise.all(
      ['/things', '/others'].map(async (url) => (await app.inject(url)).json<RefusalEnvelope>().status.message),
    )
    expect(messages).toEqual([`${th}: ช่อง payload.open_at`, `${th}: ช่อง until_date`])
  })
})
