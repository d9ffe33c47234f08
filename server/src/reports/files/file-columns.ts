// How the columns of report files are written: headings in both languages, and cells of one row.

import type { Language, ReportFileBody, ReportWords } from '@megalot/contract'
import type { Cell, InBoth } from '../../lib/csv.ts'
import type { SheetColumn } from '../../lib/spreadsheet.ts'
import { periodCellsOf } from '../exports.service.ts'
import { reportWords } from '../report-words.ts'

/** The content, the reader and the language of a file. */
export interface FileRequest extends Omit<ReportFileBody, 'request_id'> {
  language: Language
}

export type Rows = readonly (readonly Cell[])[]

export interface ReportRows {
  columns: readonly SheetColumn[]
  /** Null until they are read. Without the row of totals. */
  row_count: number | null
  pieces: AsyncIterable<Rows>
}

export interface Column<Row> {
  heading: InBoth
  kind?: SheetColumn['kind']
  cell: (row: Row, words: Words) => Cell
}

export interface Words {
  language: Language
  /** By code. */
  markets: ReadonlyMap<string, string>
}

export interface Source<Row> {
  columns: readonly Column<Row>[]
  row_count: number | null
  pieces: AsyncIterable<readonly Row[]>
}

export function toRows<Row>({ columns, row_count, pieces }: Source<Row>, words: Words): ReportRows {
  async function* cells(): AsyncGenerator<Rows> {
    for await (const piece of pieces) yield piece.map((row) => columns.map(({ cell }) => cell(row, words)))
  }
  return {
    columns: columns.map(({ heading, kind }) => ({ heading: heading[words.language], kind })),
    row_count,
    pieces: cells(),
  }
}

/** An amount column. */
export function money<Row>(th: string, en: string, satang: (row: Row) => number): Column<Row> {
  return { heading: { th: `${th} (บาท)`, en: `${en} (Baht)` }, kind: 'money', cell: (row) => ({ satang: satang(row) }) }
}

export function text<Row>(th: string, en: string, cell: Column<Row>['cell']): Column<Row> {
  return { heading: { th, en }, cell }
}

type ColumnName = keyof ReportWords['column']

/** A column that the report's screen also has. */
export function column<Row>(name: ColumnName, cell: Column<Row>['cell']): Column<Row> {
  return text(reportWords.th.column[name], reportWords.en.column[name], cell)
}

/** A column of instants that the report's screen also has. */
export function instantColumn<Row>(name: ColumnName, instantOf: (row: Row) => string): Column<Row> {
  return { ...column<Row>(name, (row) => ({ instant: instantOf(row) })), kind: 'instant' }
}

export function moneyColumn<Row>(name: ColumnName, satang: (row: Row) => number): Column<Row> {
  return money(reportWords.th.column[name], reportWords.en.column[name], satang)
}

/** The market, and the period's day and round. */
export function periodColumns<Row>(
  periodOf: (row: Row) => Parameters<typeof periodCellsOf>[0],
): readonly Column<Row>[] {
  return [
    column('market', (row, { markets, language }) => periodCellsOf(periodOf(row), markets, language)[0]),
    column('period', (row, { markets, language }) => periodCellsOf(periodOf(row), markets, language)[1]),
  ]
}
