// Goal: settling finds exactly the winning items, each once, and pays each at its own rate.

import { describe, expect, it } from 'vitest'
import { everyNumber } from '../test/every-number.ts'
import { slotOf } from './bet-slot.ts'
import { betTypes } from './bet-type.ts'
import type { DrawResult } from './draw-result.ts'
import { findWins, markWinningSlots } from './settlement.ts'

const draw: DrawResult = { top3: '895', bottom2: '52', front3: ['431', '176'], back3: ['014', '449'] }

describe('markWinningSlots', () => {
  it('marks every bet that wins and no other', () => {
    for (const set of ['back', 'front+back'] as const) {
      const expected = betTypes.flatMap((betType) =>
        everyNumber(betType.digits).map((number) => (betType.wins(number, draw, set) ? 1 : 0)),
      )
      expect([...markWinningSlots(draw, set)]).toEqual(expected)
    }
    expect(markWinningSlots(draw)).toEqual(markWinningSlots(draw, 'back'))
  })

  it('marks nothing for prizes that were not drawn', () => {
    const marks = markWinningSlots({ top3: '895', bottom2: '52' })
    expect(marks.slice(slotOf('3front', '000'), slotOf('2top', '00')).every((mark) => mark === 0)).toBe(true)
  })
})

describe('findWins', () => {
  it('lists the winners in order, each paid at the rate it was accepted with', () => {
    const items = [
      { slot: slotOf('3top', '895'), received_satang: 500, rate: 55_000 },
      { slot: slotOf('3top', '896'), received_satang: 500, rate: 55_000 },
      { slot: slotOf('1bottom', '2'), received_satang: 1_000, rate: 420 },
      { slot: slotOf('3top', '895'), received_satang: 500, rate: 27_500 },
      { slot: slotOf('2roll', '98'), received_satang: 0, rate: 1_200 },
    ]
    expect(findWins(items, markWinningSlots(draw))).toEqual([
      { index: 0, win_satang: 275_000 },
      { index: 2, win_satang: 4_200 },
      { index: 3, win_satang: 137_500 },
      { index: 4, win_satang: 0 },
    ])
  })

  it('finds nothing in nothing, and nothing where nothing was drawn', () => {
    expect(findWins([], markWinningSlots(draw))).toEqual([])
    const losing = [{ slot: slotOf('3front', '000'), received_satang: 500, rate: 1 }]
    expect(findWins(losing, markWinningSlots(draw))).toEqual([])
  })
})
