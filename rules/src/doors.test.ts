// Doors expand to exactly the numbers a player would write by hand, for every input.

import { describe, expect, it } from 'vitest'
import { everyNumber, everyOrderOf } from '../test/every-number.ts'
import { expandNineteenDoors, expandSixDoors, findDoors } from './doors.ts'

describe('6 doors', () => {
  it('are all orders of the digits, for all 1,000 numbers', () => {
    const wrong = everyNumber(3).filter((number) => {
      return expandSixDoors(number).join() !== everyOrderOf(number).join()
    })
    expect(wrong).toEqual([])
  })

  it('number 6, 3 or 1', () => {
    expect(expandSixDoors('123')).toEqual(['123', '132', '213', '231', '312', '321'])
    expect(expandSixDoors('550')).toEqual(['055', '505', '550'])
    expect(expandSixDoors('777')).toEqual(['777'])
  })
})

describe('19 doors', () => {
  it('are d0…d9 and then 0d…9d without a second dd', () => {
    expect(expandNineteenDoors('5')).toEqual([
      ...['50', '51', '52', '53', '54', '55', '56', '57', '58', '59'],
      ...['05', '15', '25', '35', '45', '65', '75', '85', '95'],
    ])
  })

  it('contain every number with the digit, once, for every digit', () => {
    const wrong = everyNumber(1).filter((digit) => {
      const doors = expandNineteenDoors(digit)
      const expected = everyNumber(2).filter((number) => number.includes(digit))
      return doors.length !== 19 || doors.toSorted().join() !== expected.join()
    })
    expect(wrong).toEqual([])
  })
})

describe('findDoors', () => {
  it('accepts one digit or three', () => {
    expect(everyNumber(1).map(findDoors)).toEqual(everyNumber(1).map(() => 'nineteen_doors'))
    expect(everyNumber(3).every((number) => findDoors(number) === 'six_doors')).toBe(true)
    for (const input of ['', '12', '1234', 'a', '12a', 'a12', '๕', ' 5', '5\n', '-12'])
      expect([input, findDoors(input)]).toEqual([input, null])
  })
})
