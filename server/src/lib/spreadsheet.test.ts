// A spreadsheet reader reads back what was written, cell by cell; memory does not grow with the rows; errors of the
// rows reach the reader of the bytes.

import { strFromU8, unzipSync } from 'fflate'
import readXlsx from 'read-excel-file/node'
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

test('each cell is as given: text is text, Baht are numbers with two decimals, instants are times in Bangkok', async () => {
  const lastSecondOfYear = { instant: '2026-12-31T16:59:59.999Z' }
  const texts = ['=1+1 <&> "ก"', '  007 ', '0812345678', '1E10', '_x0041_', 'a\r\nb\tc', '2026-01-16', "'12"]
  const bytes = await collect(
    writeXlsx('Report', columns, given(...texts.map((text) => [text, { satang: -123_405 }, 7, lastSecondOfYear]))),
  )
  const sheets = await readXlsx(bytes, { trim: false })
  expect(sheets.map(({ sheet }) => sheet)).toEqual(['Report'])
  const [headings, ...rows] = sheets[0]!.data
  expect(headings).toEqual(['ชื่อ', 'Baht', 'Count', 'At'])
  // Spreadsheets have no time zone; the reader interprets Bangkok time as UTC.
  const bangkok = new Date('2026-12-31T23:59:59Z')
  expect(rows).toEqual(texts.map((text) => [text, -1_234.05, 7, bangkok]))
  const parts = unzipSync(bytes)
  expect(strFromU8(parts['xl/styles.xml']!)).toContain('formatCode="#,##0.00"')
  expect(strFromU8(parts['xl/worksheets/sheet1.xml']!)).not.toContain('<f>')
})

test('characters that would make the file unreadable are left out', async () => {
  const rows = given(['\u0000a\u001F\ud800'], ['\ufffea\uffff\u{10fffe}'], ['😀'])
  const [sheet] = await readXlsx(await collect(writeXlsx('Report', [{ heading: 'x' }], rows)))
  expect(sheet!.data).toEqual([['x'], ['a'], ['a'], ['😀']])
})

test("rows beyond a sheet's maximum continue in a second one, with the same headings", async () => {
  const bytes = await collect(writeXlsx('Report', [{ heading: 'x' }], given([1], [2], [3]), 3))
  expect(await readXlsx(bytes)).toEqual([
    { sheet: 'Report', data: [['x'], [1], [2]] },
    { sheet: 'Report 2', data: [['x'], [3]] },
  ])
})

test('100,000 rows are written as they are produced', async () => {
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

test('an error of the rows reaches the reader', async () => {
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
