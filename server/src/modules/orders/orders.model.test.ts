// Goal: whatever order things happen in, the product does what a small model of it says, which shares no code with it.
// The model keeps tickets, quotas and money in plain arrays and decides in its own words.

import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { findBrokenInvariants } from '../../../test/invariants.ts'
import { dayOf, openPeriod } from '../../../test/scenes.ts'
import { startTestApp, type TestApp } from '../../../test/test-app.ts'
import type { Caller } from '../../platform/caller.ts'
import { Refusal } from '../../platform/refusal.ts'
import { changeCreditLimit, getCreditInfo } from '../accounts/accounts.service.ts'
import { enterAward } from '../awards/awards.service.ts'
import { settleDuePeriods } from '../awards/settlement.service.ts'
import { closePeriod } from '../markets/markets.service.ts'
import { setLimitNumber, setQuota } from '../quotas/quotas.service.ts'
import { cancelOrder, confirmOrder, deleteOrder, expireDueOrders, voidOrder } from './order-life.service.ts'
import { createIntake, type Intake } from './orders.intake.ts'
import { getOrder } from './orders.service.ts'

const RUNS = Number(process.env.MODEL_RUNS ?? 100)
const STEPS = Number(process.env.MODEL_STEPS ?? 50)

const FULL = 10_000
const HALF = 5_000
const START_LIMIT = 40_000
const prices = {
  '3top': { rate: 55_000, discount: 33 },
  '3roll': { rate: 10_500, discount: 33 },
  '2top': { rate: 7_000, discount: 28 },
} as const
type Type = keyof typeof prices

interface ModelLine {
  type: Type
  number: string
  asked: number
  bet: number
  received: number
  rate: number
  isClosed: boolean
}

interface ModelTicket {
  id: number
  who: number
  status: string
  lines: ModelLine[]
  win: number
}

interface Model {
  limits: number[]
  cash: number[]
  held: number[]
  period_code: string
  isClosed: boolean
  /** Number set by hand, as `type digits`. */
  set: Map<string, string>
  tickets: ModelTicket[]
  cancelled: number[]
  /** Tickets of earlier periods, for the last look. */
  past: ModelTicket[]
}

interface World {
  product: TestApp
  intake: Intake
  members: Caller[]
  agent: Caller
  office: Caller[]
}

let world: World

beforeAll(async () => {
  const product = await startTestApp()
  const callerOf = async (username: string, changes: Partial<Caller>): Promise<Caller> => {
    const { user_id } = await product.logIn(username)
    return { user_id, session_id: 0, username, level: 'member', is_office: false, status: 'NORMAL', ...changes }
  }
  world = {
    product,
    intake: createIntake(product.db),
    members: [],
    agent: await callerOf('agent01', { level: 'agent' }),
    office: [await callerOf('office01', { is_office: true }), await callerOf('office02', { is_office: true })],
  }
  for (let number = 1; number <= 2; number += 1) world.members.push(await callerOf(`member0${number}`, {}))
  for (const bet_type of ['3top', '3roll'] as const)
    await setQuota(product.db, world.office[0]!.user_id, {
      product_code: 'thai-government',
      bet_type,
      full_satang: FULL,
      half_satang: HALF,
    })
})

// ---- the model's own words ----

const sorted = (digits: string) => digits.split('').toSorted().join('')
const keyOf = (type: Type, number: string) => `${type} ${type === '3roll' ? sorted(number) : number}`
const live = (ticket: ModelTicket) => ticket.status === 'CONFIRMED' || ticket.status === 'WAIT_CONFIRM'
const net = (line: ModelLine) => (line.received * (100 - prices[line.type].discount)) / 100
const netOf = (ticket: ModelTicket) => ticket.lines.reduce((total, line) => total + net(line), 0)

function taken(model: Model, key: string): number {
  let total = 0
  for (const ticket of model.tickets)
    if (live(ticket)) for (const line of ticket.lines) if (keyOf(line.type, line.number) === key) total += line.received
  return total
}

function isWinner(line: ModelLine, top3: string): boolean {
  if (line.type === '3top') return line.number === top3
  if (line.type === '3roll') return sorted(line.number) === sorted(top3)
  return line.number === top3.slice(1)
}

interface WantedLine {
  type: Type
  number: string
  baht: number
  rateSeen: number
}

/** What the model says of a new ticket: the code of a refusal, or the lines as taken. */
function decide(model: Model, who: number, wanted: readonly WantedLine[]): string | ModelLine[] {
  if (model.isClosed) return 'period_closed'
  const full = wanted.reduce((total, { type, baht }) => total + baht * (100 - prices[type].discount), 0)
  if (full > model.limits[who]! + model.cash[who]!) return 'not_enough_credit'
  const lines: ModelLine[] = []
  for (const { type, number, baht } of wanted) {
    const key = keyOf(type, number)
    const before =
      taken(model, key) +
      lines.filter((line) => keyOf(line.type, line.number) === key).reduce((total, line) => total + line.received, 0)
    const setting = model.set.get(key) ?? 'open'
    const asked = baht * 100
    let received = asked
    let rate: number = prices[type].rate
    if (setting === 'closed') received = 0
    else if (type === '2top') {
      if (setting === 'half') rate /= 2
    } else if (setting !== 'half' && before < FULL) received = Math.min(asked, FULL - before)
    else {
      received = Math.min(asked, Math.max(0, FULL + HALF - before))
      if (received > 0) rate /= 2
    }
    lines.push({ type, number, asked, bet: asked, received, rate, isClosed: received === 0 })
  }
  return lines.every((line) => line.isClosed) ? 'all_numbers_closed' : lines
}

// ---- the steps ----

type Step = fc.AsyncCommand<Model, World>

/** The code of the refusal, or undefined when it went through. */
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

const create = (who: number, wanted: readonly WantedLine[]): Step =>
  step(`create(${who}, ${JSON.stringify(wanted)})`, async (model, { intake, members }) => {
    const decided = decide(model, who, wanted)
    const ticket = {
      request_id: randomUUID(),
      period_code: model.period_code,
      package_code: '70',
      items: wanted.map(({ type, number, baht, rateSeen }) => ({
        bet_type: type,
        number,
        bet_satang: baht * 100,
        rate: rateSeen,
      })),
      user_id: members[who]!.user_id,
      content_hash: Buffer.alloc(32),
    }
    let id = 0
    const code = await codeOf(async () => {
      id = await intake.placeTicket(ticket)
      // Sent again, as after a lost reply: the same ticket.
      expect(await intake.placeTicket(ticket)).toBe(id)
    })
    if (typeof decided === 'string') {
      expect(code).toBe(decided)
      return
    }
    expect(code).toBeUndefined()
    const asks = decided.some((line, index) => line.received < line.asked || line.rate < wanted[index]!.rateSeen)
    const made = { id, who, status: asks ? 'WAIT_CONFIRM' : 'CONFIRMED', lines: decided, win: 0 }
    model.tickets.push(made)
    model.cash[who]! -= netOf(made)
    if (asks) model.held[who]! += netOf(made)
  })

/** Picks one of the period's tickets. */
const pick = (model: Model, index: number) => model.tickets[index % Math.max(1, model.tickets.length)]

const confirm = (index: number, returned: readonly boolean[]): Step =>
  step(`confirm(${index}, ${returned.join()})`, async (model, { product, members }) => {
    const ticket = pick(model, index)
    if (!ticket) return
    // An item of which nothing was taken is named with 0, and 0 returns it.
    const goesBack = (at: number) => ticket.lines[at]!.received === 0 || returned[at % returned.length]!
    const items = ticket.lines.map((line, at) => ({ line_no: at + 1, bet_satang: goesBack(at) ? 0 : line.received }))
    const code = await codeOf(() => confirmOrder(product.db, members[ticket.who]!, ticket.id, items))
    if (ticket.status !== 'WAIT_CONFIRM') {
      expect(code).toBe('invalid_status')
      return
    }
    if (model.isClosed) {
      expect(code).toBe('confirm_over')
      return
    }
    expect(code).toBeUndefined()
    const isAll = ticket.lines.every((_line, at) => goesBack(at))
    model.held[ticket.who]! -= netOf(ticket)
    ticket.lines.forEach((line, at) => {
      if (!goesBack(at)) return
      model.cash[ticket.who]! += net(line)
      // A ticket that ended keeps its amounts to be seen.
      if (!isAll) line.bet = line.received = 0
    })
    ticket.status = isAll ? 'CANCELLED' : 'CONFIRMED'
  })

const cancel = (index: number): Step =>
  step(`cancel(${index})`, async (model, { product, members }) => {
    const ticket = pick(model, index)
    if (!ticket) return
    const code = await codeOf(() => cancelOrder(product.db, members[ticket.who]!, ticket.id, ticket.status as never))
    if (!live(ticket)) expect(code).toBe('invalid_status')
    else if (ticket.status === 'WAIT_CONFIRM' && model.isClosed) expect(code).toBe('confirm_over')
    else if (ticket.status === 'CONFIRMED' && model.isClosed) expect(code).toBe('too_close_to_close')
    else if (ticket.status === 'CONFIRMED' && model.cancelled[ticket.who]! >= 10)
      expect(code).toBe('too_many_cancelled')
    else {
      expect(code).toBeUndefined()
      if (ticket.status === 'WAIT_CONFIRM') model.held[ticket.who]! -= netOf(ticket)
      else model.cancelled[ticket.who]! += 1
      model.cash[ticket.who]! += netOf(ticket)
      ticket.status = 'CANCELLED'
    }
  })

const remove = (index: number): Step =>
  step(`delete(${index})`, async (model, { product, agent }) => {
    const ticket = pick(model, index)
    if (!ticket) return
    const code = await codeOf(() => deleteOrder(product.db, agent, ticket.id, 'model'))
    if (model.isClosed) expect(code).toBe('use_void')
    else if (!live(ticket)) expect(code).toBe('invalid_status')
    else {
      expect(code).toBeUndefined()
      end(model, ticket)
    }
  })

function end(model: Model, ticket: ModelTicket): void {
  if (ticket.status === 'WAIT_CONFIRM') model.held[ticket.who]! -= netOf(ticket)
  model.cash[ticket.who]! += netOf(ticket)
  ticket.status = 'DELETED'
}

const void2 = (index: number): Step =>
  step(`void(${index})`, async (model, { product, office }) => {
    const ticket = pick(model, index)
    if (!ticket) return
    const first = await codeOf(() => voidOrder(product.db, office[0]!, ticket.id, 'model'))
    const second = await codeOf(() => voidOrder(product.db, office[1]!, ticket.id, 'model'))
    if (!model.isClosed) expect([first, second]).toEqual(['period_still_open', 'period_still_open'])
    else if (!live(ticket)) expect([first, second]).toEqual(['invalid_status', 'invalid_status'])
    else {
      expect([first, second]).toEqual([undefined, undefined])
      end(model, ticket)
    }
  })

const changeCredit = (who: number, limit: number): Step =>
  step(`credit(${who}, ${limit})`, async (model, { product, agent, members }) => {
    const code = await codeOf(() => changeCreditLimit(product.db, agent, members[who]!.user_id, limit))
    if (limit + model.cash[who]! < 0) {
      expect(code).toBe('not_enough_to_give')
      return
    }
    expect(code).toBeUndefined()
    model.limits[who] = limit
  })

const setByHand = (type: Type, number: string, set_to: 'open' | 'half' | 'closed'): Step =>
  step(`set(${type}, ${number}, ${set_to})`, async (model, { product, office }) => {
    const body = { bet_type: type, number, set_to }
    const code = await codeOf(() => setLimitNumber(product.db, office[0]!.user_id, model.period_code, body))
    expect(code).toBe(model.isClosed ? 'period_closed' : undefined)
    if (!model.isClosed) model.set.set(keyOf(type, number), set_to)
  })

const close = (): Step =>
  step('close', async (model, { product }) => {
    const code = await codeOf(() => closePeriod(product.db, null, model.period_code, 'model'))
    expect(code).toBe(model.isClosed ? 'period_closed' : undefined)
    model.isClosed = true
  })

function expireInModel(model: Model): void {
  for (const ticket of model.tickets)
    if (ticket.status === 'WAIT_CONFIRM') {
      ticket.status = 'CONFIRMED'
      model.held[ticket.who]! -= netOf(ticket)
    }
}

const expire = (): Step =>
  step('expire', async (model, { product }) => {
    await expireDueOrders(product.db)
    if (model.isClosed) expireInModel(model)
  })

/** Settles a closed period and opens the next. */
const settle = (top3: string): Step =>
  step(`settle(${top3})`, async (model, { product, office }) => {
    const result = { first_prize: `000${top3}`, top3, bottom2: '00', front3: ['000', '001'], back3: ['002', '003'] }
    const entry = { period_code: model.period_code, date: dayOf(model.period_code), result }
    const first = await codeOf(() => enterAward(product.db, office[0]!.user_id, entry))
    expect(first).toBe(model.isClosed ? undefined : 'period_still_open')
    if (!model.isClosed) return
    await enterAward(product.db, office[1]!.user_id, entry)
    await settleDuePeriods(product.db)
    expireInModel(model)
    for (const ticket of model.tickets) {
      if (ticket.status !== 'CONFIRMED') continue
      for (const line of ticket.lines) if (isWinner(line, top3)) ticket.win += (line.received * line.rate) / 100
      model.cash[ticket.who]! += ticket.win
    }
    model.past.push(...model.tickets)
    await openNext(model, product)
  })

async function openNext(model: Model, product: TestApp): Promise<void> {
  Object.assign(model, {
    period_code: await openPeriod(product.db),
    isClosed: false,
    set: new Map(),
    tickets: [],
    cancelled: [0, 0],
  })
}

const restart = (): Step =>
  step('restart', async (_model, real) => {
    // A node keeps nothing but its queue: another one takes over.
    real.intake = createIntake(real.product.db)
  })

// ---- what is tried ----

const who = fc.nat({ max: 1 })
const numberOf = (type: Type) => (type === '2top' ? fc.constantFrom('11', '23') : fc.constantFrom('111', '123', '321'))
const type = fc.constantFrom<Type>('3top', '3roll', '2top')
const wantedLine = type.chain((chosen) =>
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
const steps: fc.Arbitrary<Step>[] = [
  fc.tuple(who, fc.array(wantedLine, { minLength: 1, maxLength: 4 })).map(([member, lines]) => create(member, lines)),
  fc.tuple(who, fc.array(wantedLine, { minLength: 1, maxLength: 4 })).map(([member, lines]) => create(member, lines)),
  fc
    .tuple(fc.nat(50), fc.array(fc.boolean(), { minLength: 1, maxLength: 4 }))
    .map(([index, returned]) => confirm(index, returned)),
  fc.nat(50).map(cancel),
  fc.nat(50).map(remove),
  fc.nat(50).map(void2),
  fc.tuple(who, fc.integer({ min: 0, max: 60_000 })).map(([member, limit]) => changeCredit(member, limit)),
  type
    .chain((chosen) =>
      fc.tuple(
        fc.constant(chosen),
        numberOf(chosen),
        fc.constantFrom('open' as const, 'half' as const, 'closed' as const),
      ),
    )
    .map(([chosen, number, set_to]) => setByHand(chosen, number, set_to)),
  fc.constant(close()),
  fc.constant(expire()),
  fc.constantFrom('123', '111', '231', '999').map(settle),
  fc.constant(restart()),
]

test(`${RUNS} runs of ${STEPS} steps do what the model says`, { timeout: 600_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.commands(steps, { maxCommands: STEPS, size: 'max' }), async (commands) => {
      const model = await startModel()
      await fc.asyncModelRun(() => ({ model, real: world }), commands)
      await compare(model)
    }),
    { numRuns: RUNS, endOnFailure: true },
  )
  expect(await findBrokenInvariants(world.product.owner)).toEqual({})
})

/** Both members as they stand after earlier runs, with a fresh limit above what they owe, and a fresh period. */
async function startModel(): Promise<Model> {
  const model: Model = {
    limits: [],
    cash: [],
    held: [0, 0],
    period_code: '',
    isClosed: false,
    set: new Map(),
    tickets: [],
    cancelled: [0, 0],
    past: [],
  }
  await expireDueOrders(world.product.db)
  for (const [index, { user_id }] of world.members.entries()) {
    const { balance_satang } = await getCreditInfo(world.product.db, user_id)
    const limit = START_LIMIT + Math.max(0, -balance_satang)
    await changeCreditLimit(world.product.db, world.agent, user_id, limit)
    model.limits[index] = limit
    model.cash[index] = balance_satang
  }
  // Money left waiting by an earlier run's open period stays there: the model begins beside it.
  for (const [index, { user_id }] of world.members.entries()) {
    const { held_satang } = await getCreditInfo(world.product.db, user_id)
    model.cash[index]! -= held_satang
    model.held[index] = held_satang
  }
  await openNext(model, world.product)
  return model
}

async function compare(model: Model): Promise<void> {
  for (const [index, member] of world.members.entries()) {
    const credit = await getCreditInfo(world.product.db, member.user_id)
    expect({ limit: credit.credit_limit_satang, held: credit.held_satang, balance: credit.balance_satang }).toEqual({
      limit: model.limits[index],
      held: model.held[index],
      balance: model.cash[index]! + model.held[index]!,
    })
  }
  for (const ticket of [...model.past, ...model.tickets]) {
    const order = await getOrder(world.product.db, world.members[ticket.who]!, ticket.id)
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
