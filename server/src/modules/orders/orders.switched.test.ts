// Goal: a package that is taken, a market that is switched off or in maintenance, affects the next ticket on every
// node, whatever its cache holds; existing tickets are confirmed, settled and paid.

import type { Order } from '@megalot/contract'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { findBrokenInvariants } from '../../../test/invariants.ts'
import { findCaller, openNode } from '../../../test/nodes.ts'
import { countWrites, dayOf, holdDraw, makeNewTicket, makeTicket, openPeriod } from '../../../test/scenes.ts'
import { startTestApp, type TestApp, type TestCaller } from '../../../test/test-app.ts'
import type { Caller } from '../../platform/caller.ts'
import { enterAward, settleDuePeriods } from '../awards/index.ts'
import { setMaintenance } from '../maintenance/index.ts'
import { closePeriod, givePackages, switchProduct, takePackages } from '../markets/index.ts'
import { setQuota } from '../quotas/index.ts'
import { attempts, createIntakeState, type IntakeState } from './intake/attempts.ts'
import type { NewTicket } from './ticket.ts'

const product_code = 'thai-government'
const packages = [{ product_code, package_code: '70' }]
const reason = 'as the test wants it'

let app: TestApp
let member: TestCaller
let office: readonly TestCaller[]
let agent: Caller
let period_code: string

beforeAll(async () => {
  app = await startTestApp()
  member = await app.logIn('member01')
  office = [await app.logIn('office01'), await app.logIn('office02')]
  agent = await findCaller(app.db, 'agent01')
  const quota = { product_code, bet_type: '3top' as const, full_satang: 10_000, half_satang: 5_000 }
  await setQuota(app.db, office[0]!.user_id, quota)
})
beforeEach(async () => {
  period_code = await openPeriod(app.owner)
})

interface Change {
  name: string
  begin: () => Promise<unknown>
  end: () => Promise<unknown>
  code: string
}

const officeActor = () => ({ user_id: office[0]!.user_id, is_office: true })
const maintain = (is_on: boolean) =>
  setMaintenance(app.db, office[0]!.user_id, { product_code, is_on, reason, message_en: 'mended' })
const switchTo = (is_enabled: boolean) =>
  switchProduct(app.db, office[0]!.user_id, product_code, { is_enabled, reason })

const changes: readonly Change[] = [
  {
    name: 'a package that its agent takes from a member',
    begin: () => takePackages(app.db, agent, member.user_id, { packages, reason }),
    end: () => givePackages(app.db, agent, member.user_id, { packages, reason }),
    code: 'no_package',
  },
  {
    name: 'a package that the office takes from the agent',
    begin: () => takePackages(app.db, officeActor(), agent.user_id, { packages, reason }),
    end: () => givePackages(app.db, officeActor(), agent.user_id, { packages, reason, includes_below: true }),
    code: 'no_package',
  },
  {
    name: 'a market that is switched off',
    begin: () => switchTo(false),
    end: () => switchTo(true),
    code: 'product_disabled',
  },
  { name: 'a market that is mended', begin: () => maintain(true), end: () => maintain(false), code: 'maintenance' },
]

describe.each(changes)('$name', ({ begin, end, code }) => {
  test('affects the next ticket on two nodes with outdated caches', async () => {
    const states = [openNode(app.url), openNode(app.url)].map((node) => createIntakeState(node.batches))
    for (const state of states) await warmUp(state)
    await begin()
    const before = await countWrites(app.db)
    for (const state of states) {
      const ticket = ticketOf(member)
      expect(await attempts.cached(state, period_code, [ticket])).toEqual([undefined])
      expect(await attempts.read(state, period_code, [ticket])).toMatchObject([{ error: { code } }])
    }
    expect(await countWrites(app.db)).toEqual(before)
    await end()
    for (const state of states)
      expect(await attempts.read(state, period_code, [ticketOf(member)])).toMatchObject([{ value: { placed: {} } }])
    expect(await findBrokenInvariants(app.owner)).toEqual({})
  })

  test('does not affect existing tickets: they are confirmed, cancelled, settled and paid', async () => {
    const place = async (bet_satang: number, number = '123'): Promise<Order> => {
      const items = [{ bet_type: '3top' as const, number, bet_satang, rate: 55_000 }]
      return (await member.post('/api/order/create', makeTicket(period_code, { items }))).json.data
    }
    const whole = await place(1_000)
    const waiting = await place(12_000)
    const unwanted = await place(1_000, '999')
    expect([whole, waiting, unwanted].map(({ status }) => status)).toEqual(['CONFIRMED', 'WAIT_CONFIRM', 'CONFIRMED'])
    await begin()
    const refused = await member.post('/api/order/create', makeTicket(period_code))
    expect(refused.json.error.code).toBe(code)
    expect((await member.post(`/api/order/${waiting.order_id}/confirm`, { items: [] })).json.data.status).toBe(
      'CONFIRMED',
    )
    expect((await member.post(`/api/order/${unwanted.order_id}/cancel`, unwanted)).json.data.status).toBe('CANCELLED')
    await closePeriod(app.db, office[0]!.user_id, period_code, 'test')
    await holdDraw(app.owner, period_code)
    const result = { first_prize: '000123', top3: '123', bottom2: '00', front3: ['111', '222'], back3: ['333', '444'] }
    for (const { user_id } of office)
      await enterAward(app.db, user_id, { period_code, date: dayOf(period_code), result })
    await settleDuePeriods(app.db)
    const winOf = async ({ order_id }: Order) => (await member.get(`/api/order/${order_id}`)).json.data.win_satang
    expect(await winOf(whole)).toBe(550_000)
    // Of 120 Baht 90 were left at the full rate.
    expect(await winOf(waiting)).toBe(4_950_000)
    expect(await winOf(unwanted)).toBe(0)
    await end()
    expect(await findBrokenInvariants(app.owner)).toEqual({})
  })
})

function ticketOf({ user_id }: TestCaller): NewTicket {
  const items = [{ bet_type: '2top' as const, number: '12', bet_satang: 500, rate: 7_000 }]
  return makeNewTicket(user_id, makeTicket(period_code, { items }))
}

/** Fills a node's cache by reading, and asserts that it is used. */
async function warmUp(state: IntakeState): Promise<void> {
  const tickets = Array.from({ length: 4 }, () => ticketOf(member))
  await attempts.read(state, period_code, tickets)
  expect(await attempts.cached(state, period_code, [ticketOf(member)])).toMatchObject([{ value: { placed: {} } }])
}
