// Headings of a chat: columns, modes and prices that count for the lines below.

import { makeItems, type ChatReason, type Items, type PriceGroup, type RawBet } from './chat-bet.ts'
import type { BetTypeCode } from './bet-type-code.ts'
import type { Core } from './chat-grammar.ts'
import type { Named } from './chat-item.ts'
import type { ColumnName, ModeName } from './chat-words.ts'

export interface Heading {
  columns: readonly ColumnName[]
  digits: number | null
  mode: ModeName | null
  /** The price for numbers without their own. */
  price: readonly PriceGroup[] | null
  /** Whether the price may be a number instead, as in "บน 50". */
  may_be_number: boolean
  /** Why bets under the heading are unsure, or null. */
  doubt: ChatReason | null
}

export const noHeading: Heading = {
  columns: [],
  digits: null,
  mode: null,
  price: null,
  may_be_number: false,
  doubt: null,
}

/** The items of a bet under a heading, which names the columns that the bet does not. */
export function makeItemsUnder(
  raw: RawBet,
  heading: Heading,
  above: readonly ColumnName[],
  offered: readonly BetTypeCode[],
): Items | ChatReason {
  const isUnnamed = raw.groups.every(({ columns }) => columns === null)
  const doubts = new Set<ChatReason>()
  let { mode } = raw
  if (mode === null && heading.mode !== null) {
    const [number] = raw.numbers
    const isReverse = heading.mode === 'reverse'
    const isFit = number?.length === 2 ? isReverse : number?.length === 3 ? isReverse || isDoors(heading.mode) : true
    if (isFit) mode = heading.mode
    else doubts.add('column_above')
  }
  const bet = { ...raw, mode }
  if (!isUnnamed) return addDoubts(makeItems(bet, offered), doubts)
  const amounts = raw.groups[0]?.amounts.length ?? 0
  // A column in a bet above may also be meant for this one.
  if (above.length > 0 && amounts === 1) {
    doubts.add('column_above')
    return withColumns(bet, above, null, doubts, offered)
  }
  if (heading.doubt !== null) doubts.add(heading.doubt)
  if (heading.columns.length === 0) {
    if (heading.digits !== null && raw.numbers.some(({ length }) => length !== heading.digits))
      doubts.add('column_above')
    return addDoubts(makeItems(bet, offered), doubts)
  }
  return withColumns(bet, heading.columns, heading.digits, doubts, offered)
}

function isDoors(mode: ModeName): boolean {
  return mode === 'doors' || mode === 'set'
}

/** The items with the columns of a heading; without them, and with a doubt, if they do not fit the numbers. */
function withColumns(
  bet: RawBet,
  columns: readonly ColumnName[],
  digits: number | null,
  doubts: Set<ChatReason>,
  offered: readonly BetTypeCode[],
): Items | ChatReason {
  const [group] = bet.groups as [PriceGroup]
  const isThree = bet.numbers[0]?.length === 3 && bet.mode !== 'nineteen'
  // "บนล่าง" above two prices of three digits was written for two digits.
  const isForTwo = isThree && columns.includes('top') && columns.includes('bottom') && group.amounts.length > 1
  if (!isForTwo) {
    const named = makeItems({ ...bet, digits: bet.digits ?? digits, groups: [{ ...group, columns }] }, offered)
    if (named !== 'several_readings' && (named !== 'column_not_offered' || columns.length === 1))
      return addDoubts(named, doubts)
  }
  doubts.add('column_above')
  return addDoubts(makeItems(bet, offered), doubts)
}

function addDoubts(items: Items | ChatReason, doubts: ReadonlySet<ChatReason>): Items | ChatReason {
  return typeof items === 'string' ? items : { bets: items.bets, doubts: new Set([...items.doubts, ...doubts]) }
}

/** The heading that a line of columns begins below the one before it. */
export function nextHeading(before: Heading, named: Named, isAdjacent: boolean, doubt: ChatReason | null): Heading {
  if (named.columns.length > 0)
    return {
      columns: named.columns,
      // "2 ตัว" directly above "บน" is one heading in two lines.
      digits: named.digits ?? (isAdjacent && before.columns.length === 0 ? before.digits : null),
      mode: named.mode ?? (isAdjacent && before.columns.length === 0 ? before.mode : null),
      price: null,
      may_be_number: false,
      // Of two headings with nothing between, both may count.
      doubt: doubt ?? (isAdjacent && before.columns.length > 0 ? 'several_readings' : null),
    }
  // Digits or a mode alone may leave the column above in force.
  const isKept = before.columns.length > 0
  return {
    columns: before.columns,
    digits: named.digits ?? (isAdjacent ? before.digits : null),
    mode: named.mode,
    price: null,
    may_be_number: false,
    doubt: doubt ?? (isKept && !isAdjacent ? 'column_above' : before.doubt),
  }
}

export type PriceCore = Extract<Core, { kind: 'price' }>

/** The heading that a price begins for the numbers below it. */
export function priceHeading(
  before: Heading,
  { named, mark, has_currency }: PriceCore,
  price: readonly PriceGroup[],
  doubts: ReadonlySet<ChatReason>,
): Heading {
  const isNamed = named.columns.length > 0 || named.mode !== null || named.digits !== null
  const heading = isNamed ? nextHeading(before, named, false, null) : before
  const [first] = price as [PriceGroup]
  const isOwn = price.every(({ columns }) => columns === null || columns === named.columns)
  const isOneAmount = price.length === 1 && first.amounts.length === 1
  return {
    ...heading,
    may_be_number: mark === null && !has_currency && isOneAmount && (first.amounts[0] as number) < 100,
    price: isOwn ? price.map(({ amounts }) => ({ columns: null, amounts })) : price,
    doubt: doubts.size > 0 ? 'price_apart' : heading.doubt,
  }
}
