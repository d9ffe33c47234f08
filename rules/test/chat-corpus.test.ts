// The chat corpus is well formed, and the loader refuses every flaw.

import { describe, expect, it } from 'vitest'
import { corpusParts, loadChatCorpus, parseCorpusFile } from './chat-corpus.ts'

describe.each(corpusParts)('the %s part of the corpus', (part) => {
  const cases = loadChatCorpus(part)

  it.skipIf(cases.length === 0)('is large, and has lines of every kind', () => {
    expect(cases.length).toBeGreaterThanOrEqual(165)
    const lines = cases.flatMap(({ readings }) => readings)
    expect(lines.length).toBeGreaterThanOrEqual(450)
    expect(new Set(lines.map(({ kind }) => kind))).toEqual(new Set(['bet', 'unsure', 'aside', 'unread']))
  })

  it('has no text twice for the same market', () => {
    const texts = cases.map(({ text, offered }) => `${offered.length} ${text}`)
    expect(texts.filter((text, index) => texts.indexOf(text) !== index)).toEqual([])
  })
})

it('has the open part', () => {
  expect(loadChatCorpus('open')).not.toEqual([])
})

const head = '### 001 a case\nบน 12=50\n\nรวม 50\n--- reading\n'

describe('the loader', () => {
  it('reads a case', () => {
    expect(parseCorpusFile('f', `${head}1 bet 2top 12,21 50 | 1top 3 20\n3 aside total\n`)).toEqual([
      {
        id: '001',
        title: 'a case',
        file: 'f',
        offered: expect.arrayContaining(['3front']),
        text: 'บน 12=50\n\nรวม 50',
        readings: [
          {
            line_no: 1,
            kind: 'bet',
            reason: null,
            bets: [
              { number: '12', bet_type: '2top', bet_satang: 5000 },
              { number: '21', bet_type: '2top', bet_satang: 5000 },
              { number: '3', bet_type: '1top', bet_satang: 2000 },
            ],
          },
          { line_no: 3, kind: 'aside', reason: 'total', bets: [] },
        ],
      },
    ])
  })

  it.each([
    ['a line without reading', `${head}1 unread\n`],
    ['a line read twice', `${head}1 unread\n1 unread\n3 aside\n`],
    ['a reading of an empty line', `${head}1 unread\n2 aside\n3 aside\n`],
    ['a reading of a line that is not there', `${head}1 unread\n3 aside\n4 aside\n`],
    ['an unknown type', `${head}1 bet 2side 12 50\n3 aside\n`],
    ['digits that do not fit', `${head}1 bet 2top 123 50\n3 aside\n`],
    ['Thai digits', `${head}1 bet 2top ๑๒ 50\n3 aside\n`],
    ['a price of 0', `${head}1 bet 2top 12 0\n3 aside\n`],
    ['a price that is missing', `${head}1 bet 2top 12\n3 aside\n`],
    ['a bet named twice', `${head}1 bet 2top 12 50 | 2top 12 20\n3 aside\n`],
    ['bets missing', `${head}1 bet\n3 aside\n`],
    ['an unknown kind', `${head}1 perhaps 2top 12 50\n3 aside\n`],
    ['an unknown reason', `${head}1 unread\n3 aside sum\n`],
    ['bets on a refused line', `${head}1 unread 2top 12 50\n3 aside\n`],
    ['a header without number', '### a case\nบน 12=50\n--- reading\n1 unread\n'],
    ['no text', '### 001 a case\n\n--- reading\n'],
    ['no reading', '### 001 a case\nบน 12=50\n'],
    ['words before the first case', `words\n${head}1 unread\n3 aside\n`],
    ['a type that the market does not offer', '### 001 a case [lao]\n123\n--- reading\n1 bet 3front 123 50\n'],
  ])('refuses %s', (_, content) => {
    expect(() => parseCorpusFile('f', content)).toThrow(/^f/)
  })
})
