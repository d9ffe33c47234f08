// Numbers in a chat that wait for a price in a line below them.

import type { ChatReason, PriceGroup, RawBet } from './chat-bet.ts'
import type { ChatLine } from './chat-entry.ts'
import type { Named } from './chat-item.ts'
import { isRound } from './chat-run.ts'
import type { ModeName } from './chat-words.ts'

/** Numbers that wait for a price below them. */
export interface Waiting {
  entry: ChatLine
  numbers: readonly string[]
  named: Named
  doubts: ReadonlySet<ChatReason>
  /** Whether the line is a bet already, with a price from above or in the line. */
  is_read: boolean
  /** Whether all of the line may be numbers, although it was read as a bet. */
  may_be_list: boolean
}

/** The bet of waiting numbers at a price. */
export function toRaw({ numbers, named }: Waiting, price: readonly PriceGroup[], mode: ModeName | null): RawBet {
  const columns = named.columns.length > 0 ? named.columns : null
  const groups = price.map((group) => ({ ...group, columns: group.columns ?? columns }))
  return { numbers, groups, mode: named.mode ?? mode, reverse: null, digits: named.digits }
}

/** A waiting figure that is the price of the numbers above it. */
export interface FigurePrice {
  entry: ChatLine
  baht: number
  targets: readonly Waiting[]
}

/** Finds the last round figure of a list, or every second one of a list in pairs. */
export function findFigurePrices(open: readonly Waiting[]): readonly FigurePrice[] {
  const last = open.at(-1)
  if (open.length < 2 || last === undefined || figureOf(last) === null) return []
  const isPairs =
    open.length % 2 === 0 &&
    open.every((one, place) => (place % 2 === 0 ? one.numbers.length === 1 : figureOf(one) !== null))
  return (isPairs ? pairsOf(open) : [open]).map((group) => {
    const price = group.at(-1) as Waiting
    return { entry: price.entry, baht: figureOf(price) as number, targets: group.slice(0, -1) }
  })
}

/** The amount that a line of one round number may be, or null. */
function figureOf({ numbers, named }: Waiting): number | null {
  const [number] = numbers
  const isFigure = numbers.length === 1 && named.columns.length === 0 && isRound(number as string)
  return isFigure ? Number(number) : null
}

function pairsOf(open: readonly Waiting[]): readonly (readonly Waiting[])[] {
  const pairs: Waiting[][] = []
  for (const [place, one] of open.entries()) {
    if (place % 2 === 0) pairs.push([one])
    else (pairs.at(-1) as Waiting[]).push(one)
  }
  return pairs
}
