// The chat reader against texts whose right reading people wrote down.
// `CHAT_MISSES=1` prints every line that was read in another way.

import { describe, expect, it } from 'vitest'
import { readChat, type ChatLine } from '../src/chat-reader.ts'
import { corpusParts, loadChatCorpus, type CorpusBet, type CorpusPart, type CorpusReading } from './chat-corpus.ts'

/** Bets as sorted texts, to compare them as a multiset. */
function spell(bets: readonly CorpusBet[]): string {
  return bets
    .map(({ bet_type, number, bet_satang }) => `${bet_type} ${number} ${bet_satang / 100}`)
    .sort()
    .join(' | ')
}

interface Compared {
  where: string
  expected: CorpusReading
  line: ChatLine
}

function compare(part: CorpusPart): readonly Compared[] {
  return loadChatCorpus(part).flatMap(({ id, title, text, offered, readings }) => {
    const { lines } = readChat(text, { offered })
    expect(lines.map(({ line_no }) => line_no)).toEqual(readings.map(({ line_no }) => line_no))
    return readings.map((expected, place) => {
      const line = lines[place] as ChatLine
      return { where: `${id} ${title}: ${line.line_no} ${line.text}`, expected, line }
    })
  })
}

function describeMiss({ where, expected, line }: Compared): string {
  const read = `${line.kind}${line.kind === 'bet' ? (line.is_sure ? ' sure' : ' unsure') : ''} ${line.reason ?? ''}`
  return `${where}\n    wanted ${expected.kind} ${spell(expected.bets)}\n    read   ${read} ${spell(line.bets)}`
}

function percent(part: number, whole: number): string {
  return `${part} of ${whole} (${((part / whole) * 100).toFixed(1)} %)`
}

describe.each(corpusParts)('the %s part of the corpus', (part) => {
  const all = compare(part)
  const bets = all.filter(({ expected }) => expected.kind === 'bet' || expected.kind === 'unsure')
  const asides = all.filter(({ expected }) => expected.kind === 'aside')
  const isRight = ({ expected, line }: Compared): boolean =>
    line.kind === 'bet' && spell(line.bets) === spell(expected.bets)
  const sure = all.filter(({ line }) => line.is_sure)
  const wrong = sure.filter((one) => one.expected.kind !== 'bet' || !isRight(one))
  const misread = bets.filter((one) => !isRight(one))
  const notAside = asides.filter(({ line }) => line.kind !== 'aside')

  it.skipIf(all.length === 0)('has no sure line that is wrong', () => {
    expect(wrong.map(describeMiss)).toEqual([])
  })

  it.skipIf(all.length === 0)('has at least 95 of 100 bets and asides read as meant', () => {
    const certain = bets.filter(({ expected }) => expected.kind === 'bet')
    console.log(
      [
        `${part}: sure lines that are wrong: ${wrong.length} of ${sure.length}`,
        `${part}: bets read as meant: ${percent(bets.length - misread.length, bets.length)}`,
        `${part}: certain bets read as sure: ${percent(certain.filter(({ line }) => line.is_sure).length, certain.length)}`,
        `${part}: asides recognised: ${percent(asides.length - notAside.length, asides.length)}`,
        ...(process.env['CHAT_MISSES'] === undefined ? [] : [...misread, ...notAside].map(describeMiss)),
      ].join('\n'),
    )
    expect((bets.length - misread.length) / bets.length).toBeGreaterThanOrEqual(0.95)
    expect((asides.length - notAside.length) / asides.length).toBeGreaterThanOrEqual(0.95)
  })
})
