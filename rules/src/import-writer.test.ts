// Copy and paste is the identity: reading the written text returns the same lines in the same order.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { betTypeCodes } from './bet-type-code.ts'
import { betTypeByCode } from './bet-type.ts'
import { readImportText } from './import-reader.ts'
import { writeImportText } from './import-writer.ts'
import { MAX_LINE_SATANG, type SlipLine } from './slip.ts'

function line(bet_type: string, number: string, baht: number): SlipLine {
  return { bet_type, number, bet_satang: baht * 100 } as SlipLine
}

describe('writeImportText', () => {
  it('writes one number per line of text while the columns keep their order', () => {
    expect(writeImportText([line('2top', '12', 50), line('2bottom', '12', 50)])).toBe('12=50*50')
    expect(writeImportText([line('3top', '123', 100), line('3roll', '123', 100)])).toBe('123=100*0*100')
    expect(writeImportText([line('3front', '007', 5)])).toBe('007=0*0*0*5')
    expect(writeImportText([line('1bottom', '7', 1)])).toBe('7=0*1')
    expect(writeImportText([line('2top', '12', 1), line('2roll', '12', 3), line('2top', '13', 4)])).toBe(
      '12=1*0*3\n13=4',
    )
  })

  it('begins a new line of text if the order would change', () => {
    expect(writeImportText([line('2bottom', '12', 1), line('2top', '12', 2)])).toBe('12=0*1\n12=2')
    expect(writeImportText([line('2top', '12', 1), line('2top', '12', 1)])).toBe('12=1\n12=1')
    expect(writeImportText([line('2top', '12', 1), line('2top', '21', 1), line('2bottom', '12', 1)])).toBe(
      '12=1\n21=1\n12=0*1',
    )
  })

  it('writes columns as the reader reads them', () => {
    const lines = [line('3top', '123', 1), line('3roll', '123', 2), line('3bottom', '123', 3)]
    expect(writeImportText(lines, true)).toBe('123=1*2*3')
    expect(writeImportText(lines, false)).toBe('123=1*0*2\n123=0*3')
    expect(writeImportText(lines)).toBe('123=1*0*2\n123=0*3')
  })

  it('writes an empty text for no lines', () => {
    expect(writeImportText([])).toBe('')
  })

  it('leaves out lines that no ticket can hold', () => {
    const bad = [
      line('2top', '123', 1),
      line('2top', '', 1),
      line('2top', '1a', 1),
      line('2top', '12', 0),
      line('2top', '12', -1),
      line('2top', '12', 0.5),
      line('2top', '12', Number.NaN),
      line('2top', '12', Infinity),
      line('2top', '12', MAX_LINE_SATANG / 100 + 1),
      line('9top', '12', 1),
    ]
    expect(writeImportText(bad)).toBe('')
    expect(writeImportText([line('2top', '12', 1), ...bad, line('2bottom', '12', MAX_LINE_SATANG / 100)])).toBe(
      '12=1*100000000',
    )
  })
})

describe('reading the written text', () => {
  // Few numbers and bet types, so that neighbours often share a number.
  const anyLine = fc
    .tuple(fc.constantFrom(...betTypeCodes), fc.integer({ min: 0, max: 999 }), fc.integer({ min: 1, max: 100_000_000 }))
    .chain(([bet_type, value, baht]) =>
      fc.boolean().map((isSmall) =>
        line(
          bet_type,
          String(isSmall ? value % 2 : value)
            .padStart(3, '0')
            .slice(-betTypeByCode[bet_type].digits),
          baht,
        ),
      ),
    )

  it('gives the same lines in the same order, with either meaning of the second column', () => {
    fc.assert(
      fc.property(fc.array(anyLine, { maxLength: 60 }), fc.boolean(), (lines, is_second_roll) => {
        const text = writeImportText(lines, is_second_roll)
        const result = readImportText(text, { offered: betTypeCodes, is_second_roll })
        expect(result.items).toEqual(lines)
        expect(result.errors).toEqual([])
        expect(result.dropped).toEqual([])
        expect(writeImportText(result.items, is_second_roll)).toBe(text)
      }),
      { numRuns: 1_000 },
    )
  })
})
