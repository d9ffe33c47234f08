// Random histories of periods: bets, partial acceptance, cancels, deletes, voids, settlements, corrections. Decisions
// of the application are read from its replies. Their consequences are recorded in plain lists, which `report-model.ts`
// sums up.

import { closeEarly } from './changes.ts'
import type { DrawResult } from '@megalot/rules'
import { correctAward, enterAward, refundPeriod, settlePeriod } from '../src/results/index.ts'
import { cancelOrder, confirmOrder, deleteOrder, getOrder, placeTicket } from '../src/betting/index.ts'
import { addDays, bangkokDayOf, bangkokInstant } from '../src/lib/bangkok.ts'
import type { Db } from '../src/postgres/db.ts'
import { Refusal } from '../src/lib/refusal.ts'
import type { Node } from './nodes.ts'
import {
  isLive,
  type Movement,
  netOf,
  type PeriodRecord,
  type Result,
  type Terms,
  type Ticket,
  winOf,
} from './report-model.ts'
import { addPeriod, holdDraw, toNewTicket, makeTicket, rates70 } from './scenes.ts'
import type { TestUser } from './nodes.ts'
import { approveVoid, proposeVoid, voidByTwo } from './voids.ts'

/** Everything that has happened. */
export interface RecordedHistory {
  periods: PeriodRecord[]
  tickets: Ticket[]
  movements: Map<number, Movement[]>
  /** Returns of received lines, and ends of tickets, in the order of each ticket. */
  changes: TicketChange[]
  /** Corrections in the order in which they were settled. */
  corrections: { period: PeriodRecord; before: Result; after: Result }[]
}

export interface TicketChange {
  ticket: Ticket
  event: 'confirm' | 'return_all' | 'cancel' | 'delete' | 'void'
  given_back: number
}

export interface World {
  node: Node
  /** The database as its owner. */
  owner: Db
  office: readonly [TestUser, TestUser]
  history: RecordedHistory
  /** The terms of every level now. */
  terms: ReadonlyMap<number, Terms>
}

/** Numbers from 0 to below 1, the same for the same seed. */
export type Random = () => number

export function randomOf(seed: number): Random {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

export const below = (random: Random, limit: number): number => Math.floor(random() * limit)
export const pick = <Value>(random: Random, values: readonly Value[]): Value => values[below(random, values.length)]!

export const products = ['thai-government', 'lao-pattana', 'hanoi-vip'] as const

const threes = ['123', '321', '111', '112']
const numbers: Readonly<Record<string, readonly string[]>> = {
  '3top': threes,
  '3roll': threes,
  '3front': threes,
  '3bottom': threes,
  '2top': ['11', '12', '23'],
  '2bottom': ['11', '12', '50'],
  '2roll': ['12', '11', '32'],
  '1top': ['1', '2'],
  '1bottom': ['1', '5'],
}
const typesOf = (product: string): string[] =>
  Object.keys(numbers).filter((type) => product === 'thai-government' || !['3front', '3bottom'].includes(type))

function randomResult(random: Random, product: string): Result {
  const top3 = pick(random, ['123', '111', '321', '212', '999'])
  const any = () => pick(random, [...threes, '777', '888'])
  // Lao publishes four digits, which determine both numbers.
  const bottom2 = product === 'lao-pattana' ? `1${top3[0]}` : pick(random, ['12', '11', '50', '99'])
  return { first_prize: `000${top3}`, top3, bottom2, front3: [any(), any()], back3: [any(), any()] }
}

/** A result as its market announces it. */
function announced(product: string, result: Result): DrawResult {
  if (product === 'thai-government') return result
  const { top3, bottom2 } = result
  return { first_prize: product === 'lao-pattana' ? `1${top3}` : `00${top3}`, top3, bottom2 }
}

async function openPeriod({ owner, history, terms }: World, random: Random): Promise<PeriodRecord> {
  const product = pick(random, products)
  const date = addDays(bangkokDayOf(new Date()), 1 + below(random, 40))
  const times = {
    open_at: new Date(),
    close_at: bangkokInstant(date, '15:20'),
    draw_at: bangkokInstant(date, '15:40'),
  }
  const { period_id, period_code } = await addPeriod(owner, product, date, times)
  const period: PeriodRecord = {
    period_id,
    code: period_code,
    product,
    date,
    closeAt: times.close_at.toISOString(),
    terms,
    results: [],
    isClosed: false,
    isVoid: false,
  }
  history.periods.push(period)
  return period
}

/** Whether it succeeded; a refused action changes nothing. */
async function done(action: () => Promise<unknown>): Promise<boolean> {
  try {
    await action()
    return true
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  }
}

function note(
  { history }: World,
  { id, user_id, period }: Ticket,
  kind: Movement['kind'],
  amount: number,
  held = 0,
): void {
  const own = history.movements.get(user_id) ?? []
  own.push({ kind, order_id: id, product: period.product, amount, held })
  history.movements.set(user_id, own)
}

const netOfAll = (ticket: Ticket): number => ticket.lines.reduce((sum, line) => sum + netOf(line), 0)

async function place(world: World, random: Random, period: PeriodRecord, member: TestUser): Promise<void> {
  const items = new Map<string, { bet_type: string; number: string; bet_satang: number; rate: number }>()
  for (let left = 1 + below(random, 4); left > 0; left -= 1) {
    const bet_type = pick(random, typesOf(period.product))
    const number = pick(random, numbers[bet_type]!)
    const bet_satang = 100 * (5 + below(random, 150))
    items.set(`${bet_type} ${number}`, {
      bet_type,
      number,
      bet_satang,
      rate: rates70[bet_type as keyof typeof rates70],
    })
  }
  const body = makeTicket(period.code, { items: [...items.values()] as never })
  let id = 0
  const isPlaced = await done(async () => {
    const ticket = toNewTicket(member, body)
    id = (await placeTicket(world.node.intake, ticket)).order_id
  })
  if (!isPlaced) return
  const order = await getOrder(world.node.db, member, id)
  const ticket: Ticket = {
    id,
    user_id: member.user_id,
    period,
    status: order.status as Ticket['status'],
    lines: order.items.map((item) => ({
      type: item.bet_type,
      number: item.number,
      bet: item.bet_satang,
      received: item.received_satang,
      rate: item.rate,
      isReturned: false,
    })),
  }
  world.history.tickets.push(ticket)
  const net = netOfAll(ticket)
  if (net > 0)
    if (ticket.status === 'CONFIRMED') note(world, ticket, 'bet', -net)
    else note(world, ticket, 'bet_hold', 0, net)
}

async function confirm(world: World, random: Random, ticket: Ticket, member: TestUser): Promise<void> {
  const isBack = ticket.lines.map((line) => line.received === 0 || random() < 0.4)
  const items = ticket.lines.map((line, at) => ({ line_no: at + 1, bet_satang: isBack[at] ? 0 : line.received }))
  if (!(await done(() => confirmOrder(world.node.db, member, ticket.id, items)))) return
  const back = ticket.lines.reduce((sum, line, at) => sum + (isBack[at] ? netOf(line) : 0), 0)
  const stays = netOfAll(ticket) - back
  if (back > 0) note(world, ticket, 'bet_release', 0, -back)
  if (stays > 0) note(world, ticket, 'bet', -stays, -stays)
  const isWhole = isBack.every(Boolean)
  if (isWhole || back > 0)
    world.history.changes.push({ ticket, event: isWhole ? 'return_all' : 'confirm', given_back: back })
  if (isWhole) ticket.status = 'CANCELLED'
  else {
    ticket.status = 'CONFIRMED'
    ticket.lines.forEach((line, at) => (line.isReturned = isBack[at]!))
  }
}

async function end(world: World, ticket: Ticket, event: 'cancel' | 'delete' | 'void', action: () => Promise<unknown>) {
  if (!(await done(action))) return
  const net = netOfAll(ticket)
  world.history.changes.push({ ticket, event, given_back: net })
  if (net > 0)
    if (ticket.status === 'CONFIRMED') note(world, ticket, 'refund', net)
    else note(world, ticket, 'bet_release', 0, -net)
  ticket.status = event === 'cancel' ? 'CANCELLED' : 'DELETED'
}

async function close({ node }: World, period: PeriodRecord): Promise<void> {
  if (await done(() => closeEarly(node.db, period.code))) period.isClosed = true
}

const ticketsOf = ({ history }: World, period: PeriodRecord): Ticket[] =>
  history.tickets.filter((ticket) => ticket.period === period)

async function settle(world: World, random: Random, period: PeriodRecord): Promise<void> {
  const { node, office, owner } = world
  const result = randomResult(random, period.product)
  const entry = { period_code: period.code, date: period.date, result: announced(period.product, result) }
  await holdDraw(owner, period.code)
  await enterAward(node.db, { actor_id: office[0].user_id }, entry)
  await enterAward(node.db, { actor_id: office[1].user_id }, entry)
  await settlePeriod(node.db, period.period_id, 1 + below(random, 5))
  period.results.push(result)
  const tickets = ticketsOf(world, period).toSorted((one, other) => one.id - other.id)
  for (const ticket of tickets)
    if (ticket.status === 'WAIT_CONFIRM') {
      ticket.status = 'CONFIRMED'
      if (netOfAll(ticket) > 0) note(world, ticket, 'bet', -netOfAll(ticket), -netOfAll(ticket))
    }
  for (const ticket of tickets) {
    const win = isLive(ticket) ? ticket.lines.reduce((sum, line) => sum + winOf(line, result), 0) : 0
    if (win > 0) note(world, ticket, 'win', win)
  }
}

/** Voids a period, open or closed, instead of settling it. */
async function voidWhole(world: World, random: Random, period: PeriodRecord): Promise<void> {
  const { node, office } = world
  await voidByTwo(node.db, office, `period:${period.code}`)
  await refundPeriod(node.db, period.period_id, 1 + below(random, 5))
  period.isClosed = true
  const tickets = ticketsOf(world, period).toSorted((one, other) => one.id - other.id)
  for (const ticket of tickets)
    if (ticket.status === 'WAIT_CONFIRM') {
      ticket.status = 'CONFIRMED'
      if (netOfAll(ticket) > 0) note(world, ticket, 'bet', -netOfAll(ticket), -netOfAll(ticket))
    }
  for (const ticket of tickets)
    if (isLive(ticket) && netOfAll(ticket) > 0) note(world, ticket, 'refund', netOfAll(ticket))
  period.isVoid = true
}

/** Replaces the last result by another one. */
export async function correct(world: World, random: Random, period: PeriodRecord): Promise<void> {
  const { node, office, history } = world
  const before = period.results.at(-1)!
  const after = randomResult(random, period.product)
  const entry = { period_code: period.code, result: announced(period.product, after), reason: 'history' }
  if (!(await done(() => correctAward(node.db, { actor_id: office[1].user_id }, entry)))) return
  await correctAward(node.db, { actor_id: office[0].user_id }, entry)
  await settlePeriod(node.db, period.period_id, 1 + below(random, 5))
  period.results.push(after)
  history.corrections.push({ period, before, after })
  for (const ticket of ticketsOf(world, period).toSorted((one, other) => one.id - other.id)) {
    if (!isLive(ticket) || ticket.lines.every((line) => winOf(line, before) === winOf(line, after))) continue
    const total = (result: Result) => ticket.lines.reduce((sum, line) => sum + winOf(line, result), 0)
    if (total(before) > 0) note(world, ticket, 'reversal', -total(before))
    if (total(after) > 0) note(world, ticket, 'win', total(after))
  }
}

/**
 * One period with random events. Its members bet nowhere else meanwhile.
 * @param compare called from time to time, and at the end
 */
export async function runHistory(
  world: World,
  random: Random,
  members: readonly TestUser[],
  agentOf: (member: TestUser) => TestUser,
  compare: (period: PeriodRecord) => Promise<void>,
): Promise<void> {
  const { node, office } = world
  const period = await openPeriod(world, random)
  const callerOf = (ticket: Ticket): TestUser => members.find((member) => member.user_id === ticket.user_id)!
  for (let left = 2 + below(random, 6); left > 0; left -= 1) {
    await place(world, random, period, pick(random, members))
    const ticket = pick(random, ticketsOf(world, period).filter(isLive))
    if (!ticket) continue
    const action = random()
    if (ticket.status === 'WAIT_CONFIRM' && action < 0.5) await confirm(world, random, ticket, callerOf(ticket))
    else if (action < 0.6) {
      const { status } = ticket
      await end(world, ticket, 'cancel', () => cancelOrder(node.db, callerOf(ticket), ticket.id, status))
    } else if (action < 0.7)
      await end(world, ticket, 'delete', () => deleteOrder(node.db, agentOf(callerOf(ticket)), ticket.id, 'history'))
  }
  if (random() < 0.2) await compare(period)
  if (random() < 0.95) await close(world, period)
  if (period.isClosed && random() < 0.3) {
    const ticket = pick(random, ticketsOf(world, period).filter(isLive))
    if (ticket) {
      const approval_id = await proposeVoid(node.db, office[0], `order:${ticket.id}`)
      await end(world, ticket, 'void', () => approveVoid(node.db, office[1], approval_id))
    }
  }
  if (random() < 0.1) await compare(period)
  if (random() < 0.1) await voidWhole(world, random, period)
  else if (period.isClosed && random() < 0.9) await settle(world, random, period)
  while (period.results.length > 0 && random() < 0.3) await correct(world, random, period)
  await compare(period)
}
