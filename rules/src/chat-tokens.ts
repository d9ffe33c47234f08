// Splits a pasted line into numbers, signs and words.

import { prepareLine, NARROW_SPACE } from './import-prepare.ts'
import { splitWords, type Piece, type Word, type WordKind } from './chat-words.ts'

export interface NumberToken {
  kind: 'number'
  text: string
  /** Whether a blank stands before the token. */
  gap: boolean
}

export interface SignToken {
  kind: 'sign'
  text: string
  gap: boolean
}

export interface WordToken {
  kind: 'word'
  word: Word
  text: string
  gap: boolean
}

/** Letters that are no known word. */
export interface UnknownToken {
  kind: 'unknown'
  text: string
  /** The kinds of known words inside the letters. */
  holds: ReadonlySet<WordKind>
  gap: boolean
}

export type Token = NumberToken | SignToken | WordToken | UnknownToken

export interface TokenLine {
  tokens: readonly Token[]
  /** Whether the line has letters; a line without may be read by the strict reader. */
  has_letter: boolean
  /** Whether the line has a digit or sign that cannot be interpreted safely. */
  is_unreadable: boolean
}

const LAO_ZERO = '໐'.charCodeAt(0)
const REPEATED_MARK = /([\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u0eb1\u0eb4-\u0ebc\u0ec8-\u0ecd])\1+/g
const DOTTED = /(?<![\u0e01-\u0e4e])([\u0e01-\u0e4e]{1,3})\.(?=[\u0e01-\u0e4e]{1,3}(?![\u0e01-\u0e4e]))/g

/** Prepares a line for reading: plain text in lower case, with Lao digits as 0-9 and Thai typing variants unified. */
export function prepareChatLine(text: string): string {
  return prepareLine(text)
    .toLowerCase()
    .replaceAll(/[໐-໙]/g, (digit) => String(digit.charCodeAt(0) - LAO_ZERO))
    .replaceAll('เเ', 'แ')
    .replaceAll('ํา', 'ำ')
    .replaceAll(REPEATED_MARK, '$1')
    .replaceAll(DOTTED, '$1')
    .replaceAll('➕', '+')
    .replaceAll('➖', '-')
    .replaceAll('〜', '~')
}

// One alternative per kind of token; each begins with a different character, so that reading never goes back.
const TOKEN =
  /(?<number>[0-9]+)|(?<latin>[a-z]+)|(?<letters>\p{L}[\p{L}\p{M}]*)|(?<blank>\s+)|(?<equal>-*[=>→➜➡⇒➔👉]+>*)|(?<mention>@[\p{L}_][\p{L}\p{M}0-9_]*)|(?<sign>-+|,+|\.+|\*+|\++|\/+|:+|.)/suy

const DECORATED = /[\p{N}\p{M}\p{Cc}\p{Co}\p{Cs}\ufffd❌❎✗✘🚫⛔💯🔟%]/u

const signNames: Readonly<Record<string, string>> = {
  '\\': '/',
  '|': '/',
  '&': '+',
  ';': ',',
  '、': ',',
  "'": ',',
  _: '-',
  '@': '=',
}
const SILENT = /^["'“”„‟«»#!•●○◦▪■□▫◾✅☑✔⭐★☆🔸🔹🔴🔵🟢\p{Sk}\p{Extended_Pictographic}\p{So}]$/u

export function tokenize(prepared: string): TokenLine {
  const tokens: Token[] = []
  let gap = false
  let has_letter = false
  let is_unreadable = false
  const push = (token: Token): void => {
    tokens.push(token)
    gap = false
  }
  TOKEN.lastIndex = 0
  for (let found = TOKEN.exec(prepared); found !== null; found = TOKEN.exec(prepared)) {
    const { number, latin, letters, blank, equal, mention, sign } = found.groups as Record<string, string | undefined>
    if (blank !== undefined) {
      // Narrow spaces stand between thousands.
      is_unreadable ||=
        blank === NARROW_SPACE && tokens.at(-1)?.kind === 'number' && /[0-9]/.test(prepared[TOKEN.lastIndex] ?? '')
      gap = true
    } else if (number !== undefined) push({ kind: 'number', text: number, gap })
    else if (latin === 'x') push({ kind: 'sign', text: 'x', gap })
    else if (latin !== undefined || letters !== undefined) {
      has_letter = true
      for (const token of toWordTokens((latin ?? letters) as string, gap)) push(token)
    } else if (mention !== undefined) {
      has_letter = true
      push({ kind: 'word', word: { kind: 'name' }, text: mention, gap })
    } else if (equal !== undefined) push({ kind: 'sign', text: '=', gap })
    else if (DECORATED.test(sign as string)) is_unreadable = true
    else pushSign(sign as string)
  }
  return { tokens: joinTokens(tokens), has_letter, is_unreadable }

  function isBetweenDigits(length: number): boolean {
    const end = TOKEN.lastIndex
    return /[0-9]/.test(prepared[end] ?? '') && /[0-9]/.test(prepared[end - length - 1] ?? '')
  }

  function pushSign(sign: string): void {
    if (sign === '฿') push({ kind: 'word', word: { kind: 'baht' }, text: sign, gap })
    else if (sign === '?') push({ kind: 'word', word: { kind: 'doubt' }, text: sign, gap })
    else if (!sign.startsWith('*') && SILENT.test(sign) && !isBetweenDigits(sign.length)) gap = true
    else {
      const name = sign[0] as string
      push({ kind: 'sign', text: signNames[name] ?? (sign.length > 1 && !/^[-,.*+/:]/.test(sign) ? sign : name), gap })
    }
  }
}

/** "ครับบบ" and "จ้าาา" are common; no word repeats a letter three times. */
function squeeze(run: string): string {
  const squeezed = run.replaceAll(/(.)\1{2,}/gu, '$1').replaceAll(/ๆ+/g, 'ๆ')
  return squeezed.length > 1 ? squeezed : run
}

function toWordTokens(run: string, gap: boolean): readonly Token[] {
  const pieces = splitWords(squeeze(run))
  if (pieces.every(({ word }) => word !== null))
    return pieces.map(({ word, text }, place) => ({ kind: 'word', word: word as Word, text, gap: place === 0 && gap }))
  if (isName(pieces)) return [{ kind: 'word', word: { kind: 'name' }, text: run, gap }]
  const holds = new Set(pieces.flatMap(({ word }) => (word === null ? [] : [word.kind])))
  return [{ kind: 'unknown', text: run, holds, gap }]
}

/** A title before letters that hold no other word, as in "น้องบี". */
function isName([first, ...rest]: readonly Piece[]): boolean {
  return first?.word?.kind === 'title' && rest.length === 1 && rest[0]?.word === null
}

/** Joins tokens that are one word: "2 ตัว", "6 ประตู", "บ.", "50.-", and a title with its name. */
function joinTokens(tokens: readonly Token[]): readonly Token[] {
  const joined: Token[] = []
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at] as Token
    const before = joined.at(-1)
    const next = tokens[at + 1]
    const word = joinNumberWord(token, next)
    if (word !== null) {
      joined.push({ kind: 'word', word, text: '', gap: token.gap })
      at += 1
    } else if (isSign(token, '.', ',', '/') && before?.kind === 'number' && !token.gap && isDashEnd(tokens, at + 1)) {
      joined.push({ kind: 'word', word: { kind: 'baht' }, text: '', gap: false })
      at += 1
    } else if (isSign(token, '.') && !token.gap && before?.kind === 'word' && isShort(before.word)) continue
    // "780.=20".
    else if (isSign(token, '.', ',', '/') && !token.gap && before?.kind === 'number' && isSign(next, '=') && !next?.gap)
      continue
    else if (
      token.kind === 'unknown' &&
      before?.kind === 'word' &&
      before.word.kind === 'title' &&
      token.holds.size === 0
    )
      joined[joined.length - 1] = { kind: 'word', word: { kind: 'name' }, text: before.text, gap: before.gap }
    else joined.push(token)
  }
  return joined
}

/** A dash after "50." that begins no number. */
function isDashEnd(tokens: readonly Token[], at: number): boolean {
  const next = tokens[at + 1]
  return isSign(tokens[at], '-') && tokens[at]?.gap === false && (next?.kind !== 'number' || next.gap)
}

function isShort(word: Word): boolean {
  return ['column', 'mode', 'baht_or_top', 'baht', 'clock'].includes(word.kind)
}

/** "2 ตัว", "6 ประตู", "19 ประตู" and "6 กลับ". */
function joinNumberWord(token: Token, next: Token | undefined): Word | null {
  if (token.kind !== 'number' || next?.kind !== 'word') return null
  const { word } = next
  if (word.kind === 'unit' && /^[123]$/.test(token.text)) return { kind: 'digits', digits: Number(token.text) }
  if (word.kind !== 'mode') return null
  if (word.mode === 'doors' && token.text === '19') return { kind: 'mode', mode: 'nineteen' }
  const isDoors = word.mode === 'doors' || word.mode === 'reverse'
  return isDoors && /^[36]$/.test(token.text) ? { kind: 'mode', mode: 'doors' } : null
}

export function isSign(token: Token | undefined, ...signs: readonly string[]): boolean {
  return token?.kind === 'sign' && signs.includes(token.text)
}

export function isNumber(token: Token | undefined): token is NumberToken {
  return token?.kind === 'number'
}

export function isWord(token: Token | undefined, ...kinds: readonly WordKind[]): boolean {
  return token?.kind === 'word' && kinds.includes(token.word.kind)
}
