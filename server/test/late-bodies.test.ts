// Goal: whoever keeps back the end of a body gets nothing done by a session that has ended meanwhile, or by rights that are gone.

import { randomUUID } from 'node:crypto'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { closeAtFileEnd } from './file-end.ts'
import { makeTicket, openPeriod } from './scenes.ts'
import { startTestApp, type TestApp, type TestCaller } from './test-app.ts'

let app: TestApp
let port: number

beforeAll(async () => {
  app = await startTestApp()
  await app.server.listen({ host: '127.0.0.1', port: 0 })
  port = (app.server.server.address() as AddressInfo).port
})

/** Sends a call without the end of its body. @returns a function that sends the end and resolves with the status */
function beginCall(caller: TestCaller, path: string, body: object): { finish: () => Promise<string> } {
  const text = JSON.stringify(body)
  const socket: Socket = connect(port, '127.0.0.1')
  closeAtFileEnd(async () => void socket.destroy())
  let reply = ''
  socket.setEncoding('utf8').on('data', (part: string) => (reply += part))
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nConnection: close\r\n` +
      `Authorization: Bearer ${caller.sessionToken}\r\nContent-Length: ${Buffer.byteLength(text)}\r\n\r\n${text.slice(0, 5)}`,
  )
  return {
    finish: async () => {
      socket.write(text.slice(5))
      await new Promise((resolve) => socket.once('close', resolve))
      return reply
    },
  }
}

test('a ticket whose body ends after its session is refused', async () => {
  const member = await app.logIn('member01')
  const period = await openPeriod(app.db)
  const call = beginCall(member, '/api/order/create', makeTicket(period))
  await pause(300)
  // Somebody else logs in: the session ends.
  await app.logIn('member01')
  expect((await member.get('/mgluser/user_data/basic')).http).toBe(401)
  expect((await call.finish()).split('\r\n')[0]).toBe('HTTP/1.1 401 Unauthorized')
})

test('an act whose body ends after its caller was suspended is refused', async () => {
  const agent = await app.logIn('agent01')
  const member = await app.logIn('member02')
  const call = beginCall(agent, `/mgluser/downline/${member.user_id}/sessions/end`, { reason: 'because' })
  await pause(300)
  await sql`update users set own_status = 'SUSPENDED' where user_id = ${agent.user_id}`.execute(app.owner)
  const blocked = (await agent.get('/mgluser/user_data/basic')).http
  const reply = await call.finish()
  await sql`update users set own_status = 'NORMAL' where user_id = ${agent.user_id}`.execute(app.owner)
  expect(blocked).toBe(401)
  expect(reply.split('\r\n')[0]).toBe('HTTP/1.1 401 Unauthorized')
})

test('an office user who was suspended meanwhile does nothing with a body that it finishes later', async () => {
  const office = await app.logIn('office02')
  const call = beginCall(office, '/api/admin/config/maintenance', { is_on: true, reason: 'because' })
  await pause(300)
  await sql`update users set own_status = 'SUSPENDED' where user_id = ${office.user_id}`.execute(app.owner)
  const reply = await call.finish()
  await sql`update users set own_status = 'NORMAL' where user_id = ${office.user_id}`.execute(app.owner)
  await sql`delete from maintenances`.execute(app.owner)
  expect(reply).toMatch(/^HTTP\/1.1 401/)
})

test('credit is not moved by an agent who was suspended before its call was sent whole', async () => {
  const agent = await app.logIn('agent01')
  const member = await app.logIn('member02')
  const { rows } = await sql<{ limit: number }>`
    select (-floor_satang)::int as limit from accounts where kind = 'cash' and user_id = ${member.user_id}`.execute(
    app.owner,
  )
  const body = {
    request_id: randomUUID(),
    reason: 'because',
    rows: [{ user_id: member.user_id, credit_limit_satang: rows[0]!.limit + 100 }],
  }
  const call = beginCall(agent, '/mgluser/people/bulk/credit', body)
  await pause(300)
  await sql`update users set own_status = 'SUSPENDED' where user_id = ${agent.user_id}`.execute(app.owner)
  const reply = await call.finish()
  await sql`update users set own_status = 'NORMAL' where user_id = ${agent.user_id}`.execute(app.owner)
  expect(reply).toMatch(/^HTTP\/1.1 401/)
})
