// The chance that at least one of several numbers wins in a draw. Numbers of one draw depend on each other: exactly one
// 2top number wins, and a draw with two equal digits lets fewer runs win. So this counts the results that make any of
// them win, each once, by the bet types' own winning numbers.

import type { BetTypeCode } from './bet-type-code.ts'
import { betTypeByCode, type Bottom3Set } from './bet-type.ts'
import { BOTTOM_RESULTS, bottomName, drawPartOf, TOP_RESULTS, topName } from './house-result.ts'
import type { WinChance } from './theoretical-return.ts'

/** How many front numbers, and how many back numbers, a draw has. */
const NUMBERS_OF_PART = 2

/** For each number of a bet type paid by the top or bottom result: the results that make it win. */
const winsByNumber = new Map<BetTypeCode, Map<string, number[]>>()

function listWins(bet_type: BetTypeCode): Map<string, number[]> {
  const known = winsByNumber.get(bet_type)
  if (known) return known
  const isTop = drawPartOf[bet_type] === 'top'
  const found = new Map<string, number[]>()
  for (let result = 0; result < (isTop ? TOP_RESULTS : BOTTOM_RESULTS); result += 1) {
    const draw = isTop ? { top3: topName(result), bottom2: '' } : { top3: '', bottom2: bottomName(result) }
    for (const number of betTypeByCode[bet_type].winningNumbers(draw))
      found.set(number, [...(found.get(number) ?? []), result])
  }
  winsByNumber.set(bet_type, found)
  return found
}

/**
 * How many draws, of all, make at least one of these numbers of a bet type win. Repeated numbers count once. Front and
 * back numbers are two each, drawn independently, as in `winChance`.
 */
export function chanceOfAnyWin(
  bet_type: BetTypeCode,
  numbers: Iterable<string>,
  bottom3_set: Bottom3Set = 'back',
): WinChance {
  const distinct = new Set(numbers)
  const part = drawPartOf[bet_type]
  if (part === 'front' || part === 'back') {
    const drawn = part === 'back' && bottom3_set === 'front+back' ? 2 * NUMBERS_OF_PART : NUMBERS_OF_PART
    const draws = TOP_RESULTS ** drawn
    return { wins: draws - (TOP_RESULTS - distinct.size) ** drawn, draws }
  }
  const wins = listWins(bet_type)
  const results = new Set([...distinct].flatMap((number) => wins.get(number) ?? []))
  return { wins: results.size, draws: part === 'top' ? TOP_RESULTS : BOTTOM_RESULTS }
}
