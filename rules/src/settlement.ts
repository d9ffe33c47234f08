// Which bets win. All others lose.

import type { BetTypeCode } from './bet-type-code.ts'
import { betTypes, type Bottom3Set } from './bet-type.ts'
import type { DrawResult } from './draw-result.ts'

export interface WinningBet {
  bet_type: BetTypeCode
  number: string
}

/**
 * All winning numbers of every bet type, including types that the market no longer offers. Expects a result that
 * `checkDrawResult` accepts.
 */
export function listWinningBets(result: DrawResult, bottom3_set: Bottom3Set): readonly WinningBet[] {
  return betTypes.flatMap(({ code, winningNumbers }) =>
    winningNumbers(result, bottom3_set).map((number) => ({ bet_type: code, number })),
  )
}
