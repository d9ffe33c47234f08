// After any sequence of steps the application agrees with a small model that shares no code with it. After each run
// both are compared ticket by ticket, and every invariant of money is checked.

import { changeAs } from '../../test/changes.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findViolatedInvariants } from '../../test/invariants.ts'
import { findCaller, openNode } from '../../test/nodes.ts'
import { cancel, create, openNext, setByHand, steps, type World } from '../../test/order-commands.ts'
import { type Discounts, firstDiscounts, FULL, HALF, type Model } from '../../test/order-model.ts'
import { startTestApp } from '../../test/test-app.ts'
import { changeCreditLimit, getCreditInfo } from '../identity/accounts/index.ts'
import { setQuota } from '../markets/quotas/index.ts'
import { confirmOverdueOrders } from './life/confirm-overdue.ts'
import { getOrder } from './read/present-order.ts'

const RUNS = Number(process.env.MODEL_RUNS ?? 5)
const STEPS = Number(process.env.MODEL_STEPS ?? 50)
/** For analysing a failure: runs may be shorter, and a failing run is reduced to its essential steps. */
const isShrinking = process.env.MODEL_SHRINK === '1'
const START_LIMIT = 40_000

const runOfSteps = isShrinking
  ? fc.commands([fc.oneof(...steps)], { maxCommands: STEPS, size: 'max' })
  : fc.array(fc.oneof(...steps), { minLength: STEPS, maxLength: STEPS })

/** Shared by all runs: a later run begins with the discounts of the previous one. */
const discounts: Discounts = firstDiscounts()

const app = await startTestApp()
const callerOf = (username: string) => findCaller(app.db, username)
const world: World = {
  app,
  node: openNode(app.url),
  members: await Promise.all(['member01', 'member02'].map(callerOf)),
  agent: await callerOf('agent01'),
  office: await Promise.all(['office01', 'office02'].map(callerOf)),
}
for (const bet_type of ['3top', '3roll'] as const)
  await changeAs(app.db, world.office[0]!.user_id, setQuota, {
    product_code: 'thai-government',
    bet_type,
    full_satang: FULL,
    half_satang: HALF,
  })

test(`${RUNS} runs of ${STEPS} steps agree with the model`, { timeout: 600_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(runOfSteps, async (commands) => {
      const model = await startModel()
      await fc.asyncModelRun(() => ({ model, real: world }), commands)
      await compare(model)
      expect(await findViolatedInvariants(world.app.owner)).toEqual({})
    }),
    { numRuns: RUNS, endOnFailure: !isShrinking },
  )
})

test('tickets with closed numbers beside ten waiting ones agree with the model', async () => {
  const model = await startModel()
  const lines = (['11', '23'] as const).map((number) => ({ type: '2top' as const, number, baht: 5, rateSeen: 7_000 }))
  const place = create(0, { lines, seen: 'absent', on_change: 'ask' })
  const commands = [setByHand('2top', '23', 'closed'), ...Array.from({ length: 11 }, () => place), cancel(0), place]
  await fc.asyncModelRun(() => ({ model, real: world }), commands)
  expect(model.tickets).toHaveLength(11)
  await compare(model)
})

/** Both members as earlier runs left them, with a new limit above their use, and a new period. */
async function startModel(): Promise<Model> {
  const model: Model = {
    limits: [],
    cash: [],
    held: [0, 0],
    period_code: '',
    isClosed: false,
    discounts,
    set: new Map(),
    tickets: [],
    cancelled: [0, 0],
    takenBack: [0, 0],
    earlierTickets: [],
  }
  await confirmOverdueOrders(world.node.db)
  for (const [index, { user_id }] of world.members.entries()) {
    const { balance_satang, held_satang } = await getCreditInfo(world.node.db, user_id)
    // The stake of a waiting ticket counts as spent until it is decided.
    const limit = START_LIMIT + Math.max(0, held_satang - balance_satang)
    await changeAs(world.node.db, world.agent, changeCreditLimit, { user_id, credit_limit_satang: limit })
    model.limits[index] = limit
    model.cash[index] = balance_satang
  }
  // Money held in an earlier run's open period stays there: the model does not include it.
  for (const [index, { user_id }] of world.members.entries()) {
    const { held_satang } = await getCreditInfo(world.node.db, user_id)
    model.cash[index]! -= held_satang
    model.held[index] = held_satang
  }
  await openNext(model, world.app.owner)
  return model
}

async function compare(model: Model): Promise<void> {
  for (const [index, member] of world.members.entries()) {
    const credit = await getCreditInfo(world.node.db, member.user_id)
    expect({ limit: credit.credit_limit_satang, held: credit.held_satang, balance: credit.balance_satang }).toEqual({
      limit: model.limits[index],
      held: model.held[index],
      balance: model.cash[index]! + model.held[index]!,
    })
  }
  for (const ticket of [...model.earlierTickets, ...model.tickets]) {
    const order = await getOrder(world.node.db, world.members[ticket.who]!, ticket.id)
    expect({
      status: order.status,
      win: order.win_satang,
      lines: order.items.map((item) => [item.bet_satang, item.received_satang, item.rate]),
    }).toEqual({
      status: ticket.status,
      win: ticket.win,
      lines: ticket.lines.map((line) => [line.bet, line.received, line.rate]),
    })
  }
}
