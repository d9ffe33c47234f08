// Goal: during maintenance members get the office's message and its expected end, and none of their data changes; the
// office works on; and afterwards everything is as before.

import { refusals } from '@megalot/contract'
import { afterEach, describe, expect, test } from 'vitest'
import { countWrites, makeTicket, openPeriod } from '../../../test/scenes.ts'
import { startTestApp, testConfig } from '../../../test/test-app.ts'
import { DEMO_PASSWORD } from '../../demo/demo.ts'
import { runCommand } from '../../cli/command.ts'
import { findCommand } from '../../cli/office.commands.ts'

const until_at = '2030-01-01T05:00:00.000Z'
const words = { message_th: 'ปิดปรับปรุงถึงเที่ยง', message_en: 'Closed until noon', until_at }
const reason = 'a new machine'

const app = await startTestApp()
const member = await app.logIn('member01')
const agent = await app.logIn('agent01')
const office = await app.logIn('office01')
afterEach(async () => {
  await app.owner.deleteFrom('maintenances').execute()
})

const set = (change: object) => office.post('/api/admin/config/maintenance', { reason, ...change })
const check = async () => (await app.call('GET', '/api/config/maintenance/check')).json.data

describe('maintenance of the whole application', () => {
  test('keeps members and agents out, with the office’s message, and lets the office in', async () => {
    expect(await check()).toEqual({ is_maintained: false, maintenance: null, products: [] })
    expect((await set({ is_on: true, ...words })).http).toBe(200)
    expect(await check()).toEqual({ is_maintained: true, maintenance: words, products: [] })
    for (const caller of [member, agent])
      for (const language of ['th', 'en'] as const) {
        const { http, json } = await caller.get('/mgluser/user_data/basic', language)
        expect([http, json.status.message]).toEqual([503, words[`message_${language}`]])
        expect(json.error).toEqual({ code: 'maintenance', details: words })
      }
    expect((await office.get('/mgluser/user_data/basic')).http).toBe(200)
    await set({ is_on: false })
    // The sessions have survived.
    expect((await member.get('/mgluser/user_data/basic')).http).toBe(200)
  })

  test('refuses log-ins and registrations of members, and allows the office’s', async () => {
    await set({ is_on: true })
    await expect(app.logIn('member02')).rejects.toThrow('"code":"maintenance"')
    expect((await app.logIn('office02')).user_id).toBeGreaterThan(0)
    const { json } = await app.call('POST', '/megalot/auth/login', {})
    expect(json.error.code).toBe('bad_input')
  })

  test('lets a member log off, and answers its keep-alive with the message', async () => {
    const leaving = await app.logIn('member03')
    await set({ is_on: true })
    const sync = await leaving.get('/megalot/auth/session_sync?version=1.0.0&gui=user', 'en')
    expect([sync.http, sync.json.status.message]).toEqual([503, refusals.maintenance.en])
    expect((await leaving.post('/megalot/auth/logoff')).http).toBe(200)
  })
})

describe('maintenance of one market', () => {
  test('refuses only its tickets; an existing ticket is replayed', async () => {
    const periods = { gov: await openPeriod(app.owner), lao: await openPeriod(app.owner, 'lao-vip') }
    const existing = makeTicket(periods.gov)
    expect((await member.post('/api/order/create', existing)).http).toBe(200)
    await set({ is_on: true, product_code: 'thai-government', ...words })
    const before = await countWrites(app.owner)
    const { http, json } = await member.post('/api/order/create', makeTicket(periods.gov), 'en')
    expect([http, json.status.message, json.error]).toEqual([
      503,
      words.message_en,
      { code: 'maintenance', details: words },
    ])
    expect((await member.post('/api/order/create', existing)).http).toBe(200)
    expect(await countWrites(app.owner)).toEqual(before)
    expect((await member.get('/mgluser/user_data/basic')).http).toBe(200)
    expect((await member.post('/api/order/create', makeTicket(periods.lao))).http).toBe(200)
    expect((await check()).products).toEqual([{ product_code: 'thai-government', ...words }])
    await set({ is_on: false, product_code: 'thai-government' })
    expect((await member.post('/api/order/create', makeTicket(periods.gov))).http).toBe(200)
  })

  test('of an unknown market is refused', async () => {
    expect((await set({ is_on: true, product_code: 'no-such' })).json.error.code).toBe('unknown_product')
  })
})

test('every change is audited, from the screen and from the command line', async () => {
  await set({ is_on: true, ...words })
  const command = (args: string) =>
    runCommand(findCommand('maintenance')!, {
      db: app.db,
      args: args.split(' '),
      askSecret: async () => DEMO_PASSWORD,
      settings: testConfig(),
    })
  expect(await command('on --as office02 --reason moving --market lao-vip')).toBe('maintenance of lao-vip: on')
  expect(await command('off --as office02 --reason moved')).toBe('maintenance of everything: off')
  await expect(command('sideways --as office02 --reason no')).rejects.toThrow('Say on or off')
  const rows = await app.owner
    .selectFrom('audit_log')
    .innerJoin('users', 'users.user_id', 'audit_log.actor_id')
    .select(['username', 'action', 'subject', 'reason'])
    .where('action', 'like', '%maintenance')
    .orderBy('audit_id')
    .execute()
  expect(rows.slice(-3)).toEqual([
    { username: 'office01', action: 'begin_maintenance', subject: 'product', reason },
    { username: 'office02', action: 'begin_maintenance', subject: 'product:lao-vip', reason: 'moving' },
    { username: 'office02', action: 'end_maintenance', subject: 'product', reason: 'moved' },
  ])
})
