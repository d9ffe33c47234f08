// Reports as files for spreadsheets.

import type { Language, LevelPart, ReportWords, SummaryBody, SummaryRow, WinLossSummary } from '@megalot/contract'
import type { Caller } from '../http/caller.ts'
import { type Db, inSnapshot } from '../postgres/db.ts'
import { listProducts } from '../markets/index.ts'
import { type Cell, type InBoth, writeCsv } from '../lib/csv.ts'
import type { SheetColumn } from '../lib/spreadsheet.ts'
import { reportWords } from './report-words.ts'
import { listStatement } from './statement.service.ts'
import type { StatementFilter } from './statement.store.ts'
import { findSubject } from './subject.ts'
import { getWinLossSummary, type Viewer } from './summary.service.ts'

export interface TextFile {
  filename: string
  text: string
}

const MAX_ROWS = 10_000
const ROWS_AT_ONCE = 1_000

/** The column headings of the report's screen (the web's `reports.th.ts`). */
const statementHeadings: readonly InBoth[] = [
  { th: 'เวลา', en: 'Time' },
  { th: 'รายการ', en: 'Entry' },
  { th: 'เลขที่บิล', en: 'Ticket' },
  { th: 'หวย', en: 'Market' },
  { th: 'งวด', en: 'Period' },
  { th: 'จำนวน (บาท)', en: 'Amount (Baht)' },
  { th: 'ได้เสียสะสมหลังรายการ (บาท)', en: 'Account balance after (Baht)' },
]

/** The last line of a truncated file. */
const cut: InBoth = {
  th: 'ยังมีรายการต่อ เลือกช่วงวันที่ให้สั้นลง',
  en: 'There is more: choose fewer days',
}

/**
 * At most `MAX_ROWS`; a truncated file says so.
 * @throws Refusal not_found, unknown_product, bad_input
 */
export async function exportStatement(
  db: Db,
  caller: Caller,
  filter: StatementFilter & { user_id?: string | undefined },
  language: Language,
): Promise<TextFile> {
  const subject = await findSubject(db, caller, filter.user_id === undefined ? undefined : Number(filter.user_id))
  const names = await readNames(db, language)
  const rows: Cell[][] = [statementHeadings.map((heading) => heading[language])]
  let before: number | undefined
  do {
    const limit = Math.min(ROWS_AT_ONCE, MAX_ROWS + 1 - rows.length)
    const { data, top_level } = await listStatement(db, subject.user_id, filter, { limit, offset: 0, before })
    for (const { at, kind, order_id, product_code, period_code, amount_satang, balance_satang } of data) {
      const market = product_code === null ? null : (names.get(product_code) ?? product_code)
      const amounts = [{ satang: amount_satang }, { satang: balance_satang }]
      rows.push([{ instant: at }, reportWords[language].entry_kind[kind], order_id, market, period_code, ...amounts])
    }
    before = top_level.next_before ?? undefined
  } while (before !== undefined && rows.length <= MAX_ROWS)
  if (before !== undefined) rows.push([cut[language]])
  return { filename: `statement-${subject.username}.csv`, text: writeCsv(rows) }
}

const levelParts = ['between', 'level', 'upline'] as const

/** Names of the parts in a report's columns; `level` is the reported level. */
const partNames = { between: 'between', level: 'own', upline: 'upline' } as const satisfies Record<
  (typeof levelParts)[number],
  string
>
const partSums = ['share', 'win', 'commission', 'total'] as const

const groupColumns = {
  user: ['user'],
  product: ['market'],
  day: ['day'],
  month: ['month'],
  period: ['market', 'period'],
} as const satisfies Record<NonNullable<SummaryBody['group_by']>, readonly (keyof ReportWords['column'])[]>

/** A summary's columns: its grouping, the members' sums, and the levels' parts. */
export function listSummaryColumns(group_by: NonNullable<SummaryBody['group_by']>, language: Language): SheetColumn[] {
  const words = reportWords[language].column
  const moneyNames = [
    ...(['received', 'discount', 'win', 'member_total'] as const),
    ...levelParts.flatMap((part) => partSums.map((sum) => `${partNames[part]}_${sum}` as const)),
    'due' as const,
  ]
  return [
    ...[...groupColumns[group_by], 'tickets' as const].map((name) => ({ heading: words[name] })),
    ...moneyNames.map((name) => ({
      heading: `${words[name]} (${language === 'th' ? 'บาท' : 'Baht'})`,
      kind: 'money' as const,
    })),
  ]
}

/** As `exportStatement`. @throws Refusal not_found, unknown_product, span_too_long, bad_input */
export async function exportSummary(
  db: Db,
  caller: Caller,
  body: Omit<SummaryBody, 'page' | 'ipp'>,
  language: Language,
): Promise<TextFile> {
  const names = await readNames(db, language)
  const columns = listSummaryColumns(body.group_by ?? 'user', language)
  const rows: Cell[][] = [columns.map(({ heading }) => heading)]
  const pages = await readSummaryPages(db, caller, body, MAX_ROWS)
  const summary = pages[0]!
  for (const page of pages) for (const row of page.rows) rows.push(summaryCellsOf(row, names, language))
  if (rows.length <= summary.row_count) rows.push([cut[language]])
  rows.push(...summaryTotalsOf(summary, body.group_by ?? 'user', language))
  return { filename: `win-loss-${body.date_from}-${body.date_to}.csv`, text: writeCsv(rows) }
}

/**
 * A summary row in the order of `listSummaryColumns`.
 * @param markets names, by code
 */
export function summaryCellsOf(row: SummaryRow, markets: ReadonlyMap<string, string>, language: Language): Cell[] {
  return [...nameCellsOf(row, markets, language), ...cellsOf(row)]
}

/** The rows below a summary: its totals and, if any, unsettled bets, which are in no total. */
export function summaryTotalsOf(
  { totals, pending }: WinLossSummary,
  group_by: NonNullable<SummaryBody['group_by']>,
  language: Language,
): Cell[][] {
  const blanks = groupColumns[group_by].slice(1).map(() => null)
  const { total, pending: awaiting } = reportWords[language].column
  return [
    [total, ...blanks, ...cellsOf(totals)],
    ...(pending.ticket_count === 0
      ? []
      : [[awaiting, ...blanks, pending.ticket_count, ...money(pending.received_satang, pending.discount_satang)]]),
  ]
}

/**
 * Rows per page when reading all pages in one snapshot. Each page sums up the whole report again while holding a report
 * connection; with 1,000 rows per page that took three times as long.
 */
export const SNAPSHOT_PAGE_ROWS = 5_000

/**
 * All pages of a summary, read in one snapshot. There is at least one.
 * @param maxRows stop after this many rows
 */
export function readSummaryPages(
  db: Db,
  caller: Viewer,
  body: Omit<SummaryBody, 'page' | 'ipp'>,
  maxRows = Number.MAX_SAFE_INTEGER,
): Promise<WinLossSummary[]> {
  return inSnapshot(db, async (tx) => {
    const ipp = SNAPSHOT_PAGE_ROWS
    const pages = [await getWinLossSummary(tx, caller, { ...body, page: 0, ipp })]
    const row_count = Math.min(pages[0]!.row_count, maxRows)
    while (pages.length * ipp < row_count)
      pages.push(await getWinLossSummary(tx, caller, { ...body, page: pages.length, ipp }))
    return pages
  })
}

async function readNames(db: Db, language: Language): Promise<Map<string, string>> {
  const products = await listProducts(db)
  return new Map(products.map((product) => [product.product_code, product[`name_${language}`]]))
}

function nameCellsOf(
  { user, product_code, day, period }: SummaryRow,
  markets: ReadonlyMap<string, string>,
  language: Language,
): Cell[] {
  if (user) return [user.username]
  if (product_code !== null) return [markets.get(product_code) ?? product_code]
  return period ? periodCellsOf(period, markets, language) : [day ?? '']
}

interface NamedPeriod {
  product_code: string
  period_date: string
  round: number | null
}

/** The market of a period, and its day with the round. */
export function periodCellsOf(
  { product_code, period_date, round }: NamedPeriod,
  markets: ReadonlyMap<string, string>,
  language: Language,
): [string, string] {
  const roundWords = round === null ? '' : ` ${language === 'th' ? 'รอบ' : 'round'} ${round}`
  return [markets.get(product_code) ?? product_code, period_date + roundWords]
}

const money = (...amounts: number[]): Cell[] => amounts.map((satang) => ({ satang }))

function cellsOf({ member, due_satang, ...parts }: WinLossSummary['totals']): Cell[] {
  const ofPart = (part: LevelPart): Cell[] =>
    money(part.share_satang, part.win_satang, part.commission_satang, part.total_satang)
  return [
    member.ticket_count,
    ...money(member.received_satang, member.discount_satang, member.win_satang, member.total_satang),
    ...levelParts.flatMap((part) => ofPart(parts[part])),
    ...money(due_satang),
  ]
}
