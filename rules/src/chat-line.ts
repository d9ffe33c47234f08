// Reads one line of a chat: sets aside times, names, list indexes and totals, and reads the rest as bets.

import type { BetTypeCode } from './bet-type-code.ts'
import type { ChatReason, Items } from './chat-bet.ts'
import { readCore, type CoreLine } from './chat-grammar.ts'
import { dropBrackets, dropNames, dropTimes, findIndex, skipDate, skipSender, skipTime } from './chat-noise.ts'
import { isPriceMark, readAmount } from './chat-price.ts'
import type { Above } from './chat-run.ts'
import { isNumber, isSign, isWord, type Token, type TokenLine } from './chat-tokens.ts'
import { isMisspelt, type WordKind } from './chat-words.ts'
import { readLine } from './import-line.ts'
import { findNoBet } from './import-no-bet.ts'

export type LineShape =
  | {
      kind: 'aside'
      reason: ChatReason
      /** Whether a name holds a column word, and may name a column. */
      may_be_column?: boolean
    }
  | { kind: 'unread'; reason: ChatReason }
  | { kind: 'total'; baht: number | null }
  /** Changes earlier bets; on the listed numbers, or on all if there are none. */
  | { kind: 'instruction'; numbers: readonly string[] }
  /** Announces more bets. */
  | { kind: 'more' }
  | ({ kind: 'core'; total: number | null } & CoreLine)

export interface ShapeContext extends Above {
  /** The list index of the line before, or 0. */
  last_index: number
  /** Whether the text writes prices as in "35:100", so that "12:50" may be a bet. */
  is_colon_price: boolean
}

export interface ReadShape {
  shape: LineShape
  index: number
  /** The name after the time of an exported chat, or null. */
  sender: string | null
}

function aside(reason: ChatReason): LineShape {
  return { kind: 'aside', reason }
}

function unread(reason: ChatReason): LineShape {
  return { kind: 'unread', reason }
}

function read(shape: LineShape, index = 0, sender: string | null = null): ReadShape {
  return { shape, index, sender }
}

/** Reads the shape of a prepared line. */
export function readShape(prepared: string, line: TokenLine, context: ShapeContext): ReadShape {
  const doubts = new Set<ChatReason>()
  let { tokens } = line
  if (tokens.some((token) => token.kind === 'word' && isMisspelt(token.text))) doubts.add('unknown_word')
  // "45=50*" may lack a second price.
  if (isSign(tokens.at(-1), '*', '+', '=')) doubts.add('several_readings')
  // "#46" may be a ticket's or a list's number.
  if (/#\s*[0-9]/.test(prepared)) doubts.add('list_index')
  if (line.is_unreadable) return read(unread('unknown_digit'))
  if (!tokens.some(({ kind }) => kind !== 'sign')) return read(aside('ruler'))
  const noBet = line.has_letter ? null : findNoBet(prepared)
  // Three groups of three digits may also be numbers.
  if (noBet === 'phone_or_account')
    return read(/^0?[0-9]{2,3}(?:[-. ][0-9]{3}){2}$/.test(prepared) ? unread('bad_number') : aside('contact'))
  const when = skipTime(tokens, 0)
  let sender: string | null = null
  if (when > 0 && context.is_colon_price && when === tokens.length) doubts.add('date_or_time')
  else if (when > 0) {
    const named = skipSender(tokens, when)
    const name = tokens.slice(when, named).flatMap((token) => ('text' in token ? [token.text] : []))
    sender = name.length > 0 ? name.join(' ') : null
    if (named === tokens.length) return read(aside(sender === null ? 'time' : 'name'), 0, sender)
    tokens = tokens.slice(sender !== null && isSign(tokens[named], ':') ? named + 1 : named)
  } else if (noBet === 'date_or_time' && skipDate(tokens, 0) === 0) {
    if (tokens.length !== 3) return read(unread('date_or_time'))
    if (!isSameLength(tokens[0], tokens[2])) return read(aside('time'))
    doubts.add('date_or_time')
  }
  const dated = tokens.length
  tokens = dropTimes(tokens, context.is_colon_price, doubts)
  if (tokens.length < dated && !tokens.some(isNumber) && !has(tokens, 'column', 'mode', 'cancel', 'edit'))
    return read(aside(has(tokens, 'market') ? 'market' : 'time'), 0, sender)
  const cleaned = dropNames(tokens, doubts)
  const index = findIndex(cleaned, context.last_index, doubts)
  const rest = dropBrackets(cleaned.slice(index.end), doubts)
  return read(classify(tokens, rest, index.value > 0, context, doubts), index.value, sender)
}

function isSameLength(one: Token | undefined, other: Token | undefined): boolean {
  return isNumber(one) && isNumber(other) && one.text.length === other.text.length
}

function has(tokens: readonly Token[], ...kinds: readonly WordKind[]): boolean {
  return tokens.some((token) => isWord(token, ...kinds))
}

/** Whether letters begin with a word that changes bets, as in "แก้ใหม่"; "แก้ว" is a name. */
function isChange(token: Token): boolean {
  return token.kind === 'unknown' && /^(?:ยกเลิก|แก้(?!ว)|เปลี่ยน)/.test(token.text)
}

function textOf(token: Token): string {
  return token.kind === 'word' ? token.text : ''
}

/** Names the kind of a line; `all` has also the tokens that were dropped from `rest`. */
function classify(
  all: readonly Token[],
  rest: readonly Token[],
  isIndexed: boolean,
  context: ShapeContext,
  doubts: Set<ChatReason>,
): LineShape {
  const numbers = all.filter(isNumber)
  const isPriced = rest.some((token) => isPriceMark(token) || isSign(token, '*'))
  if (has(all, 'cancel', 'edit') || all.some(isChange))
    return { kind: 'instruction', numbers: numbers.map(({ text }) => text) }
  if (!rest.some(isNumber)) return classifyWords(all, rest, isIndexed, context, doubts)
  if (has(all, 'money')) return unread('unclear_amount')
  if (!isPriced && numbers.some(({ text }) => text.length > 8)) return aside('contact')
  if (has(all, 'contact') && !isPriced) return aside('contact')
  if (has(all, 'date', 'clock')) {
    const isDated = all.some(
      (token, place) => isWord(token, 'date') && isNumber(all[place + 1]) && !textOf(token).endsWith('นี้'),
    )
    if (!isPriced) return aside('time')
    if (isDated) return unread('date_or_time')
    doubts.add('date_or_time')
  }
  // "ยอดคงค้าง 1,250".
  if (!isPriced && all.some((token) => token.kind === 'unknown' && token.holds.has('total'))) return aside('note')
  const total = rest.findIndex((token) => isWord(token, 'total'))
  if (total >= 0 && !has(rest, 'each')) return readTotal(rest, total, context, doubts)
  const news = rest.findIndex((token) => isWord(token, 'paid', 'note'))
  if (news >= 0 && !isPriced && !rest.slice(0, news).some(isNumber)) return aside('note')
  const [only] = rest
  if (rest.length === 1 && isNumber(only) && !isIndexed) {
    const before = isNumber(all.at(-1)) ? all.at(-2) : undefined
    if (isWord(before, 'market')) return aside('market')
    if ((before?.kind === 'unknown' || isWord(before, 'name')) && all.at(-1)?.gap === false) return aside('name')
  }
  return toCore(rest, null, context, doubts)
}

/** Words that say nothing about the bets; each is dropped with its doubt. */
const doubtOfWord: Readonly<Partial<Record<WordKind, ChatReason>>> = {
  total: 'several_readings',
  add: 'instruction',
  contact: 'unknown_word',
  date: 'date_or_time',
  clock: 'date_or_time',
  paid: 'unknown_word',
  note: 'unknown_word',
  doubt: 'several_readings',
}

function toCore(
  tokens: readonly Token[],
  total: number | null,
  context: ShapeContext,
  doubts: Set<ChatReason>,
): LineShape {
  const kept: Token[] = []
  let isDropped = false
  for (const token of tokens) {
    const doubt = token.kind === 'word' ? doubtOfWord[token.word.kind] : undefined
    if (doubt === undefined) kept.push(isDropped ? { ...token, gap: true } : token)
    else doubts.add(doubt)
    // Lao words have several spellings; "ท" is roll or back.
    if (token.kind === 'word' && /^(?:ท|[\u0e80-\u0eff].*)$/u.test(token.text)) doubts.add('several_readings')
    isDropped = doubt !== undefined
  }
  const read = readCore(kept, context)
  return { kind: 'core', total, core: read.core, doubts: new Set([...doubts, ...read.doubts]) }
}

/** A line without numbers. */
function classifyWords(
  all: readonly Token[],
  rest: readonly Token[],
  isIndexed: boolean,
  context: ShapeContext,
  doubts: Set<ChatReason>,
): LineShape {
  if (has(all, 'total')) return { kind: 'total', baht: null }
  if (has(rest, 'column', 'mode', 'digits', 'baht_or_top') && !has(rest, 'baht'))
    return toCore(rest, null, context, doubts)
  if (has(all, 'add')) return { kind: 'more' }
  if (has(all, 'market')) return aside('market')
  if (has(all, 'date', 'clock')) return aside('time')
  if (has(all, 'contact')) return aside('contact')
  if (has(all, 'paid', 'note', 'each', 'doubt', 'money', 'baht')) return aside('note')
  if (all.some((token) => token.kind === 'unknown' && token.holds.has('column')))
    return { kind: 'aside', reason: 'name', may_be_column: true }
  if (has(all, 'name', 'title') || all.some(({ kind }) => kind === 'unknown')) return aside('name')
  return aside(isIndexed && rest.length === 0 && all.every((token) => !isWord(token, 'fill')) ? 'index' : 'greeting')
}

/** A total, alone or after bets. */
function readTotal(tokens: readonly Token[], place: number, context: ShapeContext, doubts: Set<ChatReason>): LineShape {
  const baht = readTotalAmount(tokens.slice(place + 1))
  const before = tokens.slice(0, place)
  if (!before.some(isNumber)) return baht === undefined ? unread('several_readings') : { kind: 'total', baht }
  while (isSign(before.at(-1), '=', ':', '-', ',', '/')) before.pop()
  if (baht === undefined) doubts.add('several_readings')
  const shape = toCore(before, baht ?? null, context, doubts)
  // "12 13 14 รวม 150" does not say the price of a number.
  return shape.kind === 'core' && shape.core.kind !== 'bets' ? unread('no_amount') : shape
}

/** The amount of a total; `null` if it has none, `undefined` if it may be a bet. */
function readTotalAmount(tokens: readonly Token[]): number | null | undefined {
  let value: number | null = null
  let isFinal = false
  let isFactor = false
  const cursor = { tokens, at: 0, doubts: new Set<ChatReason>() }
  while (cursor.at < tokens.length) {
    const token = tokens[cursor.at]
    if (isNumber(token)) {
      const from = cursor.at
      const baht = readAmount(cursor)
      if (typeof baht === 'string') return undefined
      const hasCurrency = isWord(tokens[cursor.at - 1], 'baht') && cursor.at > from
      if (!isFinal) value = baht
      isFinal ||= hasCurrency
      // "รวม 12=50" may be a bet.
      if (isSign(tokens[cursor.at], '=') && isNumber(tokens[cursor.at + 1]) && !isFactor && token.text.length < 4)
        return undefined
    } else {
      isFactor ||= isSign(token, '*', 'x')
      cursor.at += 1
    }
  }
  return value
}

/** Reads a line of table cells, as pasted from a spreadsheet, like the strict reader; `null` if it is none. */
export function readTable(prepared: string, tokens: TokenLine, offered: readonly BetTypeCode[]): Items | null {
  if (tokens.has_letter || !prepared.includes('\t')) return null
  const read = readLine(prepared, { offered, is_second_roll: true })
  if (!('items' in read) || (read.stakes.length < 2 && !/\t-?\t/.test(prepared))) return null
  return { bets: read.items, doubts: new Set(['several_readings']) }
}
