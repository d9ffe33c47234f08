// The grammar of the bets in a line, without names, times and totals.
//
//   line    := bet { bet } | numbers | price | columns
//   bet     := [ columns ] numbers [ columns ] price
//   numbers := number { joint number }

import type { ChatReason, PriceGroup, RawBet } from './chat-bet.ts'
import { isRest, readBet, unread, type Named, type NumbersAlone, type Unread } from './chat-item.ts'
import {
  isColumn,
  isPriceMark,
  readAmount,
  readColumns,
  readPrice,
  readRun,
  startsBet,
  type ColumnRun,
  type Cursor,
} from './chat-price.ts'
import { isRound, type Above } from './chat-run.ts'
import { isNumber, isSign, isWord, type NumberToken, type Token } from './chat-tokens.ts'

export type Core =
  | {
      kind: 'bets'
      bets: readonly RawBet[]
      named: Named
      /** All numbers of the line, if they may wait for a price below. */
      numbers: readonly string[]
      /** Whether the line may be the price of the numbers above it, as in "50*50". */
      may_be_price: boolean
      /** Whether its price may be for the numbers above it too, as in "19 50*10". */
      may_end_list: boolean
      /** The sum that the line states. */
      sum: number | null
    }
  | NumbersAlone
  | {
      kind: 'price'
      groups: readonly PriceGroup[]
      reverse: number | null
      named: Named
      /** What says that it is a price: a word such as "ตัวละ", or a sign. */
      mark: 'each' | 'sign' | null
      has_currency: boolean
      /** The amount as a number, if it may be one. */
      number: string | null
    }
  | { kind: 'columns'; named: Named }
  | Unread

export interface CoreLine {
  core: Core
  doubts: Set<ChatReason>
}

const nothing: Named = { columns: [], digits: null, mode: null }

/** Reads the tokens of a line that are no noise. */
export function readCore(tokens: readonly Token[], above: Above): CoreLine {
  const cursor: Cursor = { tokens, at: 0, doubts: new Set() }
  return { core: readLineCore(cursor, above), doubts: cursor.doubts }
}

function readLineCore(cursor: Cursor, above: Above): Core {
  const { tokens } = cursor
  // "- บน 12=50" and "* 12=50" begin with a bullet.
  const isBullet =
    isSign(tokens[0], '-', '*', '+', '.') && (isWord(tokens[1], 'column') || (tokens[1]?.gap && startsBet(tokens, 1)))
  const start = isBullet ? 1 : 0
  const named = readColumns(tokens, start)
  const { columns, digits, mode } = named
  const isNamed = named.end > start
  cursor.at = named.end
  // "บน: 12=50" and "ล่าง - 12 13".
  const mark = tokens[cursor.at]
  if (isNamed && isSign(mark, ':', '-', '.', '/', ',', '*', '=') && startsBetOrList(tokens, cursor.at)) cursor.at += 1
  if (isRest(tokens, cursor.at))
    return isNamed ? { kind: 'columns', named: { columns, digits, mode } } : unread('no_amount')
  const token = tokens[cursor.at]
  if (isPriceMark(token) || isSign(token, '*'))
    return readPriceLine(cursor, named, isWord(token, 'each') ? 'each' : 'sign')
  if (isSign(token, '-') && isNumber(tokens[cursor.at + 1])) {
    // "-12=50" may be a bullet or a minus.
    cursor.doubts.add('several_readings')
    cursor.at += 1
  }
  if (isNumber(tokens[cursor.at]) && isPriceOnly(tokens, cursor.at, named)) return readPriceLine(cursor, named, null)
  return readBets(cursor, named, above)
}

/** Whether a sign after columns is followed by numbers with their own price, or by a list. */
function startsBetOrList(tokens: readonly Token[], at: number): boolean {
  if (startsBet(tokens, at + 1)) return true
  const isLabel = isSign(tokens[at], ':', '-', '.', '/', ',')
  return isLabel && isNumber(tokens[at + 1])
}

/** "บน 50", "50 บาท", "บน 50 ล่าง 20": amounts with columns or currency, and no number before them. */
function isPriceOnly(tokens: readonly Token[], at: number, named: ColumnRun): boolean {
  const isNamed = named.columns.length > 0
  const next = tokens[at + 1]
  if (isWord(next, 'baht') || (isWord(next, 'baht_or_top') && !isNumber(tokens[at + 2]))) {
    return tokens.slice(at).every((token) => !isPriceMark(token)) && countNumbers(tokens, at) === 1
  }
  // "20 ตัวละ" and "20 ทุกตัว".
  if (isWord(next, 'each') && isRest(tokens, at + 2)) return true
  // "5xชุด".
  if (isSign(next, 'x', '*') && isWord(tokens[at + 2], 'mode') && isRest(tokens, at + 3)) return true
  if (!isNamed) return false
  const { text } = tokens[at] as NumberToken
  if (isRest(tokens, at + 1)) return isRound(text) || text.length > 3
  if (isTwoPrices(tokens, at, named)) return true
  if (!isColumn(next)) return false
  // Every amount has its column before it.
  for (let place = at; place < tokens.length;) {
    const after = readColumns(tokens, place + 1)
    if (!isNumber(tokens[place])) return false
    if (after.end === tokens.length) return after.end === place + 1
    if (after.columns.length === 0) return false
    place = after.end
  }
  return false
}

/** "บนล่าง 50*20": a round amount for each of two columns. */
function isTwoPrices(tokens: readonly Token[], at: number, named: ColumnRun): boolean {
  const [one, sign, other] = tokens.slice(at, at + 3)
  if (named.columns.length !== 2 || !isNumber(one) || !isNumber(other) || !isSign(sign, '*', 'x', '/')) return false
  return isRound(one.text) && isRound(other.text) && isRest(tokens, at + 3)
}

function countNumbers(tokens: readonly Token[], from: number): number {
  let count = 0
  for (const token of tokens.slice(from)) if (isNumber(token)) count += 1
  return count
}

function readPriceLine(cursor: Cursor, named: ColumnRun, mark: 'each' | 'sign' | null): Core {
  const { tokens } = cursor
  const start = tokens[cursor.at]
  const number = isNumber(start) && !isWord(tokens[cursor.at + 1], 'baht') ? start.text : null
  // "*50*50" has a sign before its first amount.
  if (isSign(start, '*')) cursor.at += 1
  const isPaired = mark === null && named.columns.length > 0 && isColumn(tokens[cursor.at + 1])
  if (isPaired) cursor.at = 0
  const price = readPrice(cursor)
  if (typeof price === 'string') return unread(price)
  if (isWord(tokens[cursor.at], 'each')) cursor.at += 1
  if (!isRest(tokens, cursor.at)) return unread('price_line')
  if (isPaired && price.groups.some(({ amounts }) => amounts.some((amount) => amount % 5 !== 0)))
    return unread('several_readings')
  const { columns, digits, mode } = isPaired ? nothing : named
  return {
    kind: 'price',
    groups: price.groups,
    reverse: price.reverse,
    named: { columns, digits: named.digits ?? digits, mode: mode ?? price.mode },
    mark: tokens.some((token) => isWord(token, 'each')) ? 'each' : mark,
    has_currency: tokens.some((token) => isWord(token, 'baht', 'baht_or_top')),
    number: price.groups.length === 1 && countNumbers(tokens, 0) === 1 ? number : null,
  }
}

function readBets(cursor: Cursor, first: ColumnRun, above: Above): Core {
  const { tokens, doubts } = cursor
  const bets: RawBet[] = []
  let named: Named = first
  for (let isFirst = true; ; isFirst = false) {
    if (!isFirst) {
      skipBetween(cursor)
      const next = readColumns(tokens, cursor.at)
      if (next.end > cursor.at) {
        // "12=50 ล่าง 13=20": the column may belong to the bet before it.
        if (first.columns.length === 0) doubts.add('several_readings')
        named = { ...next, columns: next.columns.length > 0 ? next.columns : named.columns }
        cursor.at = next.end
        if (isSign(tokens[cursor.at], ':')) cursor.at += 1
      }
    }
    const isDoors = isSign(tokens[cursor.at], 'x') && tokens[cursor.at + 1]?.gap === false
    if (isDoors) cursor.at += 1
    if (!isNumber(tokens[cursor.at])) {
      if (isFirst || isDoors || !isRest(tokens, cursor.at)) return unread(isFirst ? 'bad_number' : 'several_readings')
      doubts.add('several_readings')
      break
    }
    const run = readRun(tokens, cursor.at)
    const read = readBet(cursor, run, isFirst, named, isDoors, above)
    if ('kind' in read) return read
    bets.push(...read.bets)
    if (read.numbers !== null)
      return { kind: 'bets', bets, named, numbers: read.numbers, may_be_price: false, may_end_list: false, sum: null }
    if (isRest(tokens, cursor.at)) {
      if (tokens.slice(cursor.at).some((token) => isSign(token, '='))) doubts.add('several_readings')
      break
    }
    // "12=50 13=20 =70" ends with its sum.
    const mayEnd = bets.length > 1 || (bets[0]?.groups[0]?.amounts.length ?? 0) > 1
    if (mayEnd && isSign(tokens[cursor.at], '=') && isNumber(tokens[cursor.at + 1])) {
      cursor.at += 1
      const total = readAmount(cursor)
      if (typeof total === 'string' || !isRest(tokens, cursor.at)) return unread('several_readings')
      return { ...finishBets(cursor, bets, first), sum: total } as Core
    }
  }
  return finishBets(cursor, bets, first)
}

function finishBets({ tokens, doubts }: Cursor, bets: readonly RawBet[], first: ColumnRun): Core {
  const tooLong = bets.some(({ numbers }) => numbers.some((number) => number.length > 3))
  if (tooLong) return unread('bad_number')
  spreadLastColumn(bets, doubts)
  const start = tokens[0]
  const may_be_price =
    bets.length === 1 && isNumber(start) && isRound(start.text) && isSign(tokens[1], '*', 'x') && first.end === 0
  const may_end_list = bets.length === 1 && isNumber(start) && isNumber(tokens[1]) && isSign(tokens[2], '*', 'x')
  return { kind: 'bets', bets, named: first, numbers: [], may_be_price, may_end_list, sum: null }
}

/** "12=50 13=20 บน" may name the column of all bets. */
function spreadLastColumn(bets: readonly RawBet[], doubts: Set<ChatReason>): void {
  const last = bets.at(-1)
  if (bets.length < 2 || last?.groups.length !== 1 || last.groups[0]?.columns === null) return
  if (bets.some(({ groups }) => groups.some(({ columns }) => columns === null))) doubts.add('several_readings')
}

/** Signs and "กับ" between two bets. */
function skipBetween(cursor: Cursor): void {
  while (
    isSign(cursor.tokens[cursor.at], ',', '/', '.', '+', '-', ':', '¦') ||
    isWord(cursor.tokens[cursor.at], 'and')
  ) {
    if (isSign(cursor.tokens[cursor.at], '.', ':')) cursor.doubts.add('several_readings')
    cursor.at += 1
  }
}
