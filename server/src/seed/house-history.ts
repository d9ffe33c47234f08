// Simulates sixty days of a house in order of time: members bet, confirm, return and cancel, periods are settled, one
// result is corrected, one ticket is deleted and one voided. Nothing is written here: `simulated-house.ts` has the
// accounts in memory, and `write-history.ts` writes the result.

import { cancelUntilMs, confirmDeadlineMs } from '@megalot/rules'
import { bangkokDayOf, bangkokInstant } from '../platform/bangkok.ts'
import type { MemberHabit } from './house-habits.ts'
import { type CreditRaise, type HouseRules, type HouseTicket, SimulatedHouse } from './simulated-house.ts'
import type { HousePeriod } from './house-periods.ts'
import { type DemoNumberSetting, listNumberSettings, type PopularNumbers, popularNumbersOf } from './house-quotas.ts'
import { makeSlip } from './house-slips.ts'
import { createRandom, type Random } from './random.ts'
import { createTimeline, type Timeline } from './timeline.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

export interface HistoryPlan {
  now: Date
  days: number
  habits: readonly MemberHabit[]
  periods: readonly HousePeriod[]
  rules: HouseRules
}

export interface HouseHistory {
  /** In the order in which they were placed. */
  tickets: readonly HouseTicket[]
  raises: readonly CreditRaise[]
  corrected: CorrectedPeriod | null
  /** Stakes less discounts less wins of all settled periods, and the expected value of it. */
  house_win_satang: number
  expected_win_satang: number
}

/** The period with a result that was announced wrong at first, and corrected later. */
export interface CorrectedPeriod {
  period_code: string
  wrong_bottom2: string
  entered_ms: number
  repeated_ms: number
  settled_ms: number
}

const notes = ['', '', '', '', '', '', '', 'ฝากป้าแดง', 'ของน้องนิด', 'เลขฝัน', 'งวดนี้ขอแก้มือ', 'ทะเบียนรถ', 'หวยหุ้นเช้า']

interface Board {
  popular: PopularNumbers
  settings: readonly DemoNumberSetting[]
}

interface Simulation {
  plan: HistoryPlan
  random: Random
  house: SimulatedHouse
  timeline: Timeline
  /** By day. */
  offers: readonly DayOffers[]
  boards: Map<string, Board>
  /** Events that happen once in a history. */
  rare: { deleted: boolean; voided: boolean; corrected: CorrectedPeriod | null }
}

/**
 * Simulates the history several times with different seeds and returns the first one in which the house has won about
 * as much as its rates predict: over sixty days chance matters more than the rates.
 */
export function buildHistory(plan: HistoryPlan): HouseHistory {
  const shared = { offers: listOffers(plan), boards: new Map<string, Board>() }
  let best: HouseHistory | undefined
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const history = simulateHistory(plan, shared, `history ${attempt}`)
    if (!best || deviation(history) < deviation(best)) best = history
    if (deviation(best) < TOLERATED_DEVIATION) break
  }
  return best!
}

const MAX_ATTEMPTS = 8
const TOLERATED_DEVIATION = 0.5

/** The difference between the house's win and the expected one, as a part of the expected one. */
function deviation({ house_win_satang, expected_win_satang }: HouseHistory): number {
  return Math.abs(house_win_satang - expected_win_satang) / Math.max(1, expected_win_satang)
}

/** The period of a market to bet on at a day: the one that closes on it, or the next one. */
interface Offer {
  periods: HousePeriod[]
  /** The factor on a member's own weight of the market: less is bet on a draw that is some days off. */
  weight: number
}

/** By market. */
type DayOffers = ReadonlyMap<string, readonly Offer[]>

/** The offers on each day of the history and today. */
function listOffers({ now, days, periods }: HistoryPlan): DayOffers[] {
  const sorted = periods
    .map((period) => ({ period, open_ms: period.open_at.getTime(), close_ms: period.close_at.getTime() }))
    .toSorted((one, other) => one.close_ms - other.close_ms)
  return Array.from({ length: days + 1 }, (_, day) => {
    const from_ms = startOf(now, days) + day * DAY_MS
    const ofDay = new Map<string, Offer>()
    const next = new Map<string, Offer>()
    for (const { period, open_ms, close_ms } of sorted) {
      if (close_ms <= from_ms + 6 * HOUR_MS || open_ms >= from_ms + 22 * HOUR_MS) continue
      const { product_code } = period
      const known = ofDay.get(product_code)
      // More is bet on a market that is drawn twice a month.
      const rarity = close_ms - open_ms > 7 * DAY_MS ? 4 : 1
      if (close_ms > from_ms + 26 * HOUR_MS) {
        const weight = known || close_ms > from_ms + 2.2 * DAY_MS ? 1 / 8 : 1 / 2
        if (!next.has(product_code)) next.set(product_code, { periods: [period], weight: rarity * weight })
      } else if (known) known.periods.push(period)
      else ofDay.set(product_code, { periods: [period], weight: rarity })
    }
    const products = new Set([...ofDay.keys(), ...next.keys()])
    return new Map(
      [...products].map((code) => [code, [ofDay.get(code), next.get(code)].filter((offer) => offer !== undefined)]),
    )
  })
}

/** The midnight at which the history begins, in Bangkok. */
function startOf(now: Date, days: number): number {
  return bangkokInstant(bangkokDayOf(now), '00:00', -days).getTime()
}

function simulateHistory(plan: HistoryPlan, shared: Pick<Simulation, 'offers' | 'boards'>, seed: string): HouseHistory {
  const simulation: Simulation = {
    plan,
    random: createRandom(seed),
    house: new SimulatedHouse(plan.rules),
    timeline: createTimeline(),
    ...shared,
    /** Events that happen once in a history. */
    rare: { deleted: false, voided: false, corrected: null },
  }
  for (const period of plan.periods) {
    if (period.draw) simulation.timeline.add(+period.draw.settled_at, () => settle(simulation, period))
    if (period.voided) simulation.timeline.add(+period.voided.finished_at, () => simulation.house.refund(period))
  }
  for (const habit of plan.habits) planTickets(simulation, habit)
  simulation.timeline.runUntil(+plan.now)
  return {
    tickets: simulation.house.tickets,
    raises: simulation.house.raises,
    corrected: simulation.rare.corrected,
    ...simulation.house.sumUp(),
  }
}

/** Plans a member's bets of each day on the timeline. */
function planTickets(simulation: Simulation, habit: MemberHabit): void {
  const { plan, random, timeline, offers } = simulation
  for (const [day, offer] of offers.entries()) {
    const from_ms = startOf(plan.now, plan.days) + day * DAY_MS
    const target = habit.tickets_a_day * (0.5 + random.next())
    const count = Math.floor(target) + (random.chance(target % 1) ? 1 : 0)
    const choices = habit.markets.flatMap(([product_code, weight]) =>
      (offer.get(product_code) ?? []).map((one): [Offer, number] => [one, weight * one.weight]),
    )
    for (let nth = 0; nth < count && choices.length > 0; nth += 1) {
      const period = random.pick(random.pickWeighted(choices).periods)
      const at_ms = chooseMoment(random, period, from_ms)
      if (at_ms < +plan.now - MINUTE_MS) timeline.add(at_ms, () => place(simulation, habit, period, at_ms))
    }
  }
}

/** Most bets come shortly before the close, and none at night. */
function chooseMoment(random: Random, { open_at, close_at }: HousePeriod, from_ms: number): number {
  const earliest = Math.max(+open_at + MINUTE_MS, from_ms + 6.5 * HOUR_MS)
  const latest = Math.min(+close_at - MINUTE_MS, from_ms + 25.5 * HOUR_MS)
  if (latest <= earliest) return Math.round((+open_at + +close_at) / 2)
  const span = Math.min(latest - earliest, 10 * HOUR_MS)
  return Math.round(latest - span * random.next() ** 2)
}

/** One ticket, and its later events. */
function place(simulation: Simulation, habit: MemberHabit, period: HousePeriod, at_ms: number): void {
  const { random, house } = simulation
  const board = boardOf(simulation, period)
  const slip = makeSlip(random, habit, { bet_types: house.betTypesOf(period.product_code), ...board })
  const note = random.pick(notes)
  const ticket = house.place({ habit, period, at_ms, slip, note, settings: board.settings })
  if (!ticket) return
  if (ticket.status === 'WAIT_CONFIRM') planDecision(simulation, period, ticket)
  else planEnd(simulation, period, ticket)
}

/** The popular numbers of a period, and the office's manual settings because of them. */
function boardOf({ boards }: Simulation, { product_code, period_code }: HousePeriod): Board {
  const known = boards.get(period_code)
  if (known) return known
  const popular = popularNumbersOf(period_code)
  const board = { popular, settings: listNumberSettings(product_code, popular) }
  boards.set(period_code, board)
  return board
}

/** A member is asked: most confirm soon, some return items or everything, and some never answer. */
function planDecision({ random, house, timeline }: Simulation, period: HousePeriod, ticket: HouseTicket): void {
  const deadline_ms = confirmDeadlineMs(ticket.placed_ms, +period.close_at)
  const at_ms = ticket.placed_ms + random.between(1, 14) * MINUTE_MS
  const answer = random.pickWeighted([
    ['confirm', 60],
    ['return_some', 14],
    ['return_all', 5],
    ['cancel', 5],
    ['silence', 16],
  ] as const)
  if (answer === 'silence' || at_ms >= deadline_ms) {
    timeline.add(deadline_ms, () => house.expire(ticket, deadline_ms))
    return
  }
  timeline.add(at_ms, () => {
    if (answer === 'cancel') house.cancel(ticket, at_ms)
    else house.confirm(ticket, at_ms, answer)
  })
}

/** A confirmed ticket: a few are cancelled in time, one is deleted by its agent, one voided by the office. */
function planEnd(simulation: Simulation, period: HousePeriod, ticket: HouseTicket): void {
  const { random, house, timeline, plan, rare } = simulation
  const ago = (days: number): number => +plan.now - Math.min(days, plan.days * 0.8) * DAY_MS
  const close_ms = +period.close_at
  const { username, placed_ms } = ticket
  if (!rare.deleted && username === 'member06' && placed_ms > ago(9) && close_ms > placed_ms + 20 * MINUTE_MS) {
    rare.deleted = true
    const at_ms = placed_ms + 7 * MINUTE_MS
    timeline.add(at_ms, () => house.deleteTicket(ticket, { by: 'agent01', at_ms, reason: 'ลูกค้าโทรมาขอลบ พิมพ์เลขผิด' }))
    return
  }
  const isLongDrawn = +period.draw_at - close_ms >= 10 * MINUTE_MS && period.draw !== null
  if (!rare.voided && username === 'member13' && placed_ms > ago(6) && isLongDrawn) {
    rare.voided = true
    const request = { by: 'office01', at_ms: close_ms + 3 * MINUTE_MS, reason: 'เอเยนต์ส่งโพยซ้ำ ตรวจสอบแล้ว' }
    const at_ms = close_ms + 6 * MINUTE_MS
    timeline.add(at_ms, () => house.voidTicket(ticket, request, { by: 'office02', at_ms, reason: 'ยืนยันโพยซ้ำ' }))
    return
  }
  const at_ms = placed_ms + random.between(1, 25) * MINUTE_MS
  if (random.chance(0.03) && at_ms < cancelUntilMs(placed_ms, close_ms))
    timeline.add(at_ms, () => house.cancel(ticket, at_ms))
}

/** Pays a period; one of them by a wrong result, which is corrected within the hour. */
function settle(simulation: Simulation, period: HousePeriod): void {
  const { house, plan, timeline, rare } = simulation
  const { result, settled_at } = period.draw!
  const wrong_bottom2 =
    rare.corrected === null && isToBeCorrected(plan, period) ? house.findBottomOf('member02', period) : null
  if (wrong_bottom2 === null || wrong_bottom2 === result.bottom2) {
    house.settle(period, result)
    return
  }
  const [entered_ms, repeated_ms, settled_ms] = [40, 42, 42.01].map((minutes) => +settled_at + minutes * MINUTE_MS)
  rare.corrected = {
    period_code: period.period_code,
    wrong_bottom2,
    entered_ms: entered_ms!,
    repeated_ms: repeated_ms!,
    settled_ms: settled_ms!,
  }
  house.settle(period, { ...result, bottom2: wrong_bottom2 })
  timeline.add(settled_ms!, () => house.settle(period, result))
}

function isToBeCorrected(plan: HistoryPlan, { product_code, draw }: HousePeriod): boolean {
  const age_ms = +plan.now - +draw!.settled_at
  return product_code.startsWith('hanoi') && age_ms < 4 * DAY_MS && age_ms > HOUR_MS
}
