// Settlement finds exactly the winning bets, each once.

import { describe, expect, it } from 'vitest'
import { everyNumber } from '../test/every-number.ts'
import { betTypes } from './bet-type.ts'
import type { DrawResult } from './draw-result.ts'
import { listWinningBets } from './settlement.ts'

const draw: DrawResult = { top3: '895', bottom2: '52', front3: ['431', '176'], back3: ['014', '449'] }

describe('listWinningBets', () => {
  it.each(['back', 'front+back'] as const)('lists every bet that wins and no other, with 3bottom of %s', (set) => {
    const expected = betTypes.flatMap(({ code, digits, wins }) =>
      everyNumber(digits)
        .filter((number) => wins(number, draw, set))
        .map((number) => ({ bet_type: code, number })),
    )
    const inOrder = betTypes.flatMap(({ code }) =>
      listWinningBets(draw, set)
        .filter(({ bet_type }) => bet_type === code)
        .toSorted((a, b) => Number(a.number) - Number(b.number)),
    )
    expect(inOrder).toEqual(expected)
    expect(listWinningBets(draw, set)).toHaveLength(expected.length)
  })

  it('lists nothing for prizes that were not drawn', () => {
    const bet_types = listWinningBets({ top3: '895', bottom2: '52' }, 'back').map(({ bet_type }) => bet_type)
    expect(bet_types).not.toContain('3front')
    expect(bet_types).not.toContain('3bottom')
  })
})
