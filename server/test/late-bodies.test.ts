// A caller who delays the end of a body gets nothing done by a session that has ended, or by rights lost meanwhile.

import { type AddressInfo, connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { closeAtFileEnd } from './file-end.ts'
import { makeTicket, openPeriod } from './scenes.ts'
import { appOn, startTestApp, type TestCaller } from './test-app.ts'

const app = await startTestApp()
await app.server.listen({ host: '127.0.0.1', port: 0 })
const port = (app.server.server.address() as AddressInfo).port

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
  const period = await openPeriod(app.owner)
  const call = beginCall(member, '/api/order/create', makeTicket(period))
  await pause(300)
  // A second log-in ends the session.
  await app.logIn('member01')
  expect((await member.get('/mgluser/user_data/basic')).http).toBe(401)
  expect((await call.finish()).split('\r\n')[0]).toBe('HTTP/1.1 401 Unauthorized')
})

test('an act whose body ends after its caller was suspended is refused', async () => {
  const agent = await app.logIn('agent01')
  const member = await app.logIn('member02')
  const call = beginCall(agent, `/mgluser/downline/${member.user_id}/sessions/end`, { reason: 'because' })
  await pause(300)
  await app.asOwner`update users set own_status = 'SUSPENDED' where user_id = ${agent.user_id}`
  const blocked = (await agent.get('/mgluser/user_data/basic')).http
  const reply = await call.finish()
  await app.asOwner`update users set own_status = 'NORMAL' where user_id = ${agent.user_id}`
  expect(blocked).toBe(401)
  expect(reply.split('\r\n')[0]).toBe('HTTP/1.1 401 Unauthorized')
})

interface LargeCall {
  socket: Socket
  answered: () => string
  send: (text: string) => void
}

/**
 * Sends the head of a call with a body of 1 MiB.
 * @returns its socket, and the reply so far
 */
function beginLarge(caller: TestCaller, { type = 'application/json', bytes = 1_048_576, to = port } = {}): LargeCall {
  const socket: Socket = connect(to, '127.0.0.1')
  closeAtFileEnd(async () => void socket.destroy())
  let reply = ''
  socket.setEncoding('utf8').on('data', (part: string) => (reply += part))
  socket.on('error', () => {})
  socket.write(
    `POST /api/order/100001/cancel HTTP/1.1\r\nHost: a\r\nContent-Type: ${type}\r\n` +
      `Authorization: Bearer ${caller.sessionToken}\r\nContent-Length: ${bytes}\r\n\r\n`,
  )
  return { socket, answered: () => reply, send: (text) => socket.write(text) }
}

/** A body of a MiB that breaks the schema. */
const LARGE_BODY = `{"note":"${'x'.repeat(1_048_576 - 11)}"}`

/** Without a time limit: a busy machine is slow. */
async function until(isMet: () => boolean): Promise<void> {
  while (!isMet()) await new Promise(setImmediate)
}

test('one caller can delay one large body, which costs more tokens than it has, and still makes small calls', async () => {
  const node = await appOn(app, { CALL_LIMITS_FACTOR: '1' })
  await node.server.listen({ host: '127.0.0.1', port: 0 })
  const { port: to } = node.server.server.address() as AddressInfo
  const [member, other] = [await node.logIn('member03'), await node.logIn('member04')]
  const calls = Array.from({ length: 5 }, () => beginLarge(member, { to }))
  const refused = () => calls.filter(({ answered }) => answered() !== '')
  await until(() => refused().length === 4)
  expect(refused().every(({ answered }) => answered().startsWith('HTTP/1.1 429'))).toBe(true)
  const ofOther = beginLarge(other, { to })
  ofOther.send(LARGE_BODY)
  await until(() => ofOther.answered() !== '')
  expect(ofOther.answered()).toMatch(/^HTTP\/1.1 400/)
  expect((await member.post('/api/order/100001/cancel', {})).json.error.code).toBe('bad_input')
  const held = calls.find(({ answered }) => answered() === '')!
  held.send(LARGE_BODY)
  await until(() => held.answered() !== '')
  expect(held.answered()).toMatch(/^HTTP\/1.1 400/)
})
