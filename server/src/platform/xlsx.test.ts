// Goal: what was written is read back by another reader (`unzip` by hand: central directory, inflate), cell by cell; memory does not grow
// with the rows.

import { crc32, inflateRawSync } from 'node:zlib'
import { expect, test } from 'vitest'
import type { Cell } from './csv.ts'
import { MAX_SHEET_ROWS, writeXlsx } from './xlsx.ts'

async function collect(chunks: AsyncIterable<Buffer>): Promise<Buffer> {
  const all: Buffer[] = []
  for await (const chunk of chunks) all.push(chunk)
  return Buffer.concat(all)
}

/** The files of a ZIP file, found by its central directory; sizes and checksums are verified. */
function unzip(zip: Buffer): Map<string, string> {
  const end = zip.length - 22
  expect(zip.readUInt32LE(end)).toBe(0x06054b50)
  const files = new Map<string, string>()
  let at = zip.readUInt32LE(end + 16)
  for (let left = zip.readUInt16LE(end + 10); left > 0; left -= 1) {
    expect(zip.readUInt32LE(at)).toBe(0x02014b50)
    const [crc, compressed, size] = [zip.readUInt32LE(at + 16), zip.readUInt32LE(at + 20), zip.readUInt32LE(at + 24)]
    const [length, offset] = [zip.readUInt16LE(at + 28), zip.readUInt32LE(at + 42)]
    const name = zip.toString('ascii', at + 46, at + 46 + length)
    expect(zip.readUInt32LE(offset)).toBe(0x04034b50)
    const start = offset + 30 + zip.readUInt16LE(offset + 26) + zip.readUInt16LE(offset + 28)
    const content = inflateRawSync(zip.subarray(start, start + compressed))
    expect([content.length, crc32(content)]).toEqual([size, crc])
    files.set(name, content.toString('utf8'))
    at += 46 + length
  }
  expect(at).toBe(end)
  return files
}

const sheetOf = async (rows: Iterable<readonly Cell[]>): Promise<string> =>
  unzip(await collect(writeXlsx('Report', rows))).get('xl/worksheets/sheet1.xml')!

test('a workbook has its parts, and each cell is what was given', async () => {
  const files = unzip(await collect(writeXlsx('A & B', [['ชื่อ', 'Baht'], ['=1+1 <&>', { satang: -123_405 }], [7, null]])))
  expect([...files.keys()]).toEqual([
    '[Content_Types].xml',
    '_rels/.rels',
    'xl/_rels/workbook.xml.rels',
    'xl/styles.xml',
    'xl/workbook.xml',
    'xl/worksheets/sheet1.xml',
  ])
  expect(files.get('xl/workbook.xml')).toContain('name="A &amp; B"')
  const sheet = files.get('xl/worksheets/sheet1.xml')!
  expect(sheet).toContain('<t xml:space="preserve">ชื่อ</t>')
  // Text, not a formula.
  expect(sheet).toContain('<c t="inlineStr"><is><t xml:space="preserve">=1+1 &lt;&amp;&gt;</t></is></c>')
  expect(sheet).toContain('<c s="1"><v>-1234.05</v></c>')
  expect(sheet).toContain('<row><c><v>7</v></c><c/></row>')
})

test('what XML cannot hold is left out', async () => {
  const sheet = await sheetOf([['a\u0000\u0008b\ud800c\ufffe']])
  expect(sheet).toContain('<t xml:space="preserve">ab\ufffdc</t>')
})

test('100,000 rows are written while they are made', async () => {
  let made = 0
  let taken = 0
  let ahead = 0
  function* rows(): Generator<Cell[]> {
    for (; made < 100_000; made += 1) {
      yield [made, `member${made % 977}`, { satang: made * 137 }, 'hanoi-vip-20261123']
    }
  }
  for await (const chunk of writeXlsx('Report', rows())) {
    if (taken === 0) ahead = made
    taken += chunk.length
  }
  expect(made).toBe(100_000)
  // The first bytes left before all rows were made.
  expect(ahead).toBeLessThan(1_000)
})

test('a sheet refuses more rows than spreadsheets read', async () => {
  function* rows(): Generator<Cell[]> {
    for (let row = 0; row <= MAX_SHEET_ROWS; row += 1) yield [null]
  }
  await expect(collect(writeXlsx('Report', rows()))).rejects.toThrow(RangeError)
})

test('a failure of the rows reaches the reader', async () => {
  function* rows(): Generator<Cell[]> {
    yield ['heading']
    throw new Error('the database is away')
  }
  await expect(collect(writeXlsx('Report', rows()))).rejects.toThrow('the database is away')
})
