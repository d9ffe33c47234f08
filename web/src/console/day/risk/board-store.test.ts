import { SLOT_COUNT, slotOf } from '@megalot/rules'
import { describe, expect, it, vi } from 'vitest'
import { createBoardStore } from './board-store.ts'
import type { BookReply } from './board-store.ts'

const ONE = slotOf('3top', '123')
const TWO = slotOf('2bottom', '45')

function replyOf(version: number, is_whole: boolean, payouts: Readonly<Record<number, number>>): BookReply {
  const slots = Object.keys(payouts).map(Number)
  const amounts = Object.values(payouts)
  return {
    period_code: 'p',
    version,
    age_ms: 0,
    seal: 'open',
    line_count: slots.length,
    received_satang: 0,
    discount_satang: 0,
    own_received_satang: 0,
    own_discount_satang: 0,
    is_whole,
    slots,
    line_counts: amounts.map(() => 1),
    stakes_satang: amounts.map(() => 100),
    payouts_satang: amounts,
    own_stakes_satang: amounts.map(() => 10),
    own_payouts_satang: amounts.map((amount) => amount / 10),
    quotas_used: amounts.map(() => 500),
  }
}

describe('the numbers of a board', () => {
  it('are blank before anything has arrived', () => {
    const store = createBoardStore()
    expect(store.readHead()).toBeNull()
    expect(store.read(ONE, 'payout')).toBe(0)
    expect(store.read(ONE, 'quota')).toBe(-1)
  })

  it('change by a patch where it has numbers, and nowhere else', () => {
    const store = createBoardStore()
    store.apply(replyOf(1, true, { [ONE]: 50_000, [TWO]: 9_000 }), 10)
    const before = [store.readRevision([ONE]), store.readRevision([TWO])]
    expect(store.apply(replyOf(2, false, { [ONE]: 70_000 }), 20)).toBe(1)
    expect(store.read(ONE, 'payout')).toBe(70_000)
    expect(store.read(TWO, 'payout')).toBe(9_000)
    expect(store.readRevision([ONE])).toBeGreaterThan(before[0]!)
    expect(store.readRevision([TWO])).toBe(before[1])
    expect(store.readHead()).toMatchObject({ version: 2, arrived_ms: 20 })
  })

  it('lose by a whole reply what it does not have', () => {
    const store = createBoardStore()
    store.apply(replyOf(1, true, { [ONE]: 50_000, [TWO]: 9_000 }), 10)
    expect(store.apply(replyOf(2, true, { [ONE]: 50_000 }), 20)).toBe(1)
    expect(store.read(TWO, 'payout')).toBe(0)
    expect(store.read(TWO, 'quota')).toBe(-1)
  })

  it('do not count as changed by the same reply again', () => {
    const store = createBoardStore()
    store.apply(replyOf(1, true, { [ONE]: 50_000 }), 10)
    const before = store.readAmounts()
    expect(store.apply(replyOf(1, true, { [ONE]: 50_000 }), 20)).toBe(0)
    expect(store.readAmounts()).toBe(before)
  })

  it('have a highest amount, for the heat', () => {
    const store = createBoardStore()
    store.apply(replyOf(1, true, { [ONE]: 50_000, [TWO]: 9_000 }), 10)
    expect(store.readMost([TWO], 'payout')).toBe(9_000)
    expect(
      store.readMost(
        Array.from({ length: SLOT_COUNT }, (_, slot) => slot),
        'payout',
      ),
    ).toBe(50_000)
  })

  it('report each reply to subscribers, because the age of the book changes with each', () => {
    const store = createBoardStore()
    const listener = vi.fn<() => void>()
    const unsubscribe = store.subscribe(listener)
    store.apply(replyOf(1, true, {}), 10)
    unsubscribe()
    store.apply(replyOf(2, true, {}), 20)
    expect(listener).toHaveBeenCalledTimes(1)
  })
})
