// Which items of a period win, and what each is paid (§1, §7 and §10 of the domain rules). Losing is what is left over:
// the answer holds winners only. Rates are those written on the item when it was accepted.

import { betTypes, type Bottom3Set } from './bet-type.ts'
import { SLOT_COUNT, slotOf } from './bet-slot.ts'
import type { DrawResult } from './draw-result.ts'
import { winSatang } from './money.ts'

/** What settling must know about an accepted item. */
export interface SettlementItem {
  /** Bet type and number as one, by `slotOf`. */
  slot: number
  received_satang: number
  /** Payout per stake in hundredths, already halved where the item pays half. */
  rate: number
}

export interface ItemWin {
  /** Which of the items. */
  index: number
  win_satang: number
}

/** For every slot whether its bet wins (1) or not (0). Expects a result that `checkDrawResult` finds nothing wrong with. */
export function markWinningSlots(result: DrawResult, bottom3_set: Bottom3Set = 'back'): Uint8Array {
  const isWinning = new Uint8Array(SLOT_COUNT)
  for (const betType of betTypes)
    for (const number of betType.winningNumbers(result, bottom3_set)) isWinning[slotOf(betType.code, number)] = 1
  return isWinning
}

/**
 * The winning items with what they are paid, in the order of the items. Each item is looked at once.
 * @param isWinning from `markWinningSlots`
 * @throws RangeError where a winning item holds no whole amounts
 */
export function findWins(items: readonly SettlementItem[], isWinning: Uint8Array): readonly ItemWin[] {
  const wins: ItemWin[] = []
  for (let index = 0; index < items.length; index++) {
    const item = items[index] as SettlementItem
    if (isWinning[item.slot] === 1) wins.push({ index, win_satang: winSatang(item.received_satang, item.rate) })
  }
  return wins
}
