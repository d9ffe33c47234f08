import type { ListedOrder } from '@megalot/contract'
import { expect, test } from 'vitest'
import { groupBills } from './group-bills.ts'

const bill = (order_id: number, period_code: string) => ({ order_id, period: { period_code } }) as ListedOrder

/** `A:3` is the head of a period with its count, `+A:3` the head of one that goes on, a number a ticket. */
function listed(parts: readonly (readonly ListedOrder[])[], closed: readonly string[] = []): string {
  return groupBills(parts, (code) => !closed.includes(code))
    .map((line) =>
      line.kind === 'bill'
        ? line.order.order_id
        : `${line.is_continued ? '+' : ''}${line.period.period_code}:${line.count}`,
    )
    .join(' ')
}

const first = [bill(9, 'A'), bill(8, 'B'), bill(7, 'A'), bill(6, 'B')]
const second = [bill(5, 'B'), bill(4, 'A'), bill(3, 'C')]

test('tickets of one part stand by their periods, newest first', () => {
  expect(listed([first])).toBe('A:2 9 7 B:2 8 6')
})

test('a later part moves nothing above it: it goes on with the last period, and takes others up again', () => {
  expect(listed([first, second])).toBe('A:2 9 7 B:3 8 6 5 +A:1 4 C:1 3')
  expect(listed([first, [], second])).toBe('A:2 9 7 B:2 8 6 +B:1 5 +A:1 4 C:1 3')
})

test('of a closed period only its heads are left', () => {
  expect(listed([first, second], ['A'])).toBe('A:2 B:3 8 6 5 +A:1 C:1 3')
})

test('the last ticket of each period ends its card', () => {
  const last = groupBills([first, second], () => true).flatMap((line) =>
    line.kind === 'bill' && line.is_last ? [line.order.order_id] : [],
  )
  expect(last).toEqual([7, 5, 4, 3])
})

test('no two lines have the same key', () => {
  const keys = groupBills([first, second, [bill(2, 'A'), bill(1, 'B')]], () => true).map(({ key }) => key)
  expect(new Set(keys).size).toBe(keys.length)
})
