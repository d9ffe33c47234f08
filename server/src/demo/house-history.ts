// Sixty days of tickets, placed by members according to their habits. All are accepted in full: quotas and credit are
// far above the stakes. `seed-house.ts` writes them.

import { cancelUntilMs } from '@megalot/rules'
import { bangkokDayOf, bangkokInstant } from '../lib/bangkok.ts'
import { type MemberHabit, memberHabits } from './house-habits.ts'
import type { HouseMarket, HousePeriod } from './house-periods.ts'
import { popularNumbersOf } from './house-quotas.ts'
import { makeSlip, type SlipLine } from './house-slips.ts'
import { createRandom, type Random } from './random.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

export interface HouseTicket {
  username: string
  period_code: string
  package_code: string
  note: string
  placed_ms: number
  lines: readonly SlipLine[]
  /** Set if the ticket was taken back before the close. */
  removed: { by: string; at_ms: number; reason: string | null } | null
}

const notes = ['', '', '', '', '', '', '', 'ฝากป้าแดง', 'ของน้องนิด', 'เลขฝัน', 'งวดนี้ขอแก้มือ', 'ทะเบียนรถ', 'หวยหุ้นเช้า']

/** @returns tickets in the order of placing; the same for the same instant */
export function makeTickets(
  markets: readonly HouseMarket[],
  periods: readonly HousePeriod[],
  now: Date,
  days: number,
): HouseTicket[] {
  const random = createRandom('history')
  const betTypes = new Map(markets.map(({ product_code, bet_types }) => [product_code, bet_types]))
  const tickets: HouseTicket[] = []
  for (let day = days; day >= 0; day -= 1) {
    const from_ms = bangkokInstant(bangkokDayOf(now), '00:00', -day).getTime()
    const offers = listOffers(periods, from_ms)
    for (const habit of memberHabits)
      for (let left = habit.tickets_a_day * (0.5 + random.next()); random.chance(left); left -= 1) {
        const period = pickPeriod(random, habit, offers)
        const placed_ms = period && chooseMoment(random, period, from_ms)
        if (!placed_ms || placed_ms > +now - MINUTE_MS) continue
        const { period_code, product_code } = period
        const lines = makeSlip(random, habit, betTypes.get(product_code)!, popularNumbersOf(period_code))
        const { username, package_code } = habit
        const ticket = { username, package_code, period_code, note: random.pick(notes), placed_ms, lines }
        tickets.push({ ...ticket, removed: findRemoval(random, ticket, period, now) })
      }
  }
  deleteOne(tickets, periods, now)
  return tickets.toSorted((one, other) => one.placed_ms - other.placed_ms)
}

/** Per market, the periods that close on a day or the next. */
function listOffers(periods: readonly HousePeriod[], from_ms: number): Map<string, HousePeriod[]> {
  const offers = new Map<string, HousePeriod[]>()
  for (const period of periods) {
    const { product_code, open_at, close_at } = period
    if (+close_at < from_ms + 6 * HOUR_MS || +close_at > from_ms + 2 * DAY_MS || +open_at > from_ms + 22 * HOUR_MS)
      continue
    const known = offers.get(product_code)
    if (known) known.push(period)
    else offers.set(product_code, [period])
  }
  return offers
}

/** Undefined if none of the member's markets is offered. */
function pickPeriod(
  random: Random,
  { markets }: MemberHabit,
  offers: ReadonlyMap<string, readonly HousePeriod[]>,
): HousePeriod | undefined {
  const choices = Object.entries(markets).flatMap(([product_code, weight]) => {
    const offered = offers.get(product_code)
    if (!offered) return []
    // Markets drawn twice a month get larger bets.
    const isRare = +offered[0]!.close_at - +offered[0]!.open_at > 7 * DAY_MS
    return [[offered, isRare ? 4 * weight : weight] as const]
  })
  return choices.length > 0 ? random.pick(random.pickWeighted(choices)) : undefined
}

/** Most bets come shortly before the close, and none at night. */
function chooseMoment(random: Random, { open_at, close_at }: HousePeriod, from_ms: number): number {
  const earliest = Math.max(+open_at + MINUTE_MS, from_ms + 6.5 * HOUR_MS)
  const latest = Math.min(+close_at - MINUTE_MS, from_ms + 25.5 * HOUR_MS)
  if (latest <= earliest) return Math.round((+open_at + +close_at) / 2)
  const span = Math.min(latest - earliest, 10 * HOUR_MS)
  return Math.round(latest - span * random.next() ** 2)
}

/** Members cancel a few tickets in time. */
function findRemoval(
  random: Random,
  { username, placed_ms }: Pick<HouseTicket, 'username' | 'placed_ms'>,
  { close_at }: HousePeriod,
  now: Date,
): HouseTicket['removed'] {
  const at_ms = placed_ms + random.between(1, 25) * MINUTE_MS
  const isInTime = at_ms < cancelUntilMs(placed_ms, +close_at) && at_ms < +now
  return random.chance(0.03) && isInTime ? { by: username, at_ms, reason: null } : null
}

/** An agent deletes one of the latest tickets. */
function deleteOne(tickets: HouseTicket[], periods: readonly HousePeriod[], now: Date): void {
  const closes = new Map(periods.map(({ period_code, close_at }) => [period_code, +close_at]))
  const found = tickets.findLast(
    ({ username, period_code, placed_ms, removed }) =>
      username === 'member06' && !removed && Math.min(closes.get(period_code)!, +now) > placed_ms + 8 * MINUTE_MS,
  )
  if (!found) return
  const at_ms = found.placed_ms + 7 * MINUTE_MS
  found.removed = { by: 'agent01', at_ms, reason: 'ลูกค้าโทรมาขอลบ พิมพ์เลขผิด' }
}
