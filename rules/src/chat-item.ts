// Reads one bet of a chat line: its numbers, their columns and their price.

import type { ChatReason, PriceGroup, RawBet } from './chat-bet.ts'
import { isPriceMark, readColumns, readPrice, type ColumnRun, type Cursor, type Price, type Run } from './chat-price.ts'
import { countBeforeStar, isRound, joinNumbers, readFreeRun, type Above } from './chat-run.ts'
import { isNumber, isSign, isWord, type Token } from './chat-tokens.ts'
import type { ColumnName, ModeName } from './chat-words.ts'

/** Words at the start of a line that also count for its later bets. */
export type Named = Omit<ColumnRun, 'end'>

/** Whether only signs without meaning are left. */
export function isRest(tokens: readonly Token[], from: number): boolean {
  for (let at = from; at < tokens.length; at += 1)
    if (!isSign(tokens[at], '-', '*', '/', '.', ',', ':', '+', '=', '~')) return false
  return true
}

/** A line that cannot be read. */
export interface Unread {
  kind: 'unread'
  reason: ChatReason
}

/** Numbers without a price. */
export interface NumbersAlone {
  kind: 'numbers'
  numbers: readonly string[]
  named: Named
}

export function unread(reason: ChatReason): Unread {
  return { kind: 'unread', reason }
}

export interface BetPart {
  bets: readonly RawBet[]
  /** Not null if the bets end the line and may be numbers alone. */
  numbers: readonly string[] | null
}

/** Reads one bet from its numbers on, or why the line is something else. */
export function readBet(
  cursor: Cursor,
  run: Run,
  isFirst: boolean,
  named: Named,
  isDoors: boolean,
  above: Above,
): BetPart | NumbersAlone | Unread {
  const { tokens, doubts } = cursor
  const next = tokens[run.end]
  const mid = readColumns(tokens, run.end)
  const around = { ...above, isSingle: named.columns.length === 1 || (named.columns.length === 0 && above.isSingle) }
  let count = run.numbers.length
  let mode: ModeName | null = isDoors ? 'doors' : named.mode
  cursor.at = run.end
  if (isSign(next, 'x') && isPriceMark(tokens[run.end + 1])) {
    // "123x=20".
    doubts.add('several_readings')
    mode = 'doors'
    cursor.at += 1
  } else if (isTimesDoors(tokens, run)) {
    doubts.add('several_readings')
    mode = 'doors'
    cursor.at += 2
  } else if (isSign(next, '*', 'x')) {
    count = countBeforeStar(run, tokens, around, doubts)
    if (count === run.numbers.length) cursor.at += 1
  } else if (mid.end > run.end) {
    const end = tokens[mid.end]
    if (isAmountBefore(run, tokens, mid)) {
      count -= 1
      // "12 50 บน" may name two numbers.
      if (next?.gap === true) doubts.add('several_readings')
    } else if (end === undefined || isRest(tokens, mid.end)) {
      if (!isFirst) return unread('no_amount')
      const numbers = joinNumbers(run, false, doubts)
      return { kind: 'numbers', numbers, named: join(named, mid) }
    }
  } else if (isWord(next, 'baht', 'baht_or_top') && count > 1) {
    if (count > 2) doubts.add('several_readings')
    count -= 1
  } else if (!isPriceMark(next)) {
    return readFree(cursor, run, isFirst, named, isDoors, around)
  }
  if (count < run.numbers.length) cursor.at = positionOf(tokens, run)
  const numbers = joinNumbers(
    { ...run, numbers: run.numbers.slice(0, count), joints: run.joints.slice(0, count - 1) },
    next?.gap === false,
    doubts,
  )
  const start = cursor.at
  const price = readPrice(cursor)
  if (typeof price === 'string') return unread(price)
  // Three digits with "/" may also be top and bottom.
  if (numbers[0]?.length === 3 && hasSlash(tokens, start, cursor.at)) doubts.add('several_readings')
  return { bets: [makeBet(numbers, price, named, mode, isDoors, !isPriceMark(next), doubts)], numbers: null }
}

/** "123x6=20" and "123*6 20" usually mean all orders. */
function isTimesDoors(tokens: readonly Token[], { numbers, end }: Run): boolean {
  const factor = tokens[end + 1]
  const after = tokens[end + 2]
  if (!isSign(tokens[end], '*', 'x') || !isNumber(factor) || !/^[36]$/.test(factor.text)) return false
  return numbers[0]?.text.length === 3 && (isPriceMark(after) || (isNumber(after) && after.gap))
}

function hasSlash(tokens: readonly Token[], from: number, end: number): boolean {
  for (let at = from; at < end; at += 1) if (isSign(tokens[at], '/')) return true
  return false
}

/** The position of the last number of a run. */
function positionOf(tokens: readonly Token[], run: Run): number {
  let at = run.end - 1
  while (!isNumber(tokens[at])) at -= 1
  return at
}

/** Whether the last number of a run before columns is an amount: "123 50โต๊ด", "12 50บน 20ล่าง". */
function isAmountBefore({ numbers, joints, end }: Run, tokens: readonly Token[], mid: ColumnRun): boolean {
  if (numbers.length < 2 || mid.columns.length === 0 || joints.at(-1) !== ' ') return false
  const [first] = numbers
  const last = numbers.at(-1)
  const isOther = last?.text.length !== first?.text.length || isRound(last?.text ?? '')
  const after = tokens[mid.end]
  // In "44 55 บน 100" the column takes the number after it.
  const isSuffix = !isNumber(after) || (after.gap && tokens[end]?.gap === false)
  return isOther && !isPriceMark(after) && isSuffix
}

function join(one: Named, other: Named): Named {
  return {
    columns: [...one.columns, ...other.columns],
    digits: one.digits ?? other.digits,
    mode: one.mode ?? other.mode,
  }
}

/** A run without a price after it. */
function readFree(
  cursor: Cursor,
  run: Run,
  isFirst: boolean,
  named: Named,
  isDoors: boolean,
  above: Above,
): BetPart | NumbersAlone | Unread {
  const { tokens, doubts } = cursor
  if (!isRest(tokens, run.end)) return unread('several_readings')
  const free = readFreeRun(run, above, doubts)
  if (typeof free === 'string') return unread(free)
  if (free.bets.length === 0) {
    if (!isFirst) return unread('no_amount')
    if (free.numbers.some((number) => number.length > 3)) return unread('bad_number')
    return { kind: 'numbers', numbers: free.numbers, named: isDoors ? { ...named, mode: 'doors' } : named }
  }
  // "บน 12 50" may name two numbers.
  if (named.columns.length > 0 || !isFirst || isDoors) doubts.add('several_readings')
  if (free.bets.some(({ numbers }) => (numbers[0] as string).length > 3)) return unread('bad_number')
  const bets = free.bets.map((bet) => ({
    ...bet,
    groups: bet.groups.map((group) => ({ ...group, columns: columnsOf(named) })),
    mode: isDoors ? 'doors' : named.mode,
    digits: named.digits,
  }))
  return { bets, numbers: free.numbers }
}

function columnsOf({ columns }: Named): readonly ColumnName[] | null {
  return columns.length > 0 ? columns : null
}

function sortDigits(digits: string): string {
  return [...digits].sort().join('')
}

/** Whether an amount has the digits of the number, or is no usual amount and stands behind no price mark. */
function isLikeNumber(amount: string, number: string, isUnmarked: boolean): boolean {
  return (
    sortDigits(amount) === sortDigits(number) || (isUnmarked && amount.length === number.length && !isRound(amount))
  )
}

function makeBet(
  numbers: readonly string[],
  price: Price,
  named: Named,
  mode: ModeName | null,
  isDoors: boolean,
  isUnmarked: boolean,
  doubts: Set<ChatReason>,
): RawBet {
  const isUnnamed = price.groups.every(({ columns }) => columns === null)
  if (named.columns.length > 0 && !isUnnamed) doubts.add('several_readings')
  const amounts = price.groups.flatMap((group) => group.amounts)
  if (isDoors && amounts.length > 1) doubts.add('several_readings')
  if (amounts.length > 1 && amounts.some((amount) => amount > 0 && amount < 5)) doubts.add('several_readings')
  const [only] = amounts
  // "12=21" and "12*13" may name two numbers.
  if (amounts.length === 1 && isLikeNumber(String(only), numbers[0] as string, isUnmarked))
    doubts.add('several_readings')
  const groups = price.groups.map(({ columns, amounts }) => ({ columns: columns ?? columnsOf(named), amounts }))
  const [first = 0, second] = amounts
  // "123=20x6" usually means all six orders.
  if (isUnnamed && numbers[0]?.length === 3 && amounts.length === 2 && first >= 10 && (second === 6 || second === 3)) {
    doubts.add('several_readings')
    const [group] = groups as [PriceGroup]
    return { numbers, groups: [{ ...group, amounts: [first] }], mode: 'doors', reverse: null, digits: named.digits }
  }
  return { numbers, groups, mode: mode ?? price.mode, reverse: price.reverse, digits: named.digits }
}
