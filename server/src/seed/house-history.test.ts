// Goal: whenever a demo is started, its history is plausible: nothing lies in the future, every ticket was in time, and
// the house has won about what its rates predict.

import { betOfSlot, checkDrawResult, resultForms } from '@megalot/rules'
import { describe, expect, test } from 'vitest'
import { catalogue, cataloguePackages, maxSatangOf, MIN_SATANG } from '../modules/markets/index.ts'
import { generateResult } from './demo-results.ts'
import { memberHabits } from './house-habits.ts'
import { buildHistory } from './house-history.ts'
import { returnOf } from './house-odds.ts'
import { housePeople, laterShares, withoutPackages } from './house-people.ts'
import { findExchangeSession } from '../../test/exchange-sessions.ts'
import { planHousePeriods } from './house-periods.ts'
import { listDefaultQuotas } from './house-quotas.ts'
import { type PastDraw, readPastDraws } from './past-draws.ts'
import type { HouseRules } from './simulated-house.ts'

const rules: HouseRules = {
  markets: new Map(
    catalogue.map(({ product_code, bet_types }) => [
      product_code,
      {
        bet_types,
        quotas: listDefaultQuotas(product_code, bet_types),
        terms: new Map(
          cataloguePackages.map(({ package_code, terms }) => [
            package_code,
            new Map(
              bet_types.map((bet_type) => [
                bet_type,
                {
                  bet_type,
                  ...terms[bet_type],
                  min_satang: MIN_SATANG,
                  max_satang: maxSatangOf(bet_type),
                  max_per_number_satang: maxSatangOf(bet_type) * 10,
                  is_on: true,
                },
              ]),
            ),
          ]),
        ),
      },
    ]),
  ),
  credit_limits: new Map(housePeople.map(({ username, credit }) => [username, credit * 100])),
}

const draws = await readPastDraws()
const markets = catalogue.map((market) => ({ ...market, exchange: findExchangeSession(market.exchange) }))

function play(now: Date, days: number, known: readonly PastDraw[] = draws) {
  const periods = planHousePeriods(markets, known, now, days)
  return { now, periods, history: buildHistory({ now, days, habits: memberHabits, periods, rules }) }
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
  const { now, periods, history } = play(new Date(start), 60)
  const periodOf = new Map(periods.map((period) => [period.period_code, period]))

  test('has open periods', () => {
    expect(periods.some(({ open_at, close_at }) => open_at <= now && close_at > now)).toBe(true)
  })

  test('has every ticket in time, and all its events in the past', () => {
    for (const { period_code, placed_ms, events } of history.tickets) {
      const { open_at, close_at } = periodOf.get(period_code)!
      expect(placed_ms >= open_at.getTime() && placed_ms < close_at.getTime() && placed_ms < now.getTime()).toBe(true)
      for (const { at_ms } of events) expect(at_ms >= placed_ms && at_ms <= now.getTime()).toBe(true)
    }
    expect(history.tickets.map(({ placed_ms }) => placed_ms)).toEqual(
      history.tickets.map(({ placed_ms }) => placed_ms).toSorted((one, other) => one - other),
    )
  })

  test('has a ticket of each kind', () => {
    const kinds = new Set(history.tickets.flatMap(({ events }) => events.map(({ event }) => event)))
    expect([...kinds].toSorted()).toEqual(['cancel', 'confirm', 'delete', 'expire', 'return_all', 'void'])
    expect(
      history.tickets.some(({ status, returned_lines }) => status === 'CONFIRMED' && returned_lines.length > 0),
    ).toBe(true)
    expect(history.corrected).not.toBeNull()
    expect(periods.filter(({ voided }) => voided).length).toBe(1)
  })

  test('shows a house that has won about the expected amount', () => {
    const { house_win_satang, expected_win_satang } = history
    // A few percent of the stakes, as the rates predict.
    const staked = history.tickets.flatMap(({ lines }) => lines).reduce((sum, line) => sum + line.net_satang, 0)
    expect(expected_win_satang / staked).toBeGreaterThan(0.05)
    expect(expected_win_satang / staked).toBeLessThan(0.15)
    expect(house_win_satang / expected_win_satang).toBeGreaterThan(0.4)
    expect(house_win_satang / expected_win_satang).toBeLessThan(1.6)
  })

  test('leaves member01 without a history, and every other member with one', () => {
    const bettors = new Set(history.tickets.map(({ username }) => username))
    const members = housePeople.filter(({ level }) => level === 'member').map(({ username }) => username)
    expect(members.filter((username) => !bettors.has(username))).toEqual(['member01'])
  })

  test('is mostly two digits and small stakes', () => {
    const lines = history.tickets.flatMap((ticket) => ticket.lines)
    const ofTwo = lines.filter(({ slot }) => betOfSlot(slot)!.bet_type.startsWith('2')).length
    const small = lines.filter(({ bet_satang }) => bet_satang <= 5_000).length
    expect(ofTwo / lines.length).toBeGreaterThan(0.6)
    expect(small / lines.length).toBeGreaterThan(0.75)
  })
})

test('the same start gives the same history', () => {
  const now = new Date('2026-11-22T08:00:00Z')
  expect(play(now, 10).history).toEqual(play(now, 10).history)
})

describe('past periods', () => {
  test('use the real draws of the government lottery as far as they are known, and mark all other results', () => {
    const { periods } = play(new Date('2026-01-20T05:00:00Z'), 60)
    const government = periods.filter(({ product_code, draw }) => product_code === 'thai-government' && draw)
    expect(government.map(({ period_date, draw }) => [period_date, draw!.is_demo])).toEqual([
      ['2025-12-01', false],
      ['2025-12-16', false],
      ['2026-01-01', true],
      ['2026-01-16', true],
    ])
    expect(government[1]!.draw!.result).toEqual(draws.find(({ date }) => date === '2025-12-16')!.result)
    const others = periods.filter(({ product_code, draw }) => product_code !== 'thai-government' && draw)
    expect(others.every(({ draw }) => draw!.is_demo)).toBe(true)
  })

  test('a generated result is the same each time, has the form of its market, and every number occurs', () => {
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

  test('have no more credit, commission or position than their uplines', () => {
    for (const { username, credit } of housePeople) {
      const children = housePeople.filter(({ parent }) => parent === username)
      expect(children.reduce((sum, child) => sum + child.credit, 0)).toBeLessThanOrEqual(credit)
    }
    for (const agent of housePeople.filter(({ level }) => level === 'agent')) {
      const master = personOf.get(agent.parent!)!
      const senior = personOf.get(master.parent!)!
      const own = [agent.shares!, ...(agent.username === laterShares.username ? [laterShares] : [])]
      for (const shares of own) {
        expect(shares.position_rate).toBeLessThanOrEqual(shares.line_rate)
        expect(shares.line_rate + master.shares!.position_rate).toBeLessThanOrEqual(master.shares!.line_rate)
        expect(shares.commission_rate).toBeLessThanOrEqual(master.shares!.commission_rate)
      }
      expect(master.shares!.line_rate + senior.shares!.position_rate).toBeLessThanOrEqual(senior.shares!.line_rate)
      expect(master.shares!.commission_rate).toBeLessThanOrEqual(senior.shares!.commission_rate)
    }
  })

  test('bet with packages that they have', () => {
    for (const { username, package_code, product_codes } of withoutPackages) {
      const habit = memberHabits.find((each) => each.username === username)!
      expect(habit.package_code).not.toBe(package_code)
      for (const [product_code] of habit.markets) expect(product_codes ?? []).not.toContain(product_code)
    }
  })
})

test('the expected return of a bet is exact over all draws', () => {
  // 3top 900×: 90 %; a roll of three different digits wins for six of a thousand draws.
  expect(returnOf(123, 90_000)).toBeCloseTo(0.9)
  expect(returnOf(1_123, 15_000)).toBeCloseTo(0.9)
  expect(returnOf(1_555, 15_000)).toBeCloseTo(0.15)
  expect(returnOf(4_247, 1_200)).toBeCloseTo(0.648)
  expect(returnOf(4_300, 320)).toBeCloseTo(0.8672)
})
