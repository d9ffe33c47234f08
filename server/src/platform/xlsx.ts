// A spreadsheet (XLSX), written row by row: memory stays the same for any number of rows. Text is never read as a formula.

import type { Cell } from './csv.ts'
import { zipStream } from './zip-stream.ts'

/** The most rows that a sheet can have. */
export const MAX_SHEET_ROWS = 1_048_576
/** The longest text that a cell can have. */
const MAX_TEXT = 32_767
const ROWS_AT_ONCE = 200

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const TYPES = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

/** Styles of cells, by their place in `styles.xml`. */
const [MONEY, HEADING] = [1, 2]

const fixedFiles: readonly (readonly [name: string, content: string])[] = [
  [
    '[Content_Types].xml',
    `${HEAD}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="${TYPES}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${TYPES}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${TYPES}.styles+xml"/></Types>`,
  ],
  [
    '_rels/.rels',
    `${HEAD}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${RELATIONS}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  ],
  [
    'xl/_rels/workbook.xml.rels',
    `${HEAD}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${RELATIONS}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${RELATIONS}/styles" Target="styles.xml"/></Relationships>`,
  ],
  [
    'xl/styles.xml',
    `${HEAD}<styleSheet xmlns="${MAIN}"><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="3"><xf/><xf numFmtId="4" applyNumberFormat="1"/><xf fontId="1" applyFont="1"/></cellXfs></styleSheet>`,
  ],
]

/** What XML cannot hold, escaped or not, is left out. */
function escapeText(text: string): string {
  return (
    text
      .slice(0, MAX_TEXT)
      .toWellFormed()
      // oxlint-disable-next-line no-control-regex
      .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', '&quot;')
  )
}

function cellXml(cell: Cell, isHeading: boolean): string {
  if (cell === null || cell === '') return '<c/>'
  if (typeof cell === 'number') return `<c><v>${cell}</v></c>`
  if (typeof cell === 'object') return `<c s="${MONEY}"><v>${(cell.satang / 100).toFixed(2)}</v></c>`
  const style = isHeading ? ` s="${HEADING}"` : ''
  return `<c t="inlineStr"${style}><is><t xml:space="preserve">${escapeText(cell)}</t></is></c>`
}

async function* sheetXml(rows: AsyncIterable<readonly Cell[]> | Iterable<readonly Cell[]>): AsyncGenerator<string> {
  yield `${HEAD}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" state="frozen"/></sheetView></sheetViews><sheetData>`
  let text = ''
  let count = 0
  for await (const row of rows) {
    count += 1
    if (count > MAX_SHEET_ROWS) throw new RangeError(`a sheet has at most ${MAX_SHEET_ROWS} rows`)
    text += `<row>${row.map((cell) => cellXml(cell, count === 1)).join('')}</row>`
    if (count % ROWS_AT_ONCE !== 0) continue
    yield text
    text = ''
  }
  yield `${text}</sheetData></worksheet>`
}

/**
 * The bytes of a workbook with one sheet; the first row holds the headings.
 * @param name of the sheet: at most 31 characters, none of `\ / ? * [ ] :`
 * @throws RangeError more rows than a sheet can have
 */
export function writeXlsx(
  name: string,
  rows: AsyncIterable<readonly Cell[]> | Iterable<readonly Cell[]>,
): AsyncGenerator<Buffer> {
  const workbook = `${HEAD}<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><sheets><sheet name="${escapeText(name)}" sheetId="1" r:id="rId1"/></sheets></workbook>`
  return zipStream([
    ...fixedFiles.map(([file, content]) => ({ name: file, content: [content] })),
    { name: 'xl/workbook.xml', content: [workbook] },
    { name: 'xl/worksheets/sheet1.xml', content: sheetXml(rows) },
  ])
}
