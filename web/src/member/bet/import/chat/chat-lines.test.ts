// Goal: nothing is bet that the member has not seen as sure or confirmed, and a changed line asks again.

import { betTypeCodes, readChat, usualBetTypes } from '@megalot/rules'
import type { ChatLine } from '@megalot/rules'
import { describe, expect, test } from 'vitest'
import { carryConfirmed, groupNumbers, sortLines } from './chat-lines.ts'

const read = (text: string): readonly ChatLine[] => readChat(text, { offered: betTypeCodes }).lines
const numbersOf = (lines: readonly ChatLine[]): readonly number[] => lines.map(({ line_no }) => line_no)
const nothing: ReadonlySet<number> = new Set()

const chat = ['20:15 สมชาย', 'บน', '12-13=50', '305', '123=100x50', '47=20 นะ', '99=1,000', 'รวม 270'].join('\n')

describe('the lines of a chat', () => {
  test('sure lines are bet, others are asked about, set aside or refused', () => {
    const { unread, unsure, bets, aside, items } = sortLines(
      read('บนล่าง\n12=50*20\n1234=50\n\nล่าง 5=\nสมชาย\n12=50'),
      nothing,
    )
    expect(numbersOf(bets)).toEqual([2])
    expect(numbersOf(unsure)).toEqual([7])
    expect(numbersOf(unread)).toEqual([3, 5])
    expect(numbersOf(aside)).toEqual([1, 6])
    expect(items).toEqual([
      { number: '12', bet_type: '2top', bet_satang: 5_000 },
      { number: '12', bet_type: '2bottom', bet_satang: 2_000 },
    ])
  })

  test('an unsure line is bet once it is confirmed, in its place', () => {
    const lines = read('12=50*20\n13=50\n14=50*20')
    expect(numbersOf(sortLines(lines, nothing).bets)).toEqual([1, 3])
    const { bets, unsure, items } = sortLines(lines, new Set([2]))
    expect(numbersOf(bets)).toEqual([1, 2, 3])
    expect(numbersOf(unsure)).toEqual([2])
    expect(items).toHaveLength(5)
  })

  test('a confirmation makes no bet of a refused line', () => {
    const lines = read('12=10.50\nสมชาย')
    expect(sortLines(lines, new Set([1, 2])).items).toEqual([])
  })

  test('a column that the market does not offer is refused on its line', () => {
    const { lines } = readChat('หน้า 123=20\nบน 12=50', { offered: usualBetTypes })
    const { unread, bets } = sortLines(lines, new Set([1]))
    expect(unread.map(({ line_no, reason }) => [line_no, reason])).toEqual([[1, 'column_not_offered']])
    expect(numbersOf(bets)).toEqual([2])
  })
})

describe('a confirmation', () => {
  const carry = (before: string, after: string, ...confirmed: readonly number[]): readonly number[] => [
    ...carryConfirmed(read(before), read(after), new Set(confirmed)),
  ]

  test.each([
    ['the same text', '12=50\n13=50', '12=50\n13=50', [2], [2]],
    ['a line above', '12=50\n13=50', '20=5*5\n\n12=50\n13=50', [1, 2], [3, 4]],
    ['a line below', '12=50', '12=50\n13=50', [1], [1]],
    ['a change between', '12=50\n13=50\n14=50', '12=50\n13=60\n14=50', [1, 2, 3], [1, 3]],
    ['other spaces around the line', '12=50', '  12=50 ', [1], [1]],
    ['another amount', '12=50', '12=500', [1], []],
    ['another number', '12=50', '13=50', [1], []],
    ['a column word on the line', '12=50', 'ล่าง 12=50', [1], []],
    ['a heading that changes the reading', '12=1,000', 'ล่าง\n12=1,000', [1], []],
    ['another heading', 'บน\n12=1,000', 'ล่าง\n12=1,000', [2], []],
    ['another doubt', 'เพิ่ม\nบน 12=50', 'ลาว\nฮานอย\nบน 12=50', [2], []],
    ['one of two equal lines removed', '12=50\n12=50', '12=50', [1], [1]],
    ['another text with an equal line', '12=50\n13=50', '20=5*5\n12=50\n21=5*5', [1], []],
    ['an empty text', '12=50', '', [1], []],
  ] as const)('after %s', (_, before, after, confirmed, expected) => {
    expect(carry(before, after, ...confirmed)).toEqual(expected)
  })

  test('a line that is changed and changed back asks again', () => {
    const first = read('12=50\n13=50')
    const confirmed = carryConfirmed(first, read('12=5\n13=50'), new Set([1, 2]))
    expect([...carryConfirmed(read('12=5\n13=50'), first, confirmed)]).toEqual([2])
  })
})

describe('the numbers of a line', () => {
  test.each([
    ['12-13=50*20', ['12 13: 2top 5000 2bottom 2000']],
    ['บน 12=50 13=20', ['12: 2top 5000', '13: 2top 2000']],
    ['บน 12กลับ=50', ['12 21: 2top 5000']],
    ['บน 12=50 ล่าง 12=20 13=20', ['12: 2top 5000 2bottom 2000', '13: 2bottom 2000']],
  ])('%s', (text, expected) => {
    const [line] = read(text)
    const shown = groupNumbers(line!.bets).map(
      ({ numbers, stakes }) =>
        `${numbers.join(' ')}: ${stakes.map(({ bet_type, bet_satang }) => `${bet_type} ${bet_satang}`).join(' ')}`,
    )
    expect(shown).toEqual(expected)
  })

  test('every item of a chat is shown', () => {
    for (const { bets } of read(chat)) {
      const shown = groupNumbers(bets).reduce((sum, { numbers, stakes }) => sum + numbers.length * stakes.length, 0)
      expect(shown).toBe(bets.length)
    }
  })
})
