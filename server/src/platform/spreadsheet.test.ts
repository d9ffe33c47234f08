// Goal: what was written is read back by a reader of spreadsheets, cell by cell; memory does not grow with the rows; a failure of the
// rows reaches whoever reads the bytes.

import { readXlsx } from 'hucre/xlsx'
import { expect, test } from 'vitest'
import type { Cell } from './csv.ts'
import { writeXlsx } from './spreadsheet.ts'

const columns = [
  { heading: 'ชื่อ' },
  { heading: 'Baht', kind: 'money' },
  { heading: 'Count' },
  { heading: 'At', kind: 'instant' },
] as const

async function collect(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = []
  for await (const chunk of chunks) all.push(chunk)
  return Buffer.concat(all)
}

async function* given(...rows: Cell[][]): AsyncGenerator<Cell[]> {
  yield* rows
}

test('each cell is what was given: text that looks like a formula is text, Baht are numbers with two decimals, instants are times', async () => {
  const lastSecondOfYear = { instant: '2026-12-31T16:59:59.999Z' }
  const rows = given(
    ['=1+1 <&> "ก"', { satang: -123_405 }, 7, lastSecondOfYear],
    ['\u0000a\ud800', { satang: 10 }, null, null],
    ['\ufffea\uffff\u{10fffe}', null, null, null],
  )
  const { sheets } = await readXlsx(await collect(writeXlsx('Report', columns, rows)), { readStyles: true })
  expect(sheets.map(({ name }) => name)).toEqual(['Report'])
  const [headings, first, second, third] = sheets[0]!.rows
  expect(headings).toEqual(['ชื่อ', 'Baht', 'Count', 'At'])
  // In Bangkok: a reader of spreadsheets knows no time zone, and reads it as that of Greenwich.
  expect(first).toEqual(['=1+1 <&> "ก"', -1_234.05, 7, new Date('2026-12-31T23:59:59Z')])
  expect(second?.[1]).toBe(0.1)
  // Such a character makes the file one that cannot be opened.
  expect(third?.[0]).toBe('a')
  expect(sheets[0]!.cells?.get('1,1')?.style?.numFmt).toBe('#,##0.00')
  expect(sheets[0]!.cells?.get('1,3')?.style?.numFmt).toBe('yyyy-mm-dd hh:mm:ss')
  expect(sheets[0]!.cells?.get('1,0')?.formula).toBeUndefined()
})

test('100,000 rows are written while they are made', async () => {
  let made = 0
  async function* rows(): AsyncGenerator<Cell[]> {
    for (; made < 100_000; made += 1) yield [`member${made % 977}`, { satang: made * 137 }, made]
  }
  let madeAtFirst: number | undefined
  for await (const chunk of writeXlsx('Report', columns, rows())) {
    // The head of the file is sent before any row is read.
    if (chunk.length > 1_000) madeAtFirst ??= made
  }
  expect(made).toBe(100_000)
  expect(madeAtFirst).toBeLessThan(20_000)
})

test('a failure of the rows reaches the reader', async () => {
  async function* rows(): AsyncGenerator<Cell[]> {
    yield ['one', null, null]
    throw new Error('the database is away')
  }
  await expect(collect(writeXlsx('Report', columns, rows()))).rejects.toThrow('the database is away')
})

test('a reader that stops ends the rows', async () => {
  let isEnded = false
  async function* rows(): AsyncGenerator<Cell[]> {
    try {
      for (let row = 0; ; row += 1) yield [`${Math.random()}`, { satang: row }, row]
    } finally {
      isEnded = true
    }
  }
  for await (const chunk of writeXlsx('Report', columns, rows())) if (chunk.length > 1_000) break
  await expect.poll(() => isEnded).toBe(true)
})
