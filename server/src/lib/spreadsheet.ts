// Writes a spreadsheet (Office Open XML) row by row, with constant memory. Text is never interpreted as a formula.

import { strToU8, Zip, ZipDeflate } from 'fflate'
import { BANGKOK_AHEAD_MS } from './bangkok.ts'
import type { Cell } from './csv.ts'

export interface SheetColumn {
  heading: string
  /** Amounts, as Baht with two decimals; instants, as Bangkok times; undefined: unchanged. */
  kind?: 'money' | 'instant' | undefined
}

/** The most rows of a sheet, including headings. */
const MAX_ROWS = 1_048_576
/** How many characters are compressed at once; takes a few milliseconds. */
const PIECE_LENGTH = 65_536

/**
 * The bytes of a workbook. The first row contains headings. Rows beyond a sheet's maximum continue in another one.
 * @param name of the sheet: at most 31 characters, none of `\ / ? * [ ] :`
 * @param maxRows of a sheet, including headings
 */
export async function* writeXlsx(
  name: string,
  columns: readonly SheetColumn[],
  rows: AsyncIterable<readonly Cell[]>,
  maxRows = MAX_ROWS,
): AsyncGenerator<Uint8Array> {
  const headings = columns.map(({ heading }) => heading)
  const styles = columns.map(({ kind }) => (kind === undefined ? 0 : styleOf[kind]))
  const file = startZip()
  const names: string[] = []
  let sheet: ((text: string, isLast?: boolean) => void) | undefined
  let [rowsOfSheet, piece] = [0, '']
  const endSheet = () => {
    sheet?.(`${piece}</sheetData></worksheet>`, true)
    piece = ''
  }
  const startSheet = () => {
    endSheet()
    names.push(names.length === 0 ? name : `${name.slice(0, 28)} ${names.length + 1}`)
    sheet = file.add(`xl/worksheets/sheet${names.length}.xml`)
    rowsOfSheet = 1
    sheet(`${sheetBegin(columns)}${writeRow(headings, rowsOfSheet, [])}`)
  }
  startSheet()
  yield* file.take()
  for await (const row of rows) {
    if (rowsOfSheet === maxRows) startSheet()
    rowsOfSheet += 1
    piece += writeRow(row, rowsOfSheet, styles)
    if (piece.length < PIECE_LENGTH) continue
    sheet!(piece)
    piece = ''
    yield* file.take()
  }
  endSheet()
  for (const [path, xml] of Object.entries(otherParts(names))) file.add(path)(xml, true)
  file.end()
  yield* file.take()
}

/** A ZIP file whose bytes are taken as they become ready. */
function startZip() {
  let ready: Uint8Array[] = []
  const zip = new Zip((error, chunk) => {
    if (error) throw error
    ready.push(chunk)
  })
  return {
    /** @returns a function that writes the part's text, piece by piece */
    add(path: string): (text: string, isLast?: boolean) => void {
      const part = new ZipDeflate(path, { level: 1 })
      zip.add(part)
      return (text, isLast = false) => part.push(strToU8(text), isLast)
    },
    end: () => zip.end(),
    *take(): Generator<Uint8Array> {
      const taken = ready
      ready = []
      yield* taken
    },
  }
}

/** Indexes of the formats in the styles' `cellXfs`. */
const styleOf = { money: 1, instant: 2 } as const

const DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const RELATIONSHIPS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const FORMAT = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

function sheetBegin(columns: readonly SheetColumn[]): string {
  const widths = columns.map(
    ({ kind }, at) => `<col min="${at + 1}" max="${at + 1}" width="${kind === 'money' ? 16 : 22}" customWidth="1"/>`,
  )
  const frozen = '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>'
  return `${DECLARATION}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0">${frozen}</sheetView></sheetViews>${
    widths.length === 0 ? '' : `<cols>${widths.join('')}</cols>`
  }<sheetData>`
}

function contentType(path: string, kind: string): string {
  return `<Override PartName="/xl/${path}.xml" ContentType="${FORMAT}.${kind}+xml"/>`
}

/** All parts of the workbook except its sheets, by path. */
function otherParts(names: readonly string[]): Record<string, string> {
  const sheets = names.map((name, at) => ({ name: escapeText(name), number: at + 1 }))
  const relation = (id: string, kind: string, target: string) =>
    `<Relationship Id="${id}" Type="${RELATIONSHIPS}/${kind}" Target="${target}"/>`
  const listRelations = (relations: readonly string[]) =>
    `${DECLARATION}<Relationships xmlns="${PACKAGE}/relationships">${relations.join('')}</Relationships>`
  return {
    'xl/workbook.xml': `${DECLARATION}<workbook xmlns="${MAIN}" xmlns:r="${RELATIONSHIPS}"><sheets>${sheets
      .map((sheet) => `<sheet name="${sheet.name}" sheetId="${sheet.number}" r:id="sheet${sheet.number}"/>`)
      .join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': listRelations([
      relation('styles', 'styles', 'styles.xml'),
      ...sheets.map(({ number }) => relation(`sheet${number}`, 'worksheet', `worksheets/sheet${number}.xml`)),
    ]),
    'xl/styles.xml': STYLES,
    '_rels/.rels': listRelations([relation('workbook', 'officeDocument', 'xl/workbook.xml')]),
    '[Content_Types].xml': `${DECLARATION}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>${[
      contentType('workbook', 'sheet.main'),
      contentType('styles', 'styles'),
      ...sheets.map(({ number }) => contentType(`worksheets/sheet${number}`, 'worksheet')),
    ].join('')}</Types>`,
  }
}

const STYLES = [
  `${DECLARATION}<styleSheet xmlns="${MAIN}">`,
  '<numFmts count="2"><numFmt numFmtId="164" formatCode="#,##0.00"/><numFmt numFmtId="165" formatCode="yyyy-mm-dd hh:mm:ss"/></numFmts>',
  '<fonts count="1"><font><sz val="11"/><name val="Calibri"/></font></fonts>',
  '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>',
  '<borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs>',
  '<cellXfs count="3"><xf xfId="0"/><xf numFmtId="164" xfId="0" applyNumberFormat="1"/><xf numFmtId="165" xfId="0" applyNumberFormat="1"/></cellXfs>',
  '</styleSheet>',
].join('')

/** @param styles of the columns, 0 if missing */
function writeRow(cells: readonly Cell[], number: number, styles: readonly number[]): string {
  const written = cells.map((cell, at) => writeCell(cell, `${columnLetters(at)}${number}`, styles[at] ?? 0))
  return `<row r="${number}">${written.join('')}</row>`
}

/** A for the first column, AA for the 27th. */
function columnLetters(at: number): string {
  return (at < 26 ? '' : columnLetters(Math.floor(at / 26) - 1)) + String.fromCodePoint(65 + (at % 26))
}

function writeCell(cell: Cell, reference: string, style: number): string {
  if (cell === null) return ''
  if (typeof cell === 'string')
    return `<c r="${reference}" t="inlineStr"><is><t xml:space="preserve">${escapeText(cell)}</t></is></c>`
  const value = typeof cell === 'number' ? cell : 'satang' in cell ? cell.satang / 100 : dayNumber(cell.instant)
  return `<c r="${reference}" s="${style}"><v>${value}</v></c>`
}

/**
 * Characters that XML cannot contain, which make a spreadsheet unreadable. Requests with noncharacters are refused
 * (`freeText`), but the database may hold text from other sources.
 */
// oxlint-disable-next-line no-control-regex
const UNWRITABLE = /[\u0000-\u0008\u000B\u000C\u000E-\u001F]|\p{Surrogate}|\p{Noncharacter_Code_Point}/gu
/** Spreadsheets read `_x0041_` as the character with this code. */
const ESCAPE_LIKE = /_(?=x[\dA-Fa-f]{4}_)/g
const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\r': '&#13;',
}

function escapeText(text: string): string {
  return text
    .replaceAll(UNWRITABLE, '')
    .replaceAll(ESCAPE_LIKE, '_x005F_')
    .replaceAll(/[&<>"\r]/g, (character) => entities[character]!)
}

const DAY_MS = 86_400_000
/** The day number of 1 January 1970; spreadsheets count days from the end of 1899. */
const EPOCH_DAY = 25_569

/** A Bangkok time as a day number with a fraction, to the second. */
function dayNumber(instant: string): number {
  const seconds = Math.floor((Date.parse(instant) + BANGKOK_AHEAD_MS) / 1_000)
  return EPOCH_DAY + (seconds * 1_000) / DAY_MS
}
