import type { ProductPeriod } from '@megalot/contract'
import { expect, test } from 'vitest'
import { nextChangeMs, stateOfMarket } from '../../shared/markets/queries.ts'
import { arrangeMarkets } from './market-order.ts'

const now = Date.parse('2026-11-21T05:00:00Z')
const at = (minutes: number): string => new Date(now + minutes * 60_000).toISOString()

function market(code: string, group: ProductPeriod['group_code'], opens: number, closes: number): ProductPeriod {
  return {
    product_code: code,
    name_th: `หวย ${code}`,
    name_en: `Market ${code}`,
    group_code: group,
    country_code: 'th',
    bet_types: ['3top'],
    result_form: 'three_and_two',
    is_enabled: true,
    cancel_rules: { window_minutes: 30, max_tickets: 10, before_close_minutes: 5 },
    has_package: true,
    maintenance: null,
    current_period: {
      period_code: `${code}-20261121`,
      product_code: code,
      period_date: '2026-11-21',
      round: null,
      open_at: at(opens),
      close_at: at(closes),
      draw_at: at(closes + 5),
      status: opens <= 0 ? 'open' : 'upcoming',
    },
  }
}

const markets = [
  market('gov', 'government', -60, 300),
  market('lao', 'lao', -60, 30),
  market('hanoi', 'hanoi', 20, 90),
  market('viet', 'hanoi', -5, 60),
]
const codes = (sections: ReturnType<typeof arrangeMarkets>): string[] =>
  sections.map(({ name, markets: inside }) => `${name}: ${inside.map((one) => one.product_code).join(' ')}`)
const wish = { search: '', order: 'groups', favourites: [], nowMs: now } as const

test('groups stand in the order of the catalogue', () => {
  expect(codes(arrangeMarkets(markets, wish))).toEqual(['government: gov', 'lao: lao', 'hanoi: hanoi viet'])
})

test('by closing time, open markets come before those that open later', () => {
  expect(codes(arrangeMarkets(markets, { ...wish, order: 'closing' }))).toEqual(['all: lao viet gov hanoi'])
})

const maintenance = { message_th: 'ปรับปรุง', message_en: 'MaintenanceEntry', until_at: null }

test('a market that is off or under maintenance says so, and stands behind those that open', () => {
  const [gov, lao, hanoi, viet] = markets as [ProductPeriod, ProductPeriod, ProductPeriod, ProductPeriod]
  const off = { ...lao, is_enabled: false, has_package: false, maintenance }
  const maintained = { ...viet, maintenance }
  expect(stateOfMarket(off, now)).toEqual({ kind: 'off' })
  expect(stateOfMarket(maintained, now)).toEqual({ kind: 'maintained', maintenance })
  // Its agent must be asked first.
  expect(stateOfMarket({ ...maintained, has_package: false }, now)).toEqual({ kind: 'no_package' })
  expect(codes(arrangeMarkets([gov, off, hanoi, maintained], { ...wish, order: 'closing' }))).toEqual([
    'all: gov hanoi lao viet',
  ])
})

test('favourites stand on top and nowhere else', () => {
  expect(codes(arrangeMarkets(markets, { ...wish, favourites: ['viet', 'gov'] }))).toEqual([
    'favourites: viet gov',
    'lao: lao',
    'hanoi: hanoi',
  ])
})

test('search reads both names and the code', () => {
  expect(codes(arrangeMarkets(markets, { ...wish, search: ' LAO ' }))).toEqual(['lao: lao'])
  expect(codes(arrangeMarkets(markets, { ...wish, search: 'หวย viet' }))).toEqual(['hanoi: viet'])
  expect(arrangeMarkets(markets, { ...wish, search: 'nothing' })).toEqual([])
})

test('the next change is the nearest opening or closing ahead', () => {
  expect(nextChangeMs(markets, now)).toBe(now + 20 * 60_000)
  expect(nextChangeMs([], now)).toBe(Number.POSITIVE_INFINITY)
})
