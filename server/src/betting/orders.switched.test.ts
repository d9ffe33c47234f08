// Taking a package away, switching a market off or putting it into maintenance affects the next ticket on every node,
// whatever its cache holds. Existing tickets are still confirmed, settled and paid.

import { changeAs } from '../../test/changes.ts'
import type { Order } from '@megalot/contract'
import { beforeEach, describe, expect, test } from 'vitest'
import { findViolatedInvariants } from '../../test/invariants.ts'
import { findCaller, openNode, type TestUser } from '../../test/nodes.ts'
import {
  countWrites,
  limitNumbers,
  makeLine,
  makeResult,
  makeTicket,
  openPeriod,
  placeTicket,
  readOrder,
  settleWith,
  ticketOn,
  limitMarkets,
  toNewTicket,
} from '../../test/scenes.ts'
import { startTestApp, type TestCaller } from '../../test/test-app.ts'
import { setMaintenance } from '../markets/maintenance/index.ts'
import { givePackages, switchProduct, takePackages } from '../markets/index.ts'
import { createIntake, type Intake } from './intake/intake.ts'
import { attempts } from './intake/testing/attempts.ts'
import type { NewTicket } from './ticket.ts'

const product_code = 'thai-government'
const packages = [{ product_code, package_code: '70' }]
const reason = 'as the test wants it'

let period_code: string

const app = await startTestApp()
const member = await app.logIn('member01')
const office: readonly TestCaller[] = [await app.logIn('office01'), await app.logIn('office02')]
const agent: TestUser = await findCaller(app.db, 'agent01')
await limitNumbers(app.db, '3top', 10_000, 5_000)
await limitMarkets(app.owner)
beforeEach(async () => {
  period_code = await openPeriod(app.owner)
})

interface Change {
  name: string
  begin: () => Promise<unknown>
  end: () => Promise<unknown>
  code: string
}

const maintain = (is_on: boolean) =>
  changeAs(app.db, office[0]!.user_id, setMaintenance, { product_code, is_on, reason, message_en: 'mended' })
const switchTo = (is_enabled: boolean) =>
  changeAs(app.db, office[0]!.user_id, switchProduct, { product_code, is_enabled, reason })

const changes: readonly Change[] = [
  {
    name: 'a package that its agent takes from a member',
    begin: () => changeAs(app.db, agent, takePackages, { user_id: member.user_id, packages, reason }),
    end: () => changeAs(app.db, agent, givePackages, { user_id: member.user_id, packages, reason }),
    code: 'no_package',
  },
  {
    name: 'a package that the office takes from the agent',
    begin: () => changeAs(app.db, office[0]!.user_id, takePackages, { user_id: agent.user_id, packages, reason }),
    end: () =>
      changeAs(app.db, office[0]!.user_id, givePackages, {
        user_id: agent.user_id,
        packages,
        reason,
        includes_below: true,
      }),
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
  // Defect: a node decides from its cache, and accepts tickets for a market that was switched off on another node.
  test('affects the next ticket on two nodes with outdated caches', async () => {
    const intakes = [openNode(app.url), openNode(app.url)].map((node) => createIntake(node.batches))
    for (const intake of intakes) await warmUp(intake)
    await begin()
    const before = await countWrites(app.db)
    for (const intake of intakes) {
      const ticket = newTicket()
      expect(await attempts.cached(intake, period_code, [ticket])).toEqual([undefined])
      expect(await attempts.read(intake, period_code, [ticket])).toMatchObject([{ error: { code } }])
    }
    expect(await countWrites(app.db)).toEqual(before)
    await end()
    for (const intake of intakes)
      expect(await attempts.read(intake, period_code, [newTicket()])).toMatchObject([{ value: { placed: {} } }])
    expect(await findViolatedInvariants(app.owner)).toEqual({})
  })

  // Defect: later steps of a ticket check what only placing must check, and money of existing tickets is stuck.
  test('does not affect existing tickets: they are confirmed, cancelled, settled and paid', async () => {
    const place = (number: string, baht: number) => placeTicket(member, ticketOn(period_code, [[number, baht]]))
    const whole = await place('123', 10)
    const waiting = await place('123', 120)
    const unwanted = await place('999', 10)
    expect([whole, waiting, unwanted].map(({ status }) => status)).toEqual(['CONFIRMED', 'WAIT_CONFIRM', 'CONFIRMED'])
    await begin()
    const refused = await member.post('/api/order/create', makeTicket(period_code))
    expect(refused.json.error.code).toBe(code)
    expect((await member.post(`/api/order/${waiting.order_id}/confirm`, { items: [] })).json.data.status).toBe(
      'CONFIRMED',
    )
    expect((await member.post(`/api/order/${unwanted.order_id}/cancel`, unwanted)).json.data.status).toBe('CANCELLED')
    await settleWith(app, period_code, makeResult('123'))
    const winOf = async (order: Order) => (await readOrder(member, order)).win_satang
    expect(await winOf(whole)).toBe(550_000)
    // 90 of 120 Baht were left at the full rate.
    expect(await winOf(waiting)).toBe(4_950_000)
    expect(await winOf(unwanted)).toBe(0)
    await end()
    expect(await findViolatedInvariants(app.owner)).toEqual({})
  })
})

const newTicket = (): NewTicket => toNewTicket(member, makeTicket(period_code, { items: [makeLine('2top', '12', 5)] }))

/** Fills a node's cache by reading, and asserts that it is used. */
async function warmUp(intake: Intake): Promise<void> {
  const tickets = Array.from({ length: 4 }, () => newTicket())
  await attempts.read(intake, period_code, tickets)
  expect(await attempts.cached(intake, period_code, [newTicket()])).toMatchObject([{ value: { placed: {} } }])
}
