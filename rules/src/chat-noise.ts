// Finds what stands beside the bets of a chat line: times, dates, names, list indexes and brackets.

import type { ChatReason } from './chat-bet.ts'
import { isPriceMark } from './chat-price.ts'
import { isNumber, isSign, isWord, type Token } from './chat-tokens.ts'

/** The position after a time: "20:30", "10:45:12", "20.30 น.", also a range; `from` if there is none. */
export function skipTime(tokens: readonly Token[], from: number): number {
  const start = isSign(tokens[from], '[', '(') ? from + 1 : from
  const hour = tokens[start]
  const mark = tokens[start + 1]
  const minute = tokens[start + 2]
  if (!isNumber(hour) || !isNumber(minute) || minute.gap || mark?.gap) return from
  if (Number(hour.text) > 24 || hour.text.length > 2 || !/^[0-5][0-9]$/.test(minute.text)) return from
  let end = start + 3
  if (isSign(mark, ':') && isSign(tokens[end], ':') && isNumber(tokens[end + 1])) end += 2
  const isClock = isWord(tokens[end], 'clock')
  if (!isSign(mark, ':') && !(isSign(mark, '.') && isClock)) return from
  if (isClock) end += 1
  if (start > from && isSign(tokens[end], ']', ')')) end += 1
  if (isSign(tokens[end], '-')) {
    const later = skipTime(tokens, end + 1)
    if (later > end + 1) return later
  }
  const next = tokens[end]
  return next === undefined || next.gap || isClock ? end : from
}

/** The position after a full date: "16/01/2569", "1.6.69", "2026-01-16"; `from` if there is none. */
export function skipDate(tokens: readonly Token[], from: number): number {
  const [day, mark, month, again, year, next] = tokens.slice(from, from + 6)
  if (!isNumber(day) || !isNumber(month) || !isNumber(year)) return from
  if (mark?.kind !== 'sign' || !isSign(mark, '/', '-', '.') || !isSign(again, mark.text)) return from
  if (next !== undefined && !next.gap) return from
  const [first, last] = day.text.length === 4 ? [year, day] : [day, year]
  if (first.text.length > 2 || Number(first.text) > 31 || month.text.length > 2 || Number(month.text) > 12) return from
  return /^(?:2[0-9]{3}|6[5-9]|7[0-9]|2[2-9]|3[0-9])$/.test(last.text) ? from + 5 : from
}

/** The position after the name that follows the time of an exported chat. */
export function skipSender(tokens: readonly Token[], from: number): number {
  let end = from
  for (;;) {
    const token = tokens[end]
    const isName = token?.kind === 'unknown' ? !token.holds.has('column') : isWord(token, 'name', 'title')
    if (!isName || (end === from && token?.gap !== true)) break
    end += 1
  }
  // "Somchai2" ends with a digit.
  return end > from && isNumber(tokens[end]) && tokens[end]?.gap === false ? from : end
}

/** Drops dates and times beside words. Beside numbers they leave a doubt. */
export function dropTimes(tokens: readonly Token[], isColonPrice: boolean, doubts: Set<ChatReason>): readonly Token[] {
  const kept: Token[] = []
  for (let at = 0; at < tokens.length; at += 1) {
    const before = tokens[at - 1]
    const isFree =
      tokens[at]?.gap === true && (isNumber(before) || isWord(before, 'fill', 'name', 'market', 'date', 'baht', 'note'))
    const isAlone = at === 0 || isFree || before?.kind === 'unknown' || isSign(before, ':')
    const date = isAlone ? skipDate(tokens, at) : at
    const end = date > at ? date : isColonPrice || at === 0 ? at : isAlone ? skipTime(tokens, at) : at
    if (end > at) {
      if (kept.some(isNumber)) doubts.add('date_or_time')
      at = end - 1
    } else kept.push(tokens[at] as Token)
  }
  return kept
}

const NAMES = ['fill', 'name', 'title', 'market', 'unit'] as const

/** Drops names, markets and politeness. A colon after a name goes with it. */
export function dropNames(tokens: readonly Token[], doubts: Set<ChatReason>): readonly Token[] {
  const kept: Token[] = []
  let isDropped = false
  for (const [place, token] of tokens.entries()) {
    if (isWord(token, ...NAMES) || token.kind === 'unknown') {
      const isBetween = isNumber(kept.at(-1)) && isNumber(tokens[place + 1])
      // "5o" and "I00" are digits that were mistyped.
      const isMistyped =
        kept.length > 0 && token.kind === 'unknown' && /^[a-z]/.test(token.text) && isGlued(tokens, place)
      if (isWord(token, 'unit') && isNumber(kept.at(-1))) doubts.add('several_readings')
      if (token.kind === 'unknown' || (isBetween && !isWord(token, 'fill'))) doubts.add('unknown_word')
      // "พี่เอ2 12=50": the digit belongs to the name.
      if (!isWord(token, 'fill', 'market') && isNumber(tokens[place + 1]) && tokens[place + 1]?.gap === false)
        doubts.add('unknown_word')
      isDropped = true
      // A word between numbers keeps them apart.
      if (isMistyped || (isBetween && !isWord(token, 'fill'))) kept.push({ kind: 'sign', text: '¦', gap: true })
    } else if (isDropped && kept.length === 0 && isSign(token, ':', '-', ',', '.', '/')) continue
    else {
      kept.push(isDropped ? { ...token, gap: true } : token)
      isDropped = false
    }
  }
  return kept
}

/** Whether a token touches a number. */
function isGlued(tokens: readonly Token[], place: number): boolean {
  const next = tokens[place + 1]
  return (isNumber(tokens[place - 1]) && tokens[place]?.gap === false) || (isNumber(next) && !next.gap)
}

/** A list index at the start: "1. 12=50", "2) 13=50", "(3) 14=50". */
export function findIndex(
  tokens: readonly Token[],
  last: number,
  doubts: Set<ChatReason>,
): { end: number; value: number } {
  const none = { end: 0, value: 0 }
  const isBracketed = isSign(tokens[0], '(', '[')
  const start = isBracketed ? 1 : 0
  const [number, mark, next] = tokens.slice(start, start + 3)
  if (!isNumber(number) || !/^[1-9][0-9]{0,2}$/.test(number.text) || mark?.gap) return none
  const value = Number(number.text)
  const found = { end: start + 2, value }
  if (isSign(mark, ')', ']')) {
    const isNumbered = isNumber(next) || next?.kind === 'word' || isSign(next, '.', '-', 'x')
    if (!isNumbered && next !== undefined) return none
    // "305)307)=50" joins numbers.
    if (!isBracketed && isNumber(next) && next.text.length <= number.text.length && value !== last + 1) return none
    // "(12) 50" may be a number in brackets.
    if (isBracketed && number.text.length > 1 && value !== last + 1) doubts.add('list_index')
    if (isSign(next, '.', '-')) return { ...found, end: found.end + 1 }
    return found
  }
  if (isBracketed || !isSign(mark, '.')) return none
  if (next === undefined) return found
  if (!isNumber(next)) return next.kind === 'word' && next.gap ? found : none
  const isLonger = next.text.length > number.text.length
  const isNext = value === last + 1
  if (!next.gap && !tokens.some(isPriceMark)) return none
  if (!isLonger && !(isNext && next.gap)) return none
  if (!isNext && !next.gap) doubts.add('list_index')
  return found
}

/** Drops brackets. Those around a number inside a line leave a doubt. */
export function dropBrackets(tokens: readonly Token[], doubts: Set<ChatReason>): readonly Token[] {
  if (!tokens.some((token) => isSign(token, '(', ')', '[', ']', '{', '}', '<', '>'))) return tokens
  const kept: Token[] = []
  let isDropped = false
  for (const [place, token] of tokens.entries()) {
    if (isSign(token, '(', ')', '[', ']', '{', '}', '<', '>')) {
      const next = tokens[place + 1]
      if ((kept.length > 0 && isNumber(next)) || isSign(next, '=', ':', '*', 'x')) doubts.add('several_readings')
      isDropped = true
    } else {
      kept.push(isDropped ? { ...token, gap: true } : token)
      isDropped = false
    }
  }
  return kept
}
