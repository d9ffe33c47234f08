// Whenever a demo is started, its history is plausible: nothing is in the future, and every ticket was in time.

import { betOfSlot, checkDrawResult, quotaSlotOf, resultForms } from '@megalot/rules'
import { describe, expect, test } from 'vitest'
import { findExchangeSession } from '../../test/exchange-sessions.ts'
import { catalogue } from '../markets/index.ts'
import { generateResult } from './demo-results.ts'
import { makeTickets } from './house-history.ts'
import { housePeople } from './house-people.ts'
import { planHousePeriods } from './house-periods.ts'
import { listDefaultQuotas } from './house-quotas.ts'
import { readPastDraws } from './past-draws.ts'

const real_until = (await readPastDraws()).at(-1)!.date
const markets = catalogue.map((market) => ({ ...market, exchange: findExchangeSession(market.exchange) }))

function play(now: Date, days: number) {
  const periods = planHousePeriods(markets, real_until, now, days)
  return { now, periods, tickets: makeTickets(markets, periods, now, days) }
}

/**
 * Different hours of the day, on days with and without a government draw, over a new year, and while real draws are
 * known.
 */
const starts = [
  ['2026-11-16T17:10:00Z', 'just after midnight'],
  ['2026-11-16T21:30:00Z', 'at half past four, when only Lao VIP takes bets'],
  ['2026-03-01T08:25:00Z', 'between close and draw of the government lottery'],
  ['2026-01-02T05:00:00Z', 'at noon, with real draws in the past'],
  ['2027-02-28T14:25:00Z', 'between the close of Lao VIP and its next opening'],
] as const

describe.each(starts)('a history that ends %s, %s', (start, _name) => {
  const { now, periods, tickets } = play(new Date(start), 90)
  const periodOf = new Map(periods.map((period) => [period.period_code, period]))

  test('has open periods', () => {
    expect(periods.some(({ open_at, close_at }) => open_at <= now && close_at > now)).toBe(true)
  })

  test('has every ticket in time, in order, and nothing in the future', () => {
    for (const { period_code, placed_ms, removed } of tickets) {
      const { open_at, close_at } = periodOf.get(period_code)!
      const end_ms = Math.min(+close_at, +now)
      expect(placed_ms >= +open_at && placed_ms < end_ms).toBe(true)
      expect(!removed || (removed.at_ms > placed_ms && removed.at_ms < end_ms)).toBe(true)
    }
    expect(tickets.map(({ placed_ms }) => placed_ms)).toEqual(
      tickets.map(({ placed_ms }) => placed_ms).toSorted((one, other) => one - other),
    )
  })

  test('has cancelled tickets, one deleted, and tickets on open periods', () => {
    expect(tickets.some(({ removed, username }) => removed?.by === username)).toBe(true)
    expect(tickets.filter(({ removed }) => removed?.by === 'agent01').length).toBe(1)
    expect(tickets.some(({ period_code }) => periodOf.get(period_code)!.close_at > now)).toBe(true)
  })

  test('leaves member01 without a history, and every other member with one', () => {
    const bettors = new Set(tickets.map(({ username }) => username))
    const members = housePeople.filter(({ level }) => level === 'member').map(({ username }) => username)
    expect(members.filter((username) => !bettors.has(username))).toEqual(['member01'])
  })

  // So the generator needs to track neither.
  test('stakes less than members have credit, and than the quotas accept at the full rate', () => {
    const [ofMembers, ofNumbers] = [new Map<string, number>(), new Map<string, number>()]
    const add = (sums: Map<string, number>, key: string, satang: number) => sums.set(key, (sums.get(key) ?? 0) + satang)
    for (const { username, period_code, lines } of tickets)
      for (const { slot, bet_satang } of lines) {
        add(ofMembers, username, bet_satang)
        add(ofNumbers, `${period_code} ${quotaSlotOf(slot)}`, bet_satang)
      }
    for (const { username, credit } of housePeople) expect(ofMembers.get(username) ?? 0).toBeLessThan(credit * 100 || 1)
    for (const [key, satang] of ofNumbers) {
      const { bet_type } = betOfSlot(Number(key.split(' ')[1]))!
      const quota = listDefaultQuotas(periodOf.get(key.split(' ')[0]!)!.product_code, [bet_type])[0]!
      expect(satang).toBeLessThanOrEqual(quota.full_satang)
    }
  })

  test('is mostly two digits and small stakes', () => {
    const lines = tickets.flatMap((ticket) => ticket.lines)
    const ofTwo = lines.filter(({ slot }) => betOfSlot(slot)!.bet_type.startsWith('2')).length
    const small = lines.filter(({ bet_satang }) => bet_satang <= 5_000).length
    expect(ofTwo / lines.length).toBeGreaterThan(0.6)
    expect(small / lines.length).toBeGreaterThan(0.75)
  })
})

test('the same start gives the same history', () => {
  const now = new Date('2026-11-22T08:00:00Z')
  expect(play(now, 10)).toEqual(play(now, 10))
})

describe('past periods', () => {
  test('exclude the known draws of the government lottery', () => {
    const { periods } = play(new Date('2026-01-20T05:00:00Z'), 60)
    const government = periods.filter(({ product_code, result }) => product_code === 'thai-government' && result)
    expect(government.map(({ period_date }) => period_date)).toEqual(['2026-01-01', '2026-01-16'])
  })

  test('a generated result is always the same, has the form of its market, and every number occurs', () => {
    const codes = Array.from({ length: 3_000 }, (_, round) => `yeekee-20260101-${round + 1}`)
    const results = codes.map((code) => generateResult(code, 'three_and_two'))
    expect(codes.map((code) => generateResult(code, 'three_and_two'))).toEqual(results)
    expect(Object.keys(results[0]!)).toEqual(['top3', 'bottom2'])
    expect(new Set(results.map(({ bottom2 }) => bottom2)).size).toBe(100)
    expect(new Set(results.map(({ top3 }) => top3)).size).toBeGreaterThan(900)
    const government = generateResult('thai-government-20300101', 'government')
    expect(government.first_prize).toMatch(/^\d{6}$/)
    expect(government.top3).toBe(government.first_prize!.slice(3))
    expect([government.front3!.length, government.back3!.length]).toEqual([2, 2])
    for (const form of resultForms)
      for (const code of codes.slice(0, 100)) expect(checkDrawResult(generateResult(code, form), form)).toEqual([])
  })
})

describe('people of the house', () => {
  const personOf = new Map(housePeople.map((person) => [person.username, person]))

  test('have the published log-ins, and are on five levels', () => {
    const members = housePeople.filter(({ level }) => level === 'member').map(({ username }) => username)
    expect(members).toEqual(Array.from({ length: 24 }, (_, index) => `member${String(index + 1).padStart(2, '0')}`))
    expect(personOf.get('member01')!.parent).toBe('agent01')
    for (const username of ['company', 'office01', 'office02', 'senior01', 'master01', 'master02'])
      expect(personOf.has(username)).toBe(true)
    const levels = new Set(housePeople.map(({ level }) => level))
    expect([...levels].toSorted()).toEqual(['agent', 'company', 'master', 'member', 'senior'])
  })
})
