// Reads the price of a chat bet: amounts and the columns they are for.
//
//   =50*20     บน50ล่าง20     =50บน 20ล่าง     ตัวละ 50     =50*20 บนล่าง     =50กลับ20

import type { ChatReason, PriceGroup } from './chat-bet.ts'
import { isNumber, isSign, isWord, type NumberToken, type Token } from './chat-tokens.ts'
import type { ColumnName, ModeName } from './chat-words.ts'

/** A place in a line, and the doubts found so far. */
export interface Cursor {
  readonly tokens: readonly Token[]
  at: number
  readonly doubts: Set<ChatReason>
}

export interface Price {
  groups: readonly PriceGroup[]
  mode: ModeName | null
  reverse: number | null
}

/** Signs between numbers that share a price. */
const JOINTS = ['-', ',', '/', '.', '+'] as const

/** Numbers in a row, and the signs between them; a blank is ' '. */
export interface Run {
  numbers: readonly NumberToken[]
  joints: readonly string[]
  /** Position after the last number. */
  end: number
}

export function readRun(tokens: readonly Token[], from: number): Run {
  const numbers = [tokens[from] as NumberToken]
  const joints: string[] = []
  let end = from + 1
  for (;;) {
    const token = tokens[end]
    const isJoint = isSign(token, ...JOINTS) || isWord(token, 'and')
    const number = isJoint ? tokens[end + 1] : token
    if (!isNumber(number)) return { numbers, joints, end }
    joints.push(isJoint ? (token?.kind === 'sign' ? token.text : ',') : ' ')
    numbers.push(number)
    end += isJoint ? 2 : 1
  }
}

export function isPriceMark(token: Token | undefined): boolean {
  return isSign(token, '=', ':') || isWord(token, 'each')
}

export function isColumn(token: Token | undefined): boolean {
  return isWord(token, 'column', 'baht_or_top')
}

/** Columns in a row, also joined by signs as in "บน/ล่าง", with the digits they name. */
export interface ColumnRun {
  columns: readonly ColumnName[]
  digits: number | null
  mode: ModeName | null
  end: number
}

/** Reads columns, digits and modes from a position on, in any order. */
export function readColumns(tokens: readonly Token[], from: number): ColumnRun {
  const columns: ColumnName[] = []
  let digits: number | null = null
  let mode: ModeName | null = null
  let end = from
  for (let at = from; ; at += 1) {
    const token = tokens[at]
    if (token?.kind === 'word' && token.word.kind === 'column') columns.push(...token.word.columns)
    else if (isWord(token, 'baht_or_top')) columns.push('top')
    else if (token?.kind === 'word' && token.word.kind === 'digits') digits = token.word.digits
    else if (token?.kind === 'word' && token.word.kind === 'mode') mode = token.word.mode
    else if (end > from && (isSign(token, '/', '+', '-', ',', '*') || isWord(token, 'and'))) continue
    else return { columns, digits, mode, end }
    end = at + 1
  }
}

/** Whether a bet with its own numbers begins here, rather than more of the price before. */
export function startsBet(tokens: readonly Token[], from: number): boolean {
  const prefix = readColumns(tokens, from)
  const start = isSign(tokens[prefix.end], 'x') ? prefix.end + 1 : prefix.end
  if (!isNumber(tokens[start])) return false
  const run = readRun(tokens, start)
  const next = tokens[run.end]
  if (isPriceMark(next) || isSign(next, '*', 'x')) return true
  if (prefix.end > from || next === undefined) return false
  const after = readColumns(tokens, run.end)
  if (after.end === run.end) return false
  if (isPriceMark(tokens[after.end])) return true
  if (isNumber(tokens[after.end])) {
    // "20ล่าง 13=50": the column belongs to the amount before it.
    const later = readRun(tokens, after.end)
    return run.numbers.length > 1 || !isPriceMark(tokens[later.end])
  }
  return run.numbers.length > 1 && !next.gap
}

/** An amount in Baht, or why it cannot be read. Moves past it and its currency. */
export function readAmount(cursor: Cursor): number | ChatReason {
  const { tokens, doubts } = cursor
  let digits = (tokens[cursor.at] as NumberToken).text
  cursor.at += 1
  if (digits.length > 1 && digits.startsWith('0')) return 'unclear_amount'
  // "1,000" and "1,000,000"; in "12=50,130=20" the comma separates bets.
  if (digits.length < 3 && isThousands(cursor)) {
    doubts.add('unclear_amount')
    for (let next = glued(cursor, ','); next?.length === 3; next = glued(cursor, ',')) {
      digits += next
      cursor.at += 2
    }
  }
  const decimals = glued(cursor, '.')
  const isWhole = decimals !== null && /^00?$/.test(decimals) && !isPriceMark(tokens[cursor.at + 2])
  if (decimals !== null && (isWhole || !startsBet(tokens, cursor.at + 1))) {
    if (!isWhole) return 'unclear_amount'
    doubts.add('unclear_amount')
    cursor.at += 2
  }
  if (digits.length > 12) return 'amount_too_large'
  while (isWord(tokens[cursor.at], 'baht')) cursor.at += 1
  return Number(digits)
}

function isThousands(cursor: Cursor): boolean {
  const { tokens, at } = cursor
  const next = glued(cursor, ',')
  if (next?.length !== 3) return false
  const after = tokens[at + 2]
  if (isPriceMark(after)) return false
  const isJoined =
    (isSign(after, ...JOINTS) && after?.gap === false) || (isSign(after, '*', 'x') && !next.endsWith('00'))
  return !isJoined || !startsBet(tokens, at + 1)
}

/** The digits after a sign without blanks, or null. */
function glued({ tokens, at }: Cursor, sign: string): string | null {
  const next = tokens[at + 1]
  return isSign(tokens[at], sign) && tokens[at]?.gap === false && isNumber(next) && !next.gap ? next.text : null
}

type Element =
  | { kind: 'amount'; baht: number }
  | { kind: 'columns'; columns: readonly ColumnName[]; isBahtOrTop: boolean }
  | { kind: 'mode'; mode: ModeName }

/** More than any price has; bounds the time for one price. */
const MAX_ELEMENTS = 16

/** Reads a price up to the next bet or the end of the line. */
export function readPrice(cursor: Cursor): Price | ChatReason {
  const elements: Element[] = []
  const failed = readElements(cursor, elements)
  if (failed !== null) return failed
  if (!elements.some(({ kind }) => kind === 'amount')) return 'no_amount'
  const modes = elements.flatMap((element) => (element.kind === 'mode' ? [element.mode] : []))
  if (modes.length > 1) return 'several_readings'
  const mode = modes[0] ?? null
  const place = elements.findIndex(({ kind }) => kind === 'mode')
  // "50*50 กลับ" may be 50 for the number and 50 for its reverse.
  if (place > 1 && mode !== null) cursor.doubts.add('several_readings')
  const [first, second, third] = elements
  if (first?.kind === 'amount' && second?.kind === 'mode' && third?.kind === 'amount' && elements.length === 3) {
    cursor.doubts.add('several_readings')
    return { groups: [{ columns: null, amounts: [first.baht] }], mode, reverse: third.baht }
  }
  const groups = groupElements(
    elements.filter((element) => element.kind !== 'mode'),
    cursor.doubts,
  )
  return groups === null ? 'several_readings' : { groups, mode, reverse: null }
}

/** Reads the elements of a price; returns why it cannot be read, or null. */
function readElements(cursor: Cursor, elements: Element[]): ChatReason | null {
  const { tokens, doubts } = cursor
  let joint: string | null = null
  for (;;) {
    if (elements.length > MAX_ELEMENTS) return 'several_readings'
    const token = tokens[cursor.at]
    const last = elements.at(-1)
    const isAfterAmount = last?.kind === 'amount'
    if (isNumber(token)) {
      // In "12บน50ล่าง20" every column takes the next number.
      const isTaken = elements[0]?.kind !== 'amount' && !isAfterAmount
      if (!isTaken && joint !== '*' && joint !== 'x') {
        if (startsBet(tokens, cursor.at)) return null
        if (isAfterAmount && !isUsualJoint(joint)) doubts.add('several_readings')
      }
      const baht = readAmount(cursor)
      if (typeof baht === 'string') return baht
      elements.push({ kind: 'amount', baht })
      joint = null
    } else if (isWord(token, 'column', 'baht_or_top', 'digits', 'mode')) {
      if (isAfterAmount && !isSuffix(tokens, cursor.at) && startsBet(tokens, cursor.at)) return null
      pushColumns(cursor, elements)
      joint = null
    } else if (isWord(token, 'baht') && !isAfterAmount && isNumber(tokens[cursor.at + 1])) cursor.at += 1
    else if (isPriceMark(token) && (last === undefined || last.kind !== 'amount') && joint === null) cursor.at += 1
    else if (
      last !== undefined &&
      joint === null &&
      isSign(token, '*', 'x', ...JOINTS) &&
      isJoining(tokens, cursor.at)
    ) {
      joint = (token as { text: string }).text
      if (joint !== '*' && joint !== 'x' && startsBet(tokens, cursor.at + 1)) return null
      cursor.at += 1
      if (joint === '-' && !tokens[cursor.at]?.gap && tokens[cursor.at - 1]?.gap) return 'negative'
    } else return isSign(token, '-') && last === undefined ? 'negative' : null
  }
}

/** Whether an amount, a column or a currency follows a sign. */
function isJoining(tokens: readonly Token[], at: number): boolean {
  return isNumber(tokens[at + 1]) || isWord(tokens[at + 1], 'column', 'baht_or_top', 'mode', 'baht')
}

/** Amounts are usually joined by these signs. */
function isUsualJoint(joint: string | null): boolean {
  return joint === '*' || joint === 'x' || joint === '/'
}

/** A column directly after its amount and before a blank, as in "50ล่าง 20". */
function isSuffix(tokens: readonly Token[], at: number): boolean {
  return tokens[at]?.gap === false && tokens[readColumns(tokens, at).end]?.gap === true
}

function pushColumns(cursor: Cursor, elements: Element[]): void {
  const { tokens, at } = cursor
  const isBahtOrTop = isWord(tokens[at], 'baht_or_top') && elements.at(-1)?.kind === 'amount'
  if (isBahtOrTop) {
    // Alone, because the next column belongs to the next amount.
    elements.push({ kind: 'columns', columns: ['top'], isBahtOrTop })
    cursor.at += 1
    return
  }
  const { columns, mode, end } = readColumns(tokens, at)
  if (columns.length > 0) elements.push({ kind: 'columns', columns, isBahtOrTop })
  if (mode !== null) elements.push({ kind: 'mode', mode })
  cursor.at = end
}

/** Groups amounts with the columns before or after them; `null` if both are possible. */
function groupElements(all: readonly Element[], doubts: Set<ChatReason>): readonly PriceGroup[] | null {
  const elements = decideBaht(all, doubts)
  const isPrefix = elements[0]?.kind === 'columns'
  const isSuffix = !isPrefix && elements.at(-1)?.kind === 'columns'
  if (isPrefix && elements.at(-1)?.kind === 'columns') return null
  const groups: { columns: readonly ColumnName[] | null; amounts: number[] }[] = []
  let open: number[] = []
  for (const element of elements) {
    if (element.kind === 'amount') {
      const group = groups.at(-1)
      if (isSuffix || group === undefined) open.push(element.baht)
      else group.amounts.push(element.baht)
    } else if (element.kind === 'columns') {
      if (isSuffix) {
        if (open.length === 0) return null
        groups.push({ columns: element.columns, amounts: open })
        open = []
      } else {
        if (open.length > 0) {
          // "12=50ล่าง20": the first amount has no column of its own.
          groups.push({ columns: null, amounts: open })
          doubts.add('several_readings')
          open = []
        }
        groups.push({ columns: element.columns, amounts: [] })
      }
    }
  }
  if (open.length > 0) groups.push({ columns: null, amounts: open })
  if (groups.length === 0 || groups.some(({ amounts }) => amounts.length === 0)) return null
  return isSuffix ? splitSuffix(groups, doubts) : groups
}

/** "50*20ล่าง" names only the column of its last amount. */
function splitSuffix(groups: readonly PriceGroup[], doubts: Set<ChatReason>): readonly PriceGroup[] {
  return groups.flatMap(({ columns, amounts }): readonly PriceGroup[] => {
    if (columns?.length !== 1 || amounts.length === 1) return [{ columns, amounts }]
    doubts.add('several_readings')
    return [
      { columns: null, amounts: amounts.slice(0, -1) },
      { columns, amounts: amounts.slice(-1) },
    ]
  })
}

/** "50บ" is 50 Baht, or 50 on top if other amounts of the price name their columns in the same way. */
function decideBaht(elements: readonly Element[], doubts: Set<ChatReason>): readonly Element[] {
  const unclear = elements.filter((element) => element.kind === 'columns' && element.isBahtOrTop)
  if (unclear.length === 0) return elements
  const columns = elements.filter(({ kind }) => kind === 'columns')
  const amounts = elements.length - columns.length
  // "50บ 20ล" has one column for each amount.
  if (unclear.length === 1 && columns.length === amounts && amounts > 1 && elements.at(-1)?.kind === 'columns')
    return elements
  if (unclear.length !== amounts || amounts === 1) doubts.add('several_readings')
  return elements.filter((element) => !unclear.includes(element))
}
