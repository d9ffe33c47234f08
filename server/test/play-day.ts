// A draw day in progress: two nodes, all users' sessions, and a record of each ticket.

import type { NumberSetting } from '@megalot/contract'
import type { BetTypeCode } from '@megalot/rules'
import { expect } from 'vitest'
import { startExposureFollower } from '../src/exposure/index.ts'
import { getPeriodRecord } from '../src/markets/index.ts'
import { type Db, openDatabase, readClock } from '../src/postgres/db.ts'
import {
  addPlayers,
  addTree,
  levelNames,
  placeOn,
  planTicket,
  type PlannedTicket,
  type PlayedNode,
  type Player,
} from './day-players.ts'
import { type DayTicket, netOfTicket, recordPlaced, winOfTicket } from './day-record.ts'
import { closeAtFileEnd } from './file-end.ts'
import { findCaller, openNode, repeat, type TestUser } from './nodes.ts'
import { analyzeTables, readCash, readTickets, type StoredTicket } from './read-day.ts'
import type { Random } from './report-histories.ts'
import { discountOf, isLive, type Line, type PeriodRecord, type Terms } from './report-model.ts'
import { dayOf, limitNumbers, openPeriod, rates70 } from './scenes.ts'
import { appOn, startTestApp, type TestApp, type TestCaller } from './test-app.ts'

/** Maximum number of tickets in flight. */
const LANES = 64
/**
 * One in this many is placed over HTTP, which costs more than intake itself; one in this many is repeated on the other
 * node.
 */
const EACH_OVER_HTTP = 20
const EACH_TWICE = 30

/** Limits the office sets by hand: the first when betting opens, the others during the day. */
export const setByHand: readonly { bet_type: BetTypeCode; number: string; set_to: NumberSetting }[] = [
  { bet_type: '2top', number: '00', set_to: 'half' },
  { bet_type: '3top', number: '123', set_to: 'closed' },
  { bet_type: '2bottom', number: '12', set_to: 'closed' },
  { bet_type: '3roll', number: '134', set_to: 'closed' },
  { bet_type: '2top', number: '77', set_to: 'half' },
  { bet_type: '3top', number: '589', set_to: 'half' },
]

/** The bet type with a quota. A ticket on a nearly full number costs intake much more. */
export const LIMITED: BetTypeCode = '3top'

export interface DrawDay {
  app: TestApp
  nodes: [PlayedNode, PlayedNode]
  random: Random
  players: Player[]
  /** From the company down. */
  levels: TestUser[]
  uplinesOf: Map<number, number[]>
  /** Sessions of players and levels by user id. */
  callers: Map<number, TestCaller>
  /** Each of the two works on its own node. */
  office: [TestCaller, TestCaller]
  /** The drawn period and the voided one. */
  drawn: PeriodRecord
  voided: PeriodRecord
  tickets: Map<number, DayTicket>
  /** Sent tickets, by the resulting ticket's id. */
  sent: Map<number, PlannedTicket>
  /** Refused tickets by code. */
  refusals: Record<string, number>
  /** Problems reported by both nodes' exposure jobs. */
  bookProblems: unknown[]
  stopFollowers(): Promise<void>
}

/** @param full what a number of `LIMITED` of the drawn market accepts at the full rate; half of that at half the rate */
export async function openDrawDay(random: Random, playerCount: number, full: number): Promise<DrawDay> {
  const app = await startTestApp()
  const second = openDatabase({ url: app.url, role: 'megalot_app', maxConnections: 10 })
  closeAtFileEnd(() => second.close())
  const other = await appOn({ ...app, ...second })
  const nodes: DrawDay['nodes'] = [
    { ...openNode(app.url), app },
    { ...openNode(app.url), app: other },
  ]
  const terms = await addTree(app)
  const players = await addPlayers(app, playerCount)
  const levels = await Promise.all(levelNames.map((name) => findCaller(app.db, name)))
  const callers = new Map<number, TestCaller>()
  const people = [...players, ...levels]
  await repeat(people.length, 4, async (index) => {
    const { username, user_id } = people[index]!
    callers.set(user_id, await nodes[index % 2]!.app.logIn(username))
  })
  await limitNumbers(app.db, LIMITED, full, full / 2)
  const users = await app.owner.selectFrom('users').select(['user_id', 'upline_ids']).execute()
  return {
    app,
    nodes,
    random,
    players,
    levels,
    uplinesOf: new Map(users.map(({ user_id, upline_ids }) => [user_id, upline_ids])),
    callers,
    office: [await app.logIn('office01'), await other.logIn('office02')],
    drawn: await openNow(app, 'thai-government', terms),
    voided: await openNow(app, 'lao-pattana', terms),
    tickets: new Map(),
    sent: new Map(),
    refusals: {},
    ...startFollowers(nodes),
  }
}

/** A period that opens now, so that the shares are in force when it does. */
async function openNow({ db, owner }: TestApp, product: string, terms: Map<number, Terms>): Promise<PeriodRecord> {
  const opensAt = new Date((await readClock(db)).getTime() + 1)
  const code = await openPeriod(owner, product, 3_600_000, opensAt)
  const { period_id, close_at } = await getPeriodRecord(db, code)
  const head = { period_id, code, product, date: dayOf(code), closeAt: close_at.toISOString(), terms }
  return { ...head, results: [], isClosed: false, isVoid: false }
}

function startFollowers(nodes: readonly PlayedNode[]): Pick<DrawDay, 'bookProblems' | 'stopFollowers'> {
  const bookProblems: unknown[] = []
  const onProblem = (problem: unknown): void => void bookProblems.push(problem)
  const followers = nodes.map(({ db }) => startExposureFollower({ db, onError: onProblem, onDifference: onProblem }))
  const stopFollowers = async () => {
    for (const follower of followers) await follower.stop()
  }
  closeAtFileEnd(stopFollowers)
  return { bookProblems, stopFollowers }
}

export const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

export const ticketsOf = ({ tickets }: DrawDay, period: PeriodRecord): DayTicket[] =>
  [...tickets.values()].filter((ticket) => ticket.period === period)

/** Both nodes do it at the same time. */
export async function onBothNodes({ nodes }: DrawDay, work: (db: Db) => Promise<unknown>): Promise<void> {
  await Promise.all(nodes.map(({ db }) => work(db)))
}

/** A third node begins the work, and dies soon after. */
export async function killDuring({ app }: DrawDay, work: (db: Db) => Promise<unknown>): Promise<void> {
  const third = openNode(app.url)
  const dying = work(third.db).catch(() => {})
  for (let ticks = 60; ticks > 0; ticks -= 1) await new Promise(setImmediate)
  await third.kill()
  await dying
}

/** Tickets of all players in turn, except the last, whose tickets the test chooses. */
export function planTickets({ players, random }: DrawDay, count: number, { code }: PeriodRecord): PlannedTicket[] {
  return Array.from({ length: count }, (_, index) => planTicket(random, players[index % (players.length - 1)]!, code))
}

/**
 * Places tickets on both nodes at once.
 * @param atHalf run once half of them were sent, while others are in flight
 */
export async function placeAll(
  { nodes, callers, sent, refusals }: DrawDay,
  planned: readonly PlannedTicket[],
  atHalf?: () => Promise<void>,
): Promise<void> {
  // Few enough that the first are placed before the last are sent.
  const lanes = Math.min(LANES, Math.ceil(planned.length / 8))
  await repeat(planned.length, lanes, async (index) => {
    if (index === Math.floor(planned.length / 2)) await atHalf?.()
    const ticket = planned[index]!
    const [node, other] = index % 2 === 0 ? nodes : [nodes[1], nodes[0]]
    const isOverHttp = index % EACH_OVER_HTTP === 0
    const placed = await placeOn(node, ticket, isOverHttp ? callers.get(ticket.player.user_id) : undefined)
    if (typeof placed === 'string') {
      refusals[placed] = (refusals[placed] ?? 0) + 1
      return
    }
    sent.set(placed, ticket)
    // As after a lost reply.
    if (index % EACH_TWICE === 1) expect(await placeOn(other, ticket, undefined)).toBe(placed)
  })
}

const ascending = (number: string): string => [...number].toSorted().join('')

function settingOf(type: string, number: string): NumberSetting | undefined {
  const isSame = (set: string) => (type === '3roll' ? ascending(set) === ascending(number) : set === number)
  return setByHand.find((one) => one.bet_type === type && isSame(one.number))?.set_to
}

/** Whether the house decided correctly about a line. */
function isRightlyDecided(line: Line, isHalf: boolean, isLimited: boolean, isAfterSetting: boolean): boolean {
  const { type, number, bet, received, rate } = line
  const full = rates70[type as BetTypeCode]
  const half = Math.round(full / 2)
  if (received < 0 || received > bet || rate !== (isHalf ? half : full)) return false
  if (!isLimited) return received === bet && !isHalf
  const setting = isAfterSetting ? settingOf(type, number) : undefined
  if (setting === 'closed') return received === 0
  return setting !== 'half' || received === 0 || isHalf
}

const linesOf = ({ types, numbers, bets, received, rates }: StoredTicket): Line[] =>
  types.map((type, index) => ({
    type,
    number: numbers[index]!,
    bet: bets[index]!,
    received: received[index]!,
    rate: rates[index]!,
    isReturned: false,
  }))

/**
 * Records new tickets of a period as placed: exactly those sent and not refused.
 * @param isAfterSetting they were sent after numbers were set by hand
 */
export async function recordTickets(day: DrawDay, period: PeriodRecord, isAfterSetting = false): Promise<void> {
  const { sent, tickets } = day
  await analyzeTables(day.app.owner)
  const stored = await readTickets(day.app.owner, period.code)
  const ids = [...sent].filter(([, { body }]) => body.period_code === period.code).map(([order_id]) => order_id)
  expect(stored.map(({ order_id }) => order_id)).toEqual(ids.toSorted((one, other) => one - other))
  const wrong: StoredTicket[] = []
  for (const one of stored) {
    if (tickets.has(one.order_id)) continue
    const { player, body } = sent.get(one.order_id)!
    const lines = linesOf(one)
    const asked = body.items.map(({ bet_type, number, bet_satang }) => `${bet_type} ${number} ${bet_satang}`)
    const isAsked = lines.map(({ type, number }, at) => `${type} ${number} ${one.asked[at]}`).join() === asked.join()
    const isDecided = lines.every(
      (line, at) =>
        isRightlyDecided(line, one.halves[at]!, period === day.drawn, isAfterSetting) &&
        one.discounts[at] === discountOf(line),
    )
    if (one.user_id !== player.user_id || one.request_id !== body.request_id || !isAsked || !isDecided) wrong.push(one)
    const { order_id: id, user_id, status } = one
    tickets.set(id, recordPlaced({ id, user_id, username: player.username, period, status, lines }))
  }
  expect(wrong.slice(0, 3)).toEqual([])
}

/** Compares each stored ticket, and each player's cash and entries, with the record. */
export async function compareWithRecord({ app, tickets, players, drawn, voided }: DrawDay): Promise<void> {
  const wrong: unknown[] = []
  for (const period of [drawn, voided])
    for (const one of await readTickets(app.owner, period.code)) {
      const ticket = tickets.get(one.order_id)!
      const result = isLive(ticket) ? period.results.at(-1) : undefined
      const received = ticket.lines.map((line) => (line.isReturned ? 0 : line.received))
      const wins = ticket.lines.map((line) => (result ? winOfTicket({ ...ticket, lines: [line] }, result) : 0))
      const isSame = one.received.join() === received.join() && one.wins.join() === wins.join()
      if (one.status !== ticket.status || !isSame) wrong.push({ one, status: ticket.status, received, wins })
    }
  expect(wrong.slice(0, 3)).toEqual([])
  const expected = new Map(players.map(({ user_id }) => [user_id, 0]))
  for (const ticket of tickets.values()) {
    // Statements show it as part of the balance, but it is on a separate account.
    const held = ticket.status === 'WAIT_CONFIRM' ? netOfTicket(ticket) : 0
    expected.set(ticket.user_id, expected.get(ticket.user_id)! + ticket.moved - held)
  }
  const cash = await readCash(app.owner)
  const found = players.map(({ user_id }) => cash.get(user_id)!)
  expect(found).toEqual(
    players.map(({ user_id }) => ({ balance_satang: expected.get(user_id), entries_satang: expected.get(user_id) })),
  )
}
