// The most that a slip can win, and a draw that pays it: exact over all draws there can be.
// For the house the same figure is its greatest loss on a period.
//
// A draw falls into independent parts, so each part is searched alone:
//   top3     1,000 numbers, all tried: 3top, 3roll, 2top, 2roll, 1top
//   bottom2    100 numbers, all tried: 2bottom, 1bottom
//   front3 and back3, two numbers each: 3front, 3bottom. Where `3bottom` counts the back numbers only, the two
//   best-paying of each list are best. Where it counts both lists, a front number counts for both bet types; see
//   `bestFrontAndBack`.

import type { BetTypeCode } from './bet-type-code.ts'
import { betTypeByCode, type Bottom3Set } from './bet-type.ts'
import { SLOT_COUNT, slotOf } from './bet-slot.ts'
import type { DrawResult } from './draw-result.ts'
import { winSatang } from './money.ts'
import type { RatedItem } from './rate-slip.ts'

export interface BestWin {
  win_satang: number
  /** A draw that pays this win. */
  result: DrawResult
}

const top3Types: readonly BetTypeCode[] = ['3top', '3roll', '2top', '2roll', '1top']
const bottom2Types: readonly BetTypeCode[] = ['2bottom', '1bottom']

/** For each value of one part of a draw, the slots of the winning bets. */
type WinningSlots = readonly (readonly number[])[]

function listWinningSlots(
  count: number,
  types: readonly BetTypeCode[],
  toResult: (text: string) => DrawResult,
): WinningSlots {
  const digits = String(count - 1).length
  return Array.from({ length: count }, (_, value) => {
    const result = toResult(String(value).padStart(digits, '0'))
    return types.flatMap((code) => betTypeByCode[code].winningNumbers(result).map((number) => slotOf(code, number)))
  })
}

let slotsOfTop3: WinningSlots | null = null
let slotsOfBottom2: WinningSlots | null = null

/**
 * The most that the items can win together in one draw.
 * @throws RangeError if an item has no whole amounts; `rateSlip` leaves such lines out
 */
export function findBestWin(items: readonly RatedItem[], bottom3_set: Bottom3Set = 'back'): BestWin {
  // Computed once, on first use: it takes some milliseconds, and the lists never change.
  slotsOfTop3 ??= listWinningSlots(1000, top3Types, (top3) => ({ top3, bottom2: '' }))
  slotsOfBottom2 ??= listWinningSlots(100, bottom2Types, (bottom2) => ({ top3: '', bottom2 }))

  const winOfSlot = new Float64Array(SLOT_COUNT)
  for (const { bet_type, number, received_satang, rate } of items) {
    const slot = slotOf(bet_type, number)
    winOfSlot[slot] = (winOfSlot[slot] as number) + winSatang(received_satang, rate)
  }
  const top = bestPart(slotsOfTop3, winOfSlot)
  const bottom = bestPart(slotsOfBottom2, winOfSlot)
  const result: DrawResult = { top3: toText(top.value, 3), bottom2: toText(bottom.value, 2) }
  if (!items.some((item) => item.bet_type === '3front' || item.bet_type === '3bottom'))
    return { win_satang: top.win_satang + bottom.win_satang, result }

  const sides = bestFrontAndBack(numbersOf('3front', winOfSlot), numbersOf('3bottom', winOfSlot), bottom3_set)
  return {
    win_satang: top.win_satang + bottom.win_satang + sides.win_satang,
    result: {
      ...result,
      front3: sides.front.map((value) => toText(value, 3)),
      back3: sides.back.map((value) => toText(value, 3)),
    },
  }
}

function toText(value: number, digits: number): string {
  return String(value).padStart(digits, '0')
}

function bestPart(slotsOfValue: WinningSlots, winOfSlot: Float64Array): { value: number; win_satang: number } {
  let best = { value: 0, win_satang: 0 }
  for (const [value, slots] of slotsOfValue.entries()) {
    let win_satang = 0
    for (const slot of slots) win_satang += winOfSlot[slot] as number
    if (win_satang > best.win_satang) best = { value, win_satang }
  }
  return best
}

/** The wins of all thousand numbers of a 3-digit bet type. */
function numbersOf(bet_type: BetTypeCode, winOfSlot: Float64Array): Float64Array {
  const start = slotOf(bet_type, '000')
  return winOfSlot.subarray(start, start + 1000)
}

/** The `count` numbers with the greatest wins, excluding some, the greatest first; ties by number. */
function findBest(
  winOf: (value: number) => number,
  count: number,
  excluded: readonly number[] = [],
): readonly number[] {
  const found: number[] = []
  for (let value = 0; value < 1000; value++) {
    if (excluded.includes(value)) continue
    const index = found.findIndex((other) => winOf(value) > winOf(other))
    found.splice(index < 0 ? found.length : index, 0, value)
    found.length = Math.min(found.length, count)
  }
  return found
}

interface FrontAndBack {
  front: readonly number[]
  back: readonly number[]
  win_satang: number
}

/**
 * The best two front and two back numbers. If `3bottom` counts both lists, a front number pays for `3front` and
 * `3bottom`, a back number for `3bottom`, and `3bottom` pays once.
 * Only pairs among the four best-paying front numbers need to be tried. A best draw with a front number outside these
 * four has at least one of the four undrawn, and replacing the number with that one pays at least as much. For a given
 * front pair, the back numbers are the two best-paying remaining numbers of `3bottom`.
 */
function bestFrontAndBack(front3: Float64Array, bottom3: Float64Array, bottom3_set: Bottom3Set): FrontAndBack {
  const winAtBack = (value: number): number => bottom3[value] as number
  const winInFront = (value: number): number =>
    (front3[value] as number) + (bottom3_set === 'front+back' ? winAtBack(value) : 0)
  const candidates = findBest(winInFront, 4)
  let best: FrontAndBack = { front: [], back: [], win_satang: -1 }
  for (const [index, first] of candidates.entries())
    for (const second of candidates.slice(index + 1)) {
      const front = [first, second]
      const back = findBest(winAtBack, 2, bottom3_set === 'front+back' ? front : [])
      const win_satang = [...front.map(winInFront), ...back.map(winAtBack)].reduce((sum, win) => sum + win, 0)
      if (win_satang > best.win_satang) best = { front, back, win_satang }
    }
  return best
}
