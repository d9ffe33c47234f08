// A node that is asked to stop announces it first, answers calls it has accepted, lets its pages reconnect elsewhere,
// and ends.

import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { makeTicket, openPeriod, placeTicket, waitForLock } from './scenes.ts'
import { startApp } from './start-app.ts'
import { startTestApp } from './test-app.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const app = await startTestApp()
const member = await app.logIn('member01')
const period_code = await openPeriod(app.owner)
await placeTicket(member, makeTicket(period_code))

test('SIGTERM: /ready is 503 while calls are still served, streams end, a ticket in hand is answered, then it exits', async () => {
  const node = await startApp(app.url, 0, { DRAIN_SECONDS: '2' })
  const authorization = `Bearer ${member.sessionToken}`
  const stream = await fetch(`${node.url}/api/live`, { headers: { authorization } })
  expect((await fetch(`${node.url}/ready`)).status).toBe(200)

  const inHand = makeTicket(period_code)
  let exited: Promise<number | null> = Promise.resolve(null)
  const answered = await app.owner.transaction().execute(async (tx) => {
    await sql`select 1 from accounts join periods using (period_id) where period_code = ${period_code}
      for update of accounts`.execute(tx)
    const reply = node.post('/api/order/create', member.sessionToken, inHand)
    await waitForLock(app.owner)
    exited = node.stop()
    await expect.poll(async () => (await fetch(`${node.url}/ready`)).json()).toEqual({ status: 'stopping' })
    const ready = await fetch(`${node.url}/ready`)
    expect([ready.status, ready.headers.get('connection')]).toEqual([503, 'close'])
    // A call that the load balancer sent before it noticed.
    expect((await node.get('/mgluser/user_data/basic', member.sessionToken)).http).toBe(200)
    const late = connect(Number(new URL(node.url).port), '127.0.0.1')
    late.write(`GET /mgluser/user_data/basic HTTP/1.1\r\nhost: node\r\nauthorization: ${authorization}\r\n`)
    // The notice is over: only the ticket keeps the node running.
    const end = await stream.text()
    expect(end).toContain('event: end\ndata: {"reason":"stopping"}')
    // A late call on an existing connection.
    late.write('\r\n')
    const answer = await text(late)
    expect(answer).toMatch(/^HTTP\/1\.1 200 /)
    expect(answer).toMatch(/\r\nconnection: close\r\n/i)
    return { reply }
  })
  const { http, json } = await answered.reply
  expect([http, json.data.request_id]).toEqual([200, inHand.request_id])
  expect(await exited).toBe(0)
  await expect(fetch(`${node.url}/live`)).rejects.toThrow('fetch failed')
})
