// Which bets win (§1 and §10 of the domain rules). All other bets lose.

import type { BetTypeCode } from './bet-type-code.ts'
import { betTypes, type Bottom3Set } from './bet-type.ts'
import type { DrawResult } from './draw-result.ts'

export interface WinningBet {
  bet_type: BetTypeCode
  number: string
}

/**
 * Every winning number of every bet type, also of one that a market has ceased to offer since bets were accepted. The
 * result must be one that `checkDrawResult` accepts.
 */
export function listWinningBets(result: DrawResult, bottom3_set: Bottom3Set): readonly WinningBet[] {
  return betTypes.flatMap(({ code, winningNumbers }) =>
    winningNumbers(result, bottom3_set).map((number) => ({ bet_type: code, number })),
  )
}
