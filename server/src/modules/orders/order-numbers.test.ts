// Goal: tickets come in the order of their numbers, as far as one node can see to it.

import { beforeEach, describe, expect, test } from 'vitest'
import { createOrderNumbers, type OrderNumbers } from './order-numbers.ts'

let nowMs: number
let numbers: OrderNumbers

beforeEach(() => {
  nowMs = 1_000
  numbers = createOrderNumbers(() => nowMs)
})

function takeAll(): number[] {
  const taken: number[] = []
  for (let order_id = numbers.take(); order_id !== undefined; order_id = numbers.take()) taken.push(order_id)
  return taken
}

describe('a lower number is never given after a higher one', () => {
  test('whatever the order in which they were drawn', () => {
    numbers.add([7, 5])
    numbers.add([6, 4])
    expect(takeAll()).toEqual([4, 5, 6, 7])
  })

  test('when lower ones arrive late', () => {
    numbers.add([5, 6])
    expect(numbers.take()).toBe(5)
    numbers.add([3, 4, 7])
    expect(takeAll()).toEqual([6, 7])
    numbers.add([4])
    expect(numbers.take()).toBeUndefined()
  })

  test('when a ticket was given a number that was not from here', () => {
    numbers.add([4, 5, 12])
    numbers.pass(10)
    numbers.add([9, 11])
    numbers.pass(3)
    expect(takeAll()).toEqual([11, 12])
  })
})

describe('numbers are given for 100 ms', () => {
  test('and not later', () => {
    numbers.add([1, 2])
    nowMs += 100
    expect(numbers.take()).toBe(1)
    nowMs += 1
    expect(numbers.take()).toBeUndefined()
  })

  test('and those that are too old are not made young by others', () => {
    numbers.add([1])
    nowMs += 101
    numbers.add([2])
    expect(takeAll()).toEqual([2])
  })
})

describe('what a batch should draw', () => {
  test('is as many as it has tickets, and more where many come at a time', () => {
    expect(numbers.lacking(15)).toBe(15)
    expect(numbers.lacking(16)).toBe(64)
  })

  test('is what is not here, or too old', () => {
    numbers.add([1, 2, 3])
    expect([numbers.lacking(5), numbers.lacking(2)]).toEqual([2, 0])
    nowMs += 101
    expect(numbers.lacking(5)).toBe(5)
  })
})
