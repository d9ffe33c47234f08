import { betTypes, slotOf } from '@megalot/rules'
import { describe, expect, it } from 'vitest'
import { createBoardStore } from './board-store.ts'
import type { BookReply } from './board-store.ts'
import { filterRows, heatOf, listRows, sortRows } from './board-rows.ts'

const all = betTypes.map(({ code }) => code)

function storeWith(payouts: ReadonlyMap<number, number>) {
  const store = createBoardStore()
  const amounts = [...payouts.values()]
  const reply: BookReply = {
    period_code: 'p',
    version: 1,
    age_ms: 0,
    seal: 'open',
    line_count: amounts.length,
    received_satang: 0,
    discount_satang: 0,
    own_received_satang: 0,
    own_discount_satang: 0,
    is_whole: true,
    slots: [...payouts.keys()],
    line_counts: amounts.map(() => 1),
    stakes_satang: amounts,
    payouts_satang: amounts,
    own_stakes_satang: amounts,
    own_payouts_satang: amounts,
    quotas_used: amounts.map(() => -1),
  }
  store.apply(reply, 0)
  return store
}

describe('rows of the board', () => {
  it('are in the table one for each number, whatever it is bet on as', () => {
    const rows = listRows('table', all)
    expect(rows).toHaveLength(1_110)
    expect(rows.filter(({ number }) => number.length === 3)).toHaveLength(1_000)
    expect(rows.find(({ number }) => number === '321')!.slots).toContain(slotOf('3roll', '123'))
  })

  it('are in the list one for each bet, a roll once', () => {
    const rows = listRows('list', ['3roll'])
    // Three different digits 120, two alike 90, three alike 10.
    expect(rows).toHaveLength(220)
  })

  it('leave out bet types that are not chosen', () => {
    expect(listRows('table', ['2top', '2bottom'])).toHaveLength(100)
    expect(listRows('list', ['1top'])).toHaveLength(10)
  })

  it('are found by a part of the number, and a roll by any order of its digits', () => {
    const store = createBoardStore()
    const find = (search: string) =>
      filterRows(listRows('list', ['3top', '3roll']), { search, isBetOn: false }, store, new Map()).map(
        ({ key }) => key,
      )
    expect(find('321')).toEqual(['3top 321', '3roll 123'])
    expect(find('00')).toContain('3top 100')
    expect(find('x')).toEqual([])
  })

  it('are narrowed to what was bet on or set by hand', () => {
    const [bet, set] = [slotOf('2top', '45'), slotOf('2top', '46')]
    const store = storeWith(new Map([[bet, 100]]))
    const rows = filterRows(listRows('list', ['2top']), { search: '', isBetOn: true }, store, new Map([[set, 'grey']]))
    expect(rows.map(({ number }) => number)).toEqual(['45', '46'])
  })

  it('are narrowed to those on which the own stake is above a limit', () => {
    const [much, little] = [slotOf('2top', '45'), slotOf('2top', '46')]
    const amounts = {
      read: (slot: number, measure: string) =>
        measure !== 'own_stake' ? 0 : slot === much ? 200_100 : slot === little ? 200_000 : 0,
      readMost: () => 0,
    }
    const filter = { search: '', isBetOn: false, over_satang: 200_000 }
    const rows = filterRows(listRows('table', ['2top', '2bottom']), filter, amounts, new Map())
    expect(rows.map(({ number }) => number)).toEqual(['45'])
  })

  it('are sorted with the highest amount first, equal ones by number', () => {
    const store = storeWith(
      new Map([
        [slotOf('2top', '45'), 100],
        [slotOf('2bottom', '07'), 900],
      ]),
    )
    const rows = sortRows(listRows('table', ['2top', '2bottom']), 'payout', store)
    expect(rows.slice(0, 3).map(({ number }) => number)).toEqual(['07', '45', '00'])
  })
})

describe('heat', () => {
  it('grows with the share of the highest amount, and nothing has none', () => {
    expect([0, 1, 26, 51, 76, 100].map((amount) => heatOf(amount, 100))).toEqual([0, 1, 2, 3, 4, 4])
    expect(heatOf(5, 0)).toBe(0)
  })
})
