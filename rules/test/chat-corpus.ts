// Loads the chat corpus: pasted texts with the reading that their writers meant. Any flaw in a file is an error.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { betTypeCodes, usualBetTypes, type BetTypeCode } from '../src/bet-type-code.ts'
import { isBetTypeCode, isNumberOf } from '../src/bet-type.ts'

/** Odd case numbers are open. Even ones are held out for the final measure. */
export const corpusParts = ['open', 'held'] as const
export type CorpusPart = (typeof corpusParts)[number]

export interface CorpusBet {
  number: string
  bet_type: BetTypeCode
  bet_satang: number
}

/**
 * The right reading of one line: `bet` may be read as sure, `unsure` must be confirmed first, `aside` is no bet, and
 * `unread` must not become a sure bet.
 */
export interface CorpusReading {
  /** Counts every line of the pasted text from 1, empty ones too. */
  line_no: number
  kind: 'bet' | 'unsure' | 'aside' | 'unread'
  /** What was set aside. Only for `aside`. */
  reason: string | null
  bets: readonly CorpusBet[]
}

export interface CorpusCase {
  id: string
  title: string
  file: string
  offered: readonly BetTypeCode[]
  text: string
  readings: readonly CorpusReading[]
}

const asideReasons = new Set([
  'account',
  'column',
  'credit',
  'date',
  'greeting',
  'market',
  'name',
  'note',
  'phone',
  'price',
  'ruler',
  'time',
  'total',
])

function parseBets(items: string, offered: readonly BetTypeCode[]): CorpusBet[] {
  const bets = items.split(' | ').flatMap((item) => {
    const [, type = '', numbers = '', baht = ''] = /^(\S+) (\S+) ([1-9][0-9]*)$/.exec(item) ?? []
    if (!isBetTypeCode(type)) throw new Error(`"${item}" is no TYPE NUMBER BAHT`)
    if (!offered.includes(type)) throw new Error(`the market does not offer ${type}`)
    return numbers.split(',').map((number) => {
      if (!isNumberOf(type, number)) throw new Error(`"${number}" does not fit ${type}`)
      return { number, bet_type: type, bet_satang: Number(baht) * 100 }
    })
  })
  if (new Set(bets.map((bet) => `${bet.bet_type} ${bet.number}`)).size < bets.length) {
    throw new Error(`"${items}" names a bet twice`)
  }
  return bets
}

function parseReading(line: string, offered: readonly BetTypeCode[]): CorpusReading {
  const [, lineNo, kind, rest = ''] = /^([1-9][0-9]*) (bet|unsure|aside|unread)(?: (.+))?$/.exec(line) ?? []
  const line_no = Number(lineNo)
  if (kind === 'bet' || kind === 'unsure') return { line_no, kind, reason: null, bets: parseBets(rest, offered) }
  if (kind === 'aside' && (rest === '' || asideReasons.has(rest))) {
    return { line_no, kind, reason: rest === '' ? null : rest, bets: [] }
  }
  if (kind === 'unread' && rest === '') return { line_no, kind, reason: null, bets: [] }
  throw new Error(`"${line}" is no reading`)
}

function parseCase(file: string, block: string): CorpusCase {
  const [head = '', ...body] = block.split('\n')
  const [, id, title] = /^([0-9]{3}) (\S.*)$/.exec(head) ?? []
  if (id === undefined || title === undefined) throw new Error(`${file}: "${head}" is no case header`)
  try {
    const offered = title.endsWith('[lao]') ? usualBetTypes : betTypeCodes
    const ruler = body.indexOf('--- reading')
    if (ruler === -1) throw new Error('no reading')
    const textLines = body.slice(0, ruler)
    const readings = body.slice(ruler + 1).map((line) => parseReading(line, offered))
    const expected = textLines.flatMap((line, index) => (line.trim() === '' ? [] : [index + 1]))
    if (expected.length === 0) throw new Error('no text')
    if (readings.map((reading) => reading.line_no).join() !== expected.join()) {
      throw new Error(`the readings must be of the lines ${expected.join()}, in this order`)
    }
    return { id, title, file, offered, text: textLines.join('\n'), readings }
  } catch (error) {
    throw new Error(`${file} ${id}: ${error instanceof Error ? error.message : String(error)}`, { cause: error })
  }
}

/**
 * Parses one corpus file.
 * @throws where the file breaks the format, with the file, the case and the reason
 */
export function parseCorpusFile(file: string, content: string): CorpusCase[] {
  const [before, ...blocks] = `\n${content}`.split('\n### ')
  if (before !== '' || blocks.length === 0) throw new Error(`${file}: a file begins with a case`)
  return blocks.map((block) => parseCase(file, block.trimEnd()))
}

/** Loads all cases of one part. A part without a folder has none. */
export function loadChatCorpus(part: CorpusPart): CorpusCase[] {
  const folder = new URL(`chat-corpus/${part}/`, import.meta.url)
  if (!existsSync(folder)) return []
  const cases = readdirSync(folder)
    .sort()
    .flatMap((name) => parseCorpusFile(`${part}/${name}`, readFileSync(new URL(name, folder), 'utf8')))
  const ids = new Set<string>()
  for (const { id, file } of cases) {
    if (ids.has(id)) throw new Error(`${file} ${id}: the number is used twice`)
    if ((Number(id) % 2 === 1) !== (part === 'open')) throw new Error(`${file} ${id}: belongs to the other part`)
    ids.add(id)
  }
  return cases
}
