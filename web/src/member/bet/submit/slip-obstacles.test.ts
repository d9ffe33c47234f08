// Goal: what keeps a slip from being sent is said as the member sees it, each reason in the situation it is meant for.

import type { GameConfig } from '@megalot/contract'
import type { BetTypeCode, BetTypeTerms } from '@megalot/rules'
import { expect, test } from 'vitest'
import type { LackingTerms } from '../desk.ts'
import { checkRows } from '../slip/slip-check.ts'
import type { SlipRow } from '../slip/slip-rows.ts'
import { countTickets, toPlaceOrderBody, reasonsAgainst } from './slip-obstacles.ts'

const offered: readonly BetTypeCode[] = ['2top', '2bottom']
const terms: readonly BetTypeTerms[] = offered.map((bet_type) => ({
  bet_type,
  rate: 7000,
  discount_rate: 0,
  min_satang: 500,
  max_satang: 1_000_000,
  max_per_number_satang: 1_500_000,
  is_on: true,
}))

function check(cells: readonly Partial<SlipRow>[], credit_remain_satang = 5_000_000) {
  const rows = cells.map((cell, id): SlipRow => ({ id, number: '', top: '', bottom: '', roll: '', front: '', ...cell }))
  return checkRows(rows, { terms, offered, credit_remain_satang, max_items: 500, is_open: true })
}

test('numbers without an amount, or with none to speak of, make a total of nothing', () => {
  expect(reasonsAgainst(check([{ number: '12' }]), null)).toEqual(['refusal.zero_total'])
  expect(reasonsAgainst(check([{ number: '12', top: '0' }]), null)).toEqual(['refusal.zero_total'])
})

test('without terms the reason is what is missing of them', () => {
  const withoutTerms = (lacking: LackingTerms) => {
    const rows = [{ id: 0, number: '12', top: '50', bottom: '', roll: '', front: '' }]
    const context = { terms: null, offered, credit_remain_satang: 5_000_000, max_items: 500, is_open: true }
    return reasonsAgainst(checkRows(rows, context), lacking)
  }
  expect(withoutTerms('no_package')).toEqual(['refusal.no_package'])
  expect(withoutTerms('terms_loading')).toEqual(['refusal.terms_loading'])
  expect(withoutTerms('terms_failed')).toEqual(['refusal.terms_failed'])
})

test('a slip without numbers lacks numbers', () => {
  expect(reasonsAgainst(check([]), null)).toEqual(['refusal.no_number'])
  expect(reasonsAgainst(check([{ top: '50' }]), null)).toEqual(['refusal.no_number'])
})

test('what cannot be read is the reason, and not what follows from it', () => {
  expect(reasonsAgainst(check([{ number: '12', top: '1.5' }]), null)).toEqual(['refusal.amount_form'])
})

test('a member without credit reads that, one with too little that the total exceeds it', () => {
  const row = { number: '12', top: '50' }
  expect(reasonsAgainst(check([row], 0), null)).toEqual(['refusal.not_enough_credit'])
  expect(reasonsAgainst(check([row], -100), null)).toEqual(['refusal.not_enough_credit'])
  expect(reasonsAgainst(check([row], 4_900), null)).toEqual(['refusal.over_credit'])
  expect(reasonsAgainst(check([row], 5_000), null)).toEqual([])
})

test('one stake over its maximum, and stakes that pass it together, are two things', () => {
  expect(reasonsAgainst(check([{ number: '12', top: '20000' }]), null)).toContain('refusal.over_max')
  const twice = [
    { number: '12', top: '10000' },
    { number: '12', top: '10000' },
  ]
  expect(reasonsAgainst(check(twice), null)).toEqual(['refusal.over_max_per_number'])
})

test('a ticket names the discount that the slip shows, rounded line by line', () => {
  const rows = [{ number: '12', top: '50', bottom: '50' }].map((cells, id): SlipRow => ({
    id,
    roll: '',
    front: '',
    ...cells,
  }))
  const discountAt = (discount_rate: number) => {
    const config = { package_code: '70', bet_types: terms.map((each) => ({ ...each, discount_rate })) }
    const context = { offered, credit_remain_satang: 5_000_000, max_items: 500, is_open: true }
    const slip = checkRows(rows, { ...context, terms: config.bet_types })
    const slipToSend = { lines: slip.lines, config: config as unknown as GameConfig, period_code: 'lao-1', note: '' }
    const { discount_satang } = toPlaceOrderBody({ ...slipToSend, on_change: 'ask', seen_rates: [] })
    expect(discount_satang).toBe(slip.totals.discount_satang)
    return discount_satang
  }
  // 0.01 % of 50 Baht is half a satang.
  expect([3_300, 1, 0].map(discountAt)).toEqual([3_300, 2, 0])
})

test('a ticket names the rates the member has seen last', () => {
  const config = { package_code: '70', bet_types: terms } as unknown as GameConfig
  const slip = check([{ number: '12', top: '50', bottom: '50' }])
  const slipToSend = { lines: slip.lines, config, period_code: 'lao-1', note: ' ', on_change: 'ask' } as const
  const rates = (seen: Parameters<typeof toPlaceOrderBody>[0]['seen_rates']) =>
    toPlaceOrderBody({ ...slipToSend, seen_rates: seen }).items.map(({ rate }) => rate)
  expect(rates([])).toEqual([7000, 7000])
  expect(rates([{ bet_type: '2bottom', rate_seen: 7000, rate: 6500 }])).toEqual([7000, 6500])
})

test('a slip with too many items is several tickets, unless something else is against it', () => {
  const rows = Array.from({ length: 300 }, (_, index) => ({
    number: String(index % 100).padStart(2, '0'),
    top: '5',
    bottom: '5',
  }))
  expect(countTickets(check(rows.slice(0, 250)))).toBe(1)
  expect(countTickets(check(rows))).toBe(2)
  expect(reasonsAgainst(check(rows), null)).toEqual([])
  expect(countTickets(check(rows, 100))).toBe(1)
  expect(countTickets(check([...rows, { number: '12', top: '1.5' }]))).toBe(1)
  expect(reasonsAgainst(check(rows, 100), null)).toEqual(['refusal.over_credit'])
})
