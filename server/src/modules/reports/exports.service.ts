// Reports as files for spreadsheets.

import type { Language, LevelPart, SummaryBody, SummaryRow, WinLossSummary } from '@megalot/contract'
import type { Caller } from '../../platform/caller.ts'
import type { Db } from '../../platform/db.ts'
import { listProducts } from '../markets/index.ts'
import { bangkokTime, type Cell, type InBoth, writeCsv } from '../../platform/csv.ts'
import type { SheetColumn } from '../../platform/spreadsheet.ts'
import { reportWords } from './report-words.ts'
import { listStatement } from './statement.service.ts'
import type { StatementFilter } from './statement.store.ts'
import { findSubject } from './subject.ts'
import { getWinLossSummary } from './summary.service.ts'

export interface TextFile {
  filename: string
  text: string
}

const MAX_ROWS = 10_000
const ROWS_AT_ONCE = 1_000

/** The column headings of the report's screen (`web/src/locales`). */
const statementHeadings: readonly InBoth[] = [
  { th: 'เวลา', en: 'Time' },
  { th: 'รายการ', en: 'Entry' },
  { th: 'เลขที่บิล', en: 'Ticket' },
  { th: 'หวย', en: 'Market' },
  { th: 'งวด', en: 'Period' },
  { th: 'จำนวน (บาท)', en: 'Amount (Baht)' },
  { th: 'ยอดบัญชีหลังรายการ (บาท)', en: 'Account balance after (Baht)' },
]

/** The last line of a file that was truncated. */
const cut: InBoth = {
  th: 'ยังมีรายการต่อ เลือกช่วงวันที่ให้สั้นลง',
  en: 'There is more: choose fewer days',
}

/** At most `MAX_ROWS`; a truncated file says so. @throws Refusal not_found, unknown_product, bad_input */
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
      rows.push([bangkokTime(at), reportWords[language].entry_kind[kind], order_id, market, period_code, ...amounts])
    }
    before = top_level.next_before ?? undefined
  } while (before !== undefined && rows.length <= MAX_ROWS)
  if (before !== undefined) rows.push([cut[language]])
  return { filename: `statement-${subject.username}.csv`, text: writeCsv(rows) }
}

const groupHeadings: Readonly<Record<NonNullable<SummaryBody['group_by']>, InBoth>> = {
  user: { th: 'สมาชิก', en: 'Member' },
  product: { th: 'หวย', en: 'Market' },
  day: { th: 'วันที่', en: 'Day' },
  month: { th: 'เดือน', en: 'Month' },
  period: { th: 'งวด', en: 'Period' },
}

const ticketHeading: InBoth = { th: 'บิล', en: 'Tickets' }

const memberHeadings: readonly InBoth[] = [
  { th: 'ยอดแทง', en: 'Bet' },
  { th: 'ส่วนลด', en: 'Discount' },
  { th: 'ถูกรางวัล', en: 'Win' },
  { th: 'รวมสมาชิก', en: 'Member total' },
]

const levelNames = [
  { part: 'between', th: 'ระดับระหว่าง', en: 'Levels between' },
  { part: 'level', th: 'ระดับนี้', en: 'This level' },
  { part: 'upline', th: 'ระดับบน', en: 'Upline' },
] as const

const partHeadings: readonly InBoth[] = [
  { th: 'ถือสู้', en: 'share' },
  { th: 'จ่ายรางวัล', en: 'win' },
  { th: 'ค่าคอม', en: 'commission' },
  { th: 'รวม', en: 'total' },
]

const moneyColumn = (heading: string): SheetColumn => ({ heading, isMoney: true })

/** The columns of a summary: what it is grouped by, the members' sums, and the parts of the levels. */
export function listSummaryColumns(group_by: NonNullable<SummaryBody['group_by']>, language: Language): SheetColumn[] {
  return [
    { heading: groupHeadings[group_by][language] },
    { heading: ticketHeading[language] },
    ...memberHeadings.map((heading) => moneyColumn(heading[language])),
    ...levelNames.flatMap((name) =>
      partHeadings.map((heading) => moneyColumn(`${name[language]} ${heading[language]}`)),
    ),
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
  let summary: WinLossSummary
  let page = 0
  do {
    summary = await getWinLossSummary(db, caller, { ...body, page, ipp: ROWS_AT_ONCE })
    for (const row of summary.rows) rows.push(summaryCellsOf(row, names))
    page += 1
  } while (page * ROWS_AT_ONCE < Math.min(summary.row_count, MAX_ROWS))
  if (rows.length <= summary.row_count) rows.push([cut[language]])
  rows.push(summaryTotalsOf(summary, language))
  return { filename: `win-loss-${body.date_from}-${body.date_to}.csv`, text: writeCsv(rows) }
}

/** A row of a summary in the order of `listSummaryColumns`. @param names of markets, by code */
export function summaryCellsOf(row: SummaryRow, names: ReadonlyMap<string, string>): Cell[] {
  return [nameOf(row, names), ...cellsOf(row)]
}

/** The row of totals under a summary. */
export function summaryTotalsOf({ totals }: WinLossSummary, language: Language): Cell[] {
  return [language === 'th' ? 'รวม' : 'Total', ...cellsOf(totals)]
}

async function readNames(db: Db, language: Language): Promise<Map<string, string>> {
  const products = await listProducts(db)
  return new Map(products.map((product) => [product.product_code, product[`name_${language}`]]))
}

function nameOf({ user, product_code, day, period }: SummaryRow, names: ReadonlyMap<string, string>): string {
  if (user) return user.username
  if (product_code !== null) return names.get(product_code) ?? product_code
  return day ?? period?.period_code ?? ''
}

const money = (...amounts: number[]): Cell[] => amounts.map((satang) => ({ satang }))

function cellsOf({ member, ...parts }: Pick<SummaryRow, 'member' | 'between' | 'level' | 'upline'>): Cell[] {
  const ofPart = (part: LevelPart): Cell[] =>
    money(part.share_satang, part.win_satang, part.commission_satang, part.total_satang)
  return [
    member.ticket_count,
    ...money(member.received_satang, member.discount_satang, member.win_satang, member.total_satang),
    ...levelNames.flatMap(({ part }) => ofPart(parts[part])),
  ]
}
