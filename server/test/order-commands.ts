// Steps that the model and the application execute side by side, each with its expected outcome.

import { changeAs, closeEarly } from './changes.ts'
import fc from 'fast-check'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { changeCreditLimit } from '../src/identity/accounts/index.ts'
import { enterAward, settleDuePeriods } from '../src/results/index.ts'
import {
  cancelOrder,
  confirmOrder,
  deleteOrder,
  confirmOverdueOrders,
  type NewTicket,
  placeTicket,
} from '../src/betting/index.ts'
import { setLimitNumber } from '../src/markets/quotas/index.ts'
import { type Db, isDatabaseAway } from '../src/postgres/db.ts'
import { Refusal } from '../src/lib/refusal.ts'
import { type Node, openNode, type TestUser } from './nodes.ts'
import {
  asks,
  decide,
  discountSeen,
  end,
  expire,
  isWinner,
  keyOf,
  live,
  type Model,
  net,
  netOf,
  prices,
  type Request,
  type Type,
} from './order-model.ts'
import { dayOf, holdDraw, toNewTicket, makeTicket, openPeriod } from './scenes.ts'
import type { TestApp } from './test-app.ts'
import { voidByTwo } from './voids.ts'

export interface World {
  app: TestApp
  /** The node now serving. */
  node: Node
  members: TestUser[]
  agent: TestUser
  office: TestUser[]
}

export type Step = fc.AsyncCommand<Model, World>

/** The code of the refusal, or undefined on success. */
async function codeOf(run: () => Promise<unknown>): Promise<string | undefined> {
  try {
    await run()
    return undefined
  } catch (error) {
    if (error instanceof Refusal) return error.code
    throw error
  }
}

function step(name: string, run: (model: Model, real: World) => Promise<void>): Step {
  return { check: () => true, run, toString: () => name }
}

function toTicket(model: Model, member: TestUser, request: Request): NewTicket {
  const items = request.lines.map(({ type, number, baht, rateSeen }) => ({
    bet_type: type,
    number,
    bet_satang: baht * 100,
    rate: rateSeen,
  }))
  const { on_change } = request
  const discount_satang = discountSeen(model, request)
  return toNewTicket(member, makeTicket(model.period_code, { items, on_change, discount_satang }))
}

/** Places a ticket and expects the model's outcome. */
async function placeAsModel(model: Model, { node }: World, ticket: NewTicket, who: number, request: Request) {
  const decided = decide(model, who, request)
  let id = 0
  const code = await codeOf(async () => {
    id = (await placeTicket(node.intake, ticket)).order_id
    // Sent again, as after a lost reply: the same ticket.
    expect(await placeTicket(node.intake, ticket)).toEqual({ order_id: id })
  })
  if (typeof decided === 'string') {
    expect(code).toBe(decided)
    return
  }
  expect(code).toBeUndefined()
  const isWaiting = asks(model, request, decided)
  const made = { id, who, status: isWaiting ? 'WAIT_CONFIRM' : 'CONFIRMED', lines: decided, win: 0 }
  model.tickets.push(made)
  model.cash[who]! -= netOf(made)
  if (isWaiting) model.held[who]! += netOf(made)
}

export const create = (who: number, request: Request): Step =>
  step(`create(${who}, ${JSON.stringify(request)})`, (model, real) =>
    placeAsModel(model, real, toTicket(model, real.members[who]!, request), who, request),
  )

/**
 * The node dies some ticks of the event loop after a ticket arrived. Another node takes over and gets the same ticket.
 */
const restart = (who: number, request: Request, ticks: number): Step =>
  step(`restart(${who}, ${JSON.stringify(request)}, ${ticks})`, async (model, real) => {
    const ticket = toTicket(model, real.members[who]!, request)
    const sent = placeTicket(real.node.intake, ticket).catch((error: unknown) => {
      if (!(error instanceof Refusal) && !isDatabaseAway(error)) throw error
    })
    for (let tick = 0; tick < ticks; tick += 1) await new Promise(setImmediate)
    await real.node.kill()
    real.node = openNode(real.app.url)
    await placeAsModel(model, real, ticket, who, request)
    await sent
  })

/** Picks one of the period's tickets. */
const pick = (model: Model, index: number) => model.tickets[index % Math.max(1, model.tickets.length)]

const confirm = (index: number, returned: readonly boolean[]): Step =>
  step(`confirm(${index}, ${returned.join()})`, async (model, { node, members }) => {
    const ticket = pick(model, index)
    if (!ticket) return
    // An item of which nothing was accepted is named with 0, which returns it.
    const isReturned = (at: number) => ticket.lines[at]!.received === 0 || returned[at % returned.length]!
    const items = ticket.lines.map((line, at) => ({ line_no: at + 1, bet_satang: isReturned(at) ? 0 : line.received }))
    const code = await codeOf(() => confirmOrder(node.db, members[ticket.who]!, ticket.id, items))
    if (ticket.status !== 'WAIT_CONFIRM') {
      expect(code).toBe('invalid_status')
      return
    }
    if (model.isClosed) {
      expect(code).toBe('confirm_over')
      return
    }
    expect(code).toBeUndefined()
    const isAll = ticket.lines.every((_line, at) => isReturned(at))
    if (isAll || ticket.lines.some((line, at) => isReturned(at) && line.received > 0)) model.takenBack[ticket.who]! += 1
    model.held[ticket.who]! -= netOf(ticket)
    ticket.lines.forEach((line, at) => {
      if (!isReturned(at)) return
      model.cash[ticket.who]! += net(line)
      line.bet = line.received = 0
    })
    ticket.status = isAll ? 'CANCELLED' : 'CONFIRMED'
  })

export const cancel = (index: number): Step =>
  step(`cancel(${index})`, async (model, { node, members }) => {
    const ticket = pick(model, index)
    if (!ticket) return
    const code = await codeOf(() => cancelOrder(node.db, members[ticket.who]!, ticket.id, ticket.status as never))
    if (!live(ticket)) expect(code).toBe('invalid_status')
    else if (ticket.status === 'WAIT_CONFIRM' && model.isClosed) expect(code).toBe('confirm_over')
    else if (ticket.status === 'CONFIRMED' && model.isClosed) expect(code).toBe('too_close_to_close')
    else if (ticket.status === 'CONFIRMED' && model.cancelled[ticket.who]! >= 10)
      expect(code).toBe('too_many_cancelled')
    else {
      expect(code).toBeUndefined()
      const counts = ticket.status === 'CONFIRMED' ? model.cancelled : model.takenBack
      counts[ticket.who]! += 1
      end(model, ticket, 'CANCELLED')
    }
  })

const remove = (index: number): Step =>
  step(`delete(${index})`, async (model, { node, agent }) => {
    const ticket = pick(model, index)
    if (!ticket) return
    const code = await codeOf(() => deleteOrder(node.db, agent, ticket.id, 'model'))
    if (model.isClosed) expect(code).toBe('use_void')
    else if (!live(ticket)) expect(code).toBe('invalid_status')
    else {
      expect(code).toBeUndefined()
      end(model, ticket, 'DELETED')
    }
  })

const void2 = (index: number): Step =>
  step(`void(${index})`, async (model, { node, office }) => {
    const ticket = pick(model, index)
    if (!ticket) return
    const code = await codeOf(() => voidByTwo(node.db, office, `order:${ticket.id}`))
    if (!model.isClosed) expect(code).toBe('period_still_open')
    else if (!live(ticket)) expect(code).toBe('invalid_status')
    else {
      expect(code).toBeUndefined()
      end(model, ticket, 'DELETED')
    }
  })

const changeCredit = (who: number, limit: number): Step =>
  step(`credit(${who}, ${limit})`, async (model, { node, agent, members }) => {
    const code = await codeOf(() =>
      changeAs(node.db, agent, changeCreditLimit, { user_id: members[who]!.user_id, credit_limit_satang: limit }),
    )
    if (limit + model.cash[who]! < 0) {
      expect(code).toBe('not_enough_to_give')
      return
    }
    expect(code).toBeUndefined()
    model.limits[who] = limit
  })

/** The office changes the discount of a bet type. */
const changeDiscount = (type: Type, percent: number): Step =>
  step(`discount(${type}, ${percent})`, async (model, { app }) => {
    await setDiscount(app.owner, type, percent)
    const { least, most } = model.discounts[type]
    model.discounts[type] = { now: percent, least: Math.min(least, percent), most: Math.max(most, percent) }
  })

async function setDiscount(owner: Db, type: Type, percent: number): Promise<void> {
  await sql`update package_terms set discount_rate = ${percent * 100} from packages
    where packages.package_id = package_terms.package_id and product_code = 'thai-government' and package_code = '70'
      and bet_type = ${type}`.execute(owner)
}

export const setByHand = (type: Type, number: string, set_to: 'open' | 'half' | 'closed'): Step =>
  step(`set(${type}, ${number}, ${set_to})`, async (model, { node, office }) => {
    const setting = { period_code: model.period_code, bet_type: type, number, set_to }
    const code = await codeOf(() => changeAs(node.db, office[0]!.user_id, setLimitNumber, setting))
    expect(code).toBe(model.isClosed ? 'period_closed' : undefined)
    if (!model.isClosed) model.set.set(keyOf(type, number), set_to)
  })

const close = (): Step =>
  step('close', async (model, { node }) => {
    const code = await codeOf(() => closeEarly(node.db, model.period_code))
    expect(code).toBe(model.isClosed ? 'period_closed' : undefined)
    model.isClosed = true
  })

const passDeadlines = (): Step =>
  step('expire', async (model, { node }) => {
    await confirmOverdueOrders(node.db)
    if (model.isClosed) expire(model)
  })

/** Settles a closed period and opens the next. */
const settle = (top3: string): Step =>
  step(`settle(${top3})`, async (model, { app, node, office }) => {
    const result = { first_prize: `000${top3}`, top3, bottom2: '00', front3: ['000', '001'], back3: ['002', '003'] }
    const entry = { period_code: model.period_code, date: dayOf(model.period_code), result }
    if (model.isClosed) await holdDraw(app.owner, model.period_code)
    const first = await codeOf(() => enterAward(node.db, { actor_id: office[0]!.user_id }, entry))
    expect(first).toBe(model.isClosed ? undefined : 'period_still_open')
    if (!model.isClosed) return
    await enterAward(node.db, { actor_id: office[1]!.user_id }, entry)
    await settleDuePeriods(node.db)
    expire(model)
    for (const ticket of model.tickets) {
      if (ticket.status !== 'CONFIRMED') continue
      for (const line of ticket.lines) if (isWinner(line, top3)) ticket.win += (line.received * line.rate) / 100
      model.cash[ticket.who]! += ticket.win
    }
    model.earlierTickets.push(...model.tickets)
    await openNext(model, app.owner)
  })

/** The next period of both, without tickets. */
export async function openNext(model: Model, owner: Db): Promise<void> {
  Object.assign(model, {
    period_code: await openPeriod(owner),
    isClosed: false,
    set: new Map(),
    tickets: [],
    cancelled: [0, 0],
    takenBack: [0, 0],
  })
}

// ---- what is tried ----

const who = fc.nat({ max: 1 })
const numberOf = (type: Type) => (type === '2top' ? fc.constantFrom('11', '23') : fc.constantFrom('111', '123', '321'))
const type = fc.constantFrom<Type>('3top', '3roll', '2top')
const requestedLine = type.chain((chosen) =>
  fc.record({
    type: fc.constant(chosen),
    number: numberOf(chosen),
    baht: fc.integer({ min: 5, max: 120 }),
    rateSeen: fc.oneof(
      { weight: 8, arbitrary: fc.constant<number>(prices[chosen].rate) },
      { weight: 1, arbitrary: fc.constantFrom(1, 99_999) },
    ),
  }),
)
const request = fc.record<Request>({
  lines: fc.array(requestedLine, { minLength: 1, maxLength: 4 }),
  seen: fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom<Request['seen'][]>('absent', 'now', 'least', 'most') },
    { weight: 1, arbitrary: fc.constant('never offered') },
  ),
  on_change: fc.constantFrom('accept_if_not_worse', 'accept_if_not_worse', 'ask', 'accept'),
})

const index = fc.nat(50)
const setNumber = type
  .chain((chosen) =>
    fc.tuple(
      fc.constant(chosen),
      numberOf(chosen),
      fc.constantFrom('open' as const, 'half' as const, 'closed' as const),
    ),
  )
  .map(([chosen, number, set_to]) => setByHand(chosen, number, set_to))

/** All steps. Placing tickets is most frequent; a node dies now and then. */
export const steps: fc.WeightedArbitrary<Step>[] = [
  { weight: 6, arbitrary: fc.tuple(who, request).map(([member, requested]) => create(member, requested)) },
  {
    weight: 3,
    arbitrary: fc
      .tuple(index, fc.array(fc.boolean(), { minLength: 1, maxLength: 4 }))
      .map(([ticket, returned]) => confirm(ticket, returned)),
  },
  { weight: 2, arbitrary: index.map((ticket) => confirm(ticket, [true])) },
  { weight: 3, arbitrary: index.map(cancel) },
  { weight: 3, arbitrary: index.map(remove) },
  { weight: 2, arbitrary: index.map(void2) },
  {
    weight: 3,
    arbitrary: fc.tuple(who, fc.integer({ min: 0, max: 60_000 })).map(([member, limit]) => changeCredit(member, limit)),
  },
  { weight: 3, arbitrary: setNumber },
  {
    weight: 2,
    arbitrary: fc.tuple(type, fc.constantFrom(0, 20, 28)).map(([chosen, percent]) => changeDiscount(chosen, percent)),
  },
  { weight: 2, arbitrary: fc.constant(close()) },
  { weight: 2, arbitrary: fc.constant(passDeadlines()) },
  { weight: 3, arbitrary: fc.constantFrom('123', '111', '231', '999').map(settle) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(who, request, fc.nat(40))
      .map(([member, requested, ticks]) => restart(member, requested, ticks)),
  },
]
