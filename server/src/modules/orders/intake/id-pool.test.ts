// Goal: tickets are placed in the order of their ids, as far as one node can ensure it.

import { beforeEach, describe, expect, test } from 'vitest'
import { createIdPool, type IdPool } from './id-pool.ts'

let nowMs: number
let ids: IdPool

beforeEach(() => {
  nowMs = 1_000
  ids = createIdPool(() => nowMs)
})

const takeAll = (): number[] => ids.take(1_000)
const takeOne = (): number | undefined => ids.take(1)[0]

describe('a lower id is never returned after a higher one', () => {
  test('whatever the order in which they were drawn', () => {
    ids.add([7, 5])
    ids.add([6, 4])
    expect(takeAll()).toEqual([4, 5, 6, 7])
  })

  test('when lower ones arrive late', () => {
    ids.add([5, 6])
    expect(takeOne()).toBe(5)
    ids.add([3, 4, 7])
    expect(takeAll()).toEqual([6, 7])
    ids.add([4])
    expect(takeOne()).toBeUndefined()
  })

  test('when a ticket was given an id without the pool', () => {
    ids.add([4, 5, 12])
    ids.discardUpTo(10)
    ids.add([9, 11])
    ids.discardUpTo(3)
    expect(takeAll()).toEqual([11, 12])
  })
})

describe('ids are valid for 100 ms', () => {
  test('and not later', () => {
    ids.add([1, 2])
    nowMs += 100
    expect(takeOne()).toBe(1)
    nowMs += 1
    expect(takeOne()).toBeUndefined()
  })

  test('and expired ones are not renewed by others', () => {
    ids.add([1])
    nowMs += 101
    ids.add([2])
    expect(takeAll()).toEqual([2])
  })
})

describe('the count of ids that a batch should draw', () => {
  test('is as many as it has tickets, and more where many arrive at a time', () => {
    expect(ids.shortfall(15)).toBe(15)
    expect(ids.shortfall(16)).toBe(64)
  })

  test('is what the pool lacks, expired ids included', () => {
    ids.add([1, 2, 3])
    expect([ids.shortfall(5), ids.shortfall(2)]).toEqual([2, 0])
    nowMs += 101
    expect(ids.shortfall(5)).toBe(5)
  })
})
