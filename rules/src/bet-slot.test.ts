// Every bet has its own slot and every slot its bet, without gaps.

import { describe, expect, it } from 'vitest'
import { everyNumber } from '../test/every-number.ts'
import { betOfSlot, findSlot, quotaSlotOf, SLOT_COUNT, slotOf, slotsOfNumber, typeIndexOf } from './bet-slot.ts'
import type { BetTypeCode } from './bet-type-code.ts'
import { betTypeByCode, betTypes } from './bet-type.ts'

describe('slots', () => {
  it('number all 4,320 bets, type after type, and map back to them', () => {
    const bets = betTypes.flatMap(({ code, digits }) =>
      everyNumber(digits).map((number) => ({ bet_type: code, number })),
    )
    expect(SLOT_COUNT).toBe(4_320)
    expect(bets).toHaveLength(SLOT_COUNT)
    expect(bets.map(({ bet_type, number }) => slotOf(bet_type, number))).toEqual(bets.map((_, place) => place))
    expect(bets.map((_, slot) => betOfSlot(slot))).toEqual(bets)
  })

  it('are found for numbers of the bet type only', () => {
    for (const { code, digits } of betTypes) {
      for (const number of everyNumber(digits)) expect(findSlot(code, number)).toBe(slotOf(code, number))
      const wrong = ['', '1'.repeat(digits + 1), '1'.repeat(digits - 1), '๑'.repeat(digits), '/'.repeat(digits)]
      for (const number of [...wrong, ':'.repeat(digits), `${'1'.repeat(digits - 1)} `, '-1', '1.', '+1', '1e1', '0x1'])
        expect(findSlot(code, number)).toBe(-1)
    }
  })

  it('are not found for similar codes that are no bet type', () => {
    const like = betTypes.flatMap(({ code }) => [
      `${code}s`,
      code.slice(0, -1),
      code.slice(1),
      code.toUpperCase(),
      ` ${code}`,
      `${code} `,
      // The same first character and length, by which a bet type is looked up.
      code.slice(0, -1) + (code.endsWith('p') ? 'q' : 'p'),
      `${code[0]}${'x'.repeat(code.length - 1)}`,
    ])
    for (const bet_type of ['', '9top', '3tpp', '3rolls', '3', 'top', 'constructor', '__proto__', '๓top', ...like])
      for (const number of ['', '1', '12', '123']) expect(findSlot(bet_type as BetTypeCode, number)).toBe(-1)
  })

  it('know their bet type, and count under its quota key', () => {
    for (let slot = 0; slot < SLOT_COUNT; slot++) {
      const { bet_type, number } = betOfSlot(slot)!
      expect(betTypes[typeIndexOf(slot)]!.code).toBe(bet_type)
      expect(quotaSlotOf(slot)).toBe(slotOf(bet_type, betTypeByCode[bet_type].quotaKey(number)))
    }
    expect(quotaSlotOf(slotOf('3roll', '321'))).toBe(slotOf('3roll', '123'))
    expect(quotaSlotOf(slotOf('2roll', '70'))).toBe(slotOf('2roll', '07'))
    expect(quotaSlotOf(slotOf('3top', '321'))).toBe(slotOf('3top', '321'))
  })

  it('of a number are those of all bet types of its length, and of its rolls in any order', () => {
    const betsOf = (number: string) =>
      slotsOfNumber(number).map((slot) => {
        const bet = betOfSlot(slot)!
        return `${bet.bet_type} ${bet.number}`
      })
    expect(betsOf('121')).toEqual(['3top 121', '3roll 112', '3roll 121', '3roll 211', '3front 121', '3bottom 121'])
    expect(betsOf('123').filter((bet) => bet.startsWith('3roll'))).toHaveLength(6)
    expect(betsOf('07')).toEqual(['2top 07', '2bottom 07', '2roll 07', '2roll 70'])
    expect(betsOf('55')).toEqual(['2top 55', '2bottom 55', '2roll 55'])
    expect(betsOf('7')).toEqual(['1top 7', '1bottom 7'])
    for (const number of ['', '1234', '1a', '๑๒', '-1', ' 12']) expect(slotsOfNumber(number)).toEqual([])
  })

  it('have no bet beyond the last one', () => {
    for (const slot of [-1, SLOT_COUNT, 0.5, Number.NaN, Infinity]) expect(betOfSlot(slot)).toBeNull()
  })
})
