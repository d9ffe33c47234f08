// Goal: a ticket's items become one line a number, winners first, with what each line and the whole can pay.

import type { Order, OrderItem } from '@megalot/contract'
import { expect, test } from 'vitest'
import { linesOfItems, possibleWin } from './ticket-lines.ts'

function itemOf(
  bet_type: OrderItem['bet_type'],
  number: string,
  satang: number,
  more: Partial<OrderItem> = {},
): OrderItem {
  return {
    bet_type,
    number,
    bet_satang: satang,
    received_satang: satang,
    rate: 9_000,
    win_satang: 0,
    ...more,
  } as OrderItem
}

const items = [
  itemOf('2top', '12', 5_000),
  itemOf('2top', '47', 5_000, { win_satang: 450_000 }),
  itemOf('2bottom', '12', 2_000),
  itemOf('3top', '112', 500, { rate: 90_000 }),
]

test('one line a number, winners first, then in the order of the slip', () => {
  const lines = linesOfItems(items)
  expect(lines.map(({ number, items: own }) => [number, own.length])).toEqual([
    ['47', 1],
    ['12', 2],
    ['112', 1],
  ])
  expect(lines.map(({ win_satang }) => win_satang)).toEqual([450_000, 0, 0])
  expect(lines[1]!.possible_satang).toBe((5_000 + 2_000) * 90)
})

test('the most of a ticket is of one draw, and of what was accepted', () => {
  const order = { status: 'CONFIRMED', period: { status: 'open' }, items } as unknown as Order
  // 112 wins on top together with 12 on top and at the bottom; 47 cannot come out beside it.
  expect(possibleWin(order)).toBe(500 * 900 + 5_000 * 90 + 2_000 * 90)
  const returned = items.map((item) => ({ ...item, received_satang: 0 }))
  expect(possibleWin({ ...order, items: returned })).toBe(0)
})

test('a decided ticket can win nothing further', () => {
  const order = { status: 'CONFIRMED', period: { status: 'settled' }, items } as unknown as Order
  expect(possibleWin(order)).toBeNull()
  expect(possibleWin({ ...order, status: 'CANCELLED', period: { ...order.period, status: 'open' } })).toBeNull()
})
