// Settles a fixed set of 1,000 tickets for every real draw of the Thai government lottery since 2006. A second,
// deliberately naive settlement agrees on every item, ticket and satang.

import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import {
  addUpLines,
  betTypeByCode,
  betTypeCodes,
  checkDrawResult,
  computeLineMoney,
  listWinningBets,
  winSatang,
  type BetTypeCode,
  type DrawResult,
} from '../src/index.ts'
import { makeFixedTickets } from './fixed-tickets.ts'
import { naiveDiscount, naiveWin, naiveWins, readNaiveDraws, type NaiveDraw } from './naive-settlement.ts'

const draws = readNaiveDraws(
  readFileSync(new URL('../../server/seed-data/thai-government-draws.csv', import.meta.url), 'utf8'),
)
const tickets = makeFixedTickets()
const items = tickets.flat()
const nameOf = ({ bet_type, number }: { bet_type: string; number: string }): string => `${bet_type} ${number}`
const names = items.map(nameOf)

/** Wins of all tickets over all draws, computed once and pinned. */
const expected = {
  back: { paid_satang: 180_404_724_80, wins: 156_116 },
  'front+back': { paid_satang: 188_040_837_30, wins: 156_424 },
}

function toResult(draw: NaiveDraw): DrawResult {
  const front = draw.fronts.length > 0 ? { front3: draw.fronts } : {}
  return { first_prize: draw.first, top3: draw.first.slice(3), bottom2: draw.last2, ...front, back3: draw.backs }
}

describe('the real draws', () => {
  it('are 453, each complete in the form of its day', () => {
    expect(draws).toHaveLength(453)
    expect(draws.filter((draw) => checkDrawResult(toResult(draw), 'government', draw.date).length > 0)).toEqual([])
    expect(draws.filter((draw) => draw.fronts.length === 0)).toHaveLength(208)
    expect([draws[0]?.date, draws.at(-1)?.date]).toEqual(['2006-12-30', '2025-12-16'])
  })

  it.each(['back', 'front+back'] as const)('settle alike in both ways, with 3bottom of %s', (bottom3_set) => {
    const winsByType = new Map<string, number>()
    const disagreements: string[] = []
    let paid_satang = 0
    for (const draw of draws) {
      const winners = new Set(listWinningBets(toResult(draw), bottom3_set).map(nameOf))
      for (const [index, item] of items.entries()) {
        const isWin = naiveWins(item.bet_type, item.number, draw, bottom3_set === 'front+back')
        const expected = isWin ? naiveWin(item.received_satang, item.rate) : undefined
        const found = winners.has(names[index] as string) ? winSatang(item.received_satang, item.rate) : undefined
        if (found !== expected) disagreements.push(`${draw.date} ${item.bet_type} ${item.number}`)
        if (isWin) winsByType.set(item.bet_type, (winsByType.get(item.bet_type) ?? 0) + 1)
        paid_satang += expected ?? 0
      }
    }
    expect(disagreements).toEqual([])
    // Agreement on no wins would prove nothing, so every bet type must win, and the sums are pinned.
    expect(betTypeCodes.filter((code) => (winsByType.get(code) ?? 0) < 50)).toEqual([])
    const wins = [...winsByType.values()].reduce((sum, count) => sum + count, 0)
    expect({ paid_satang, wins }).toEqual(expected[bottom3_set])
  })

  it('every ticket of the newest draw, settled alone, wins the expected amount', () => {
    const newest = draws.at(-1) as NaiveDraw
    const totals = tickets.map((ticket) =>
      ticket
        .filter((item) => betTypeByCode[item.bet_type as BetTypeCode].wins(item.number, toResult(newest)))
        .reduce((sum, item) => sum + naiveWin(item.received_satang, item.rate), 0),
    )
    const expected = tickets.map((ticket) =>
      ticket
        .filter((item) => naiveWins(item.bet_type, item.number, newest, false))
        .reduce((sum, item) => sum + naiveWin(item.received_satang, item.rate), 0),
    )
    expect(totals).toEqual(expected)
    expect(totals.filter((total) => total > 0).length).toBeGreaterThan(200)
  })
})

describe('the tickets', () => {
  it('cost what the naive arithmetic says, line by line and in total', () => {
    for (const ticket of tickets) {
      const lines = ticket.map((item) =>
        computeLineMoney(item.received_satang, item.received_satang, item.discount_rate),
      )
      const discounts = ticket.map((item) => naiveDiscount(item.received_satang, item.discount_rate))
      expect(lines.map((line) => line.discount_satang)).toEqual(discounts)
      const received = ticket.reduce((sum, item) => sum + item.received_satang, 0)
      const discount = discounts.reduce((sum, one) => sum + one, 0)
      expect(addUpLines(lines)).toMatchObject({
        received_satang: received,
        discount_satang: discount,
        net_satang: received - discount,
      })
    }
  })
})
