// The rows of each report as written to a file: all of them, read piece by piece.

import type { FileReport, SummaryBody, SummaryGroup, WinLoss } from '@megalot/contract'
import { betTypeByCode } from '@megalot/rules'
import type { Scope } from '../../http/caller.ts'
import { type Db, inSnapshot, type Tx } from '../../postgres/db.ts'
import { Refusal } from '../../lib/refusal.ts'
import { listProducts } from '../../markets/index.ts'
import {
  listSummaryColumns,
  readSummaryPages,
  SNAPSHOT_PAGE_ROWS,
  summaryCellsOf,
  summaryTotalsOf,
} from '../exports.service.ts'
import { listChanges, listOutstanding, listTypeSums, readDownlineSpan } from '../downline-reports.service.ts'
import { readWinners, type WinnerRow } from '../downline-reports.store.ts'
import { reportWords } from '../report-words.ts'
import { listPeriodTickets, listPeriodWinLoss, type PeriodWinLoss } from '../win-loss.service.ts'
import {
  type Column,
  column,
  type FileRequest,
  instantColumn,
  money,
  moneyColumn,
  periodColumns,
  type ReportRows,
  type Rows,
  type Source,
  text,
  toRows,
  type Words,
} from './file-columns.ts'
import { openClearing, openPayments } from './money-rows.ts'

const ROWS_AT_ONCE = 1_000
/** Tickets are read with their items, of which a page holds at most a thousand. */
const TICKETS_AT_ONCE = 100

/** @throws Refusal not_found, unknown_product, unknown_period, span_too_long, bad_input */
export async function openReportRows(db: Db, scope: Scope, request: FileRequest): Promise<ReportRows> {
  const products = await listProducts(db)
  const { language } = request
  const words: Words = {
    language,
    markets: new Map(products.map((product) => [product.product_code, product[`name_${language}`]])),
  }
  return openers[request.report](db, scope, request, words)
}

function queryOf({ user_id, date_from, date_to, product_codes }: FileRequest) {
  return { user_id: user_id === undefined ? undefined : String(user_id), date_from, date_to, product_codes }
}
type Query = ReturnType<typeof queryOf>

type Opener = (db: Db, scope: Scope, request: FileRequest, words: Words) => Promise<ReportRows>

/** A report whose rows have the same columns as its file. */
function withQuery<Row>(open: (db: Db, scope: Scope, query: Query) => Source<Row> | Promise<Source<Row>>): Opener {
  return async (db, scope, request, words) => toRows(await open(db, scope, queryOf(request)), words)
}

const openers: Readonly<Record<FileReport, Opener>> = {
  win_loss_users: openSummary,
  win_loss_periods: withQuery(openPeriods),
  win_loss_tickets: async (db, scope, request, words) => toRows(openTickets(db, scope, request), words),
  outstanding: withQuery(openOutstanding),
  types: withQuery(openTypes),
  winners: withQuery(openWinners),
  changed_tickets: withQuery(openChanges),
  daily_close: openSummary,
  payments: async (db, scope, request, words) => toRows(openPayments(db, scope, request), words),
  clearing: async (db, scope, request, words) => toRows(await openClearing(db, scope, request), words),
}

/** Splits rows that were read at once into pieces, so that the event loop serves others in between. */
function* inPieces<Row>(rows: readonly Row[]): Generator<readonly Row[]> {
  for (let at = 0; at < rows.length; at += ROWS_AT_ONCE) yield rows.slice(at, at + ROWS_AT_ONCE)
}

/** Pages of an endless list, one after another. */
async function* readParts<Row>(
  read: (before: number | undefined) => Promise<{ data: readonly Row[]; top_level: { next_before: number | null } }>,
): AsyncGenerator<readonly Row[]> {
  let before: number | undefined
  do {
    const { data, top_level } = await read(before)
    yield data
    before = top_level.next_before ?? undefined
  } while (before !== undefined)
}

/**
 * As `readParts`, in one snapshot, so that rows add up to the sums read with the first page. Holds a connection until
 * the last page, or until the reader stops.
 */
async function* readPartsOfSnapshot<Row>(
  db: Db,
  read: (tx: Tx, before: number | undefined) => ReturnType<Parameters<typeof readParts<Row>>[0]>,
): AsyncGenerator<readonly Row[]> {
  const tx = await db.startTransaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute()
  try {
    yield* readParts((before) => read(tx, before))
  } finally {
    await tx.rollback().execute()
  }
}

// ---- win and loss ----

async function openSummary(db: Db, scope: Scope, request: FileRequest, words: Words): Promise<ReportRows> {
  const group_by: SummaryGroup = request.report === 'daily_close' ? 'period' : 'user'
  const { span } = await readDownlineSpan(db, scope, queryOf(request))
  const body = {
    date_from: span.date_from,
    date_to: span.date_to,
    product_codes: [...(span.product_codes ?? [])],
    group_by,
    ...(request.user_id === undefined ? {} : { user_id: request.user_id }),
  } satisfies SummaryBody
  const pages = await readSummaryPages(db, scope, body)
  const first = pages[0]!
  async function* pieces(): AsyncGenerator<Rows> {
    for (const { rows } of pages)
      for (const piece of inPieces(rows)) yield piece.map((row) => summaryCellsOf(row, words.markets, words.language))
    yield summaryTotalsOf(first, group_by, words.language)
  }
  return { columns: listSummaryColumns(group_by, words.language), row_count: first.row_count, pieces: pieces() }
}

interface Sums {
  ticket_count?: number
  received_satang: number
  discount_satang: number
  win_satang: number
  total_satang: number
}

/** @param isDecided whether its result is known; until then nothing is won or lost */
function sumColumns<Row extends Sums>(isDecided: (row: Row) => boolean): readonly Column<Row>[] {
  const decided = (satang: (row: Row) => number): Column<Row>['cell'] => {
    return (row) => (isDecided(row) ? { satang: satang(row) } : null)
  }
  return [
    moneyColumn('received', ({ received_satang }) => received_satang),
    moneyColumn('discount', ({ discount_satang }) => discount_satang),
    { ...moneyColumn<Row>('win', () => 0), cell: decided(({ win_satang }) => win_satang) },
    { ...moneyColumn<Row>('member_total', () => 0), cell: decided(({ total_satang }) => total_satang) },
  ]
}

/** A row below the others: the total, or unsettled bets, which are not in the total. */
type SumRow = Sums & { sum: 'total' | 'pending' }

/** The total and, if any, unsettled bets. */
function sumRowsOf(totals: WinLoss, pending: WinLoss): SumRow[] {
  const awaiting: SumRow[] = pending.ticket_count === 0 ? [] : [{ ...pending, sum: 'pending' }]
  return [{ ...totals, sum: 'total' }, ...awaiting]
}

/** A column for the report's own rows only; in sum rows it is empty, except for their name in the first column. */
function ofRows<Row extends object>(columns: readonly Column<Row>[], isNaming: boolean): Column<Row | SumRow>[] {
  return columns.map(({ cell, ...about }, at) => ({
    ...about,
    cell: (row, words) => {
      if (!('sum' in row)) return cell(row, words)
      return isNaming && at === 0 ? reportWords[words.language].column[row.sum] : null
    },
  }))
}

function resultColumn<Row>(isDecided: (row: Row) => boolean): Column<Row> {
  return column('result_state', (row, { language }) => {
    return reportWords[language].column[isDecided(row) ? 'settled' : 'awaiting_result']
  })
}

async function* followedBy<Row, Sum>(
  pieces: AsyncIterable<readonly Row[]>,
  sums: () => readonly Sum[],
): AsyncGenerator<readonly (Row | Sum)[]> {
  yield* pieces
  yield sums()
}

async function openPeriods(db: Db, scope: Scope, query: Query) {
  // All pages are of one snapshot, so that no period appears twice.
  const pages = await inSnapshot(db, async (tx) => {
    const all: PeriodWinLoss[] = []
    do all.push(await listPeriodWinLoss(tx, scope, query, SNAPSHOT_PAGE_ROWS, all.length * SNAPSHOT_PAGE_ROWS))
    while (all.at(-1)!.data.length === SNAPSHOT_PAGE_ROWS)
    return all
  })
  type Row = PeriodWinLoss['data'][number]
  const isDecided = (row: Row | SumRow) => ('sum' in row ? row.sum === 'total' : row.period.status === 'settled')
  const columns: readonly Column<Row | SumRow>[] = [
    ...ofRows<Row>([...periodColumns<Row>(({ period }) => period), resultColumn<Row>(isDecided)], true),
    column('tickets', ({ ticket_count = null }) => ticket_count),
    ...sumColumns<Row | SumRow>(isDecided),
  ]
  const { totals, pending } = pages[0]!.top_level
  async function* pieces() {
    for (const { data } of pages) yield* inPieces(data)
    yield sumRowsOf(totals, pending)
  }
  return { columns, row_count: pages.reduce((sum, { data }) => sum + data.length, 0), pieces: pieces() }
}

function openTickets(db: Db, scope: Scope, { period_code, ...request }: FileRequest) {
  type Row = Awaited<ReturnType<typeof listPeriodTickets>>['data'][number]
  if (period_code === undefined) throw new Refusal('unknown_period')
  let isSettled = false
  let sums: readonly SumRow[] = []
  const columns: readonly Column<Row | SumRow>[] = [
    ...ofRows<Row>(
      [
        column('ticket', ({ order_id }) => order_id),
        instantColumn('placed_at', ({ created_at }) => created_at),
        column('package', ({ package_code }) => package_code),
        resultColumn(() => isSettled),
        column('items', ({ items }) => items.length),
      ],
      true,
    ),
    ...sumColumns<Row | SumRow>(() => isSettled),
    ...ofRows<Row>([text('หมายเหตุ', 'Note', ({ note }) => note)], false),
  ]
  const { user_id } = queryOf(request)
  const read = async (tx: Tx, before: number | undefined) => {
    const part = await listPeriodTickets(tx, scope, period_code, { user_id }, { limit: TICKETS_AT_ONCE, before })
    if (before === undefined) {
      isSettled = part.top_level.period.status === 'settled'
      sums = [{ ...part.top_level.totals, sum: isSettled ? 'total' : 'pending' }]
    }
    return part
  }
  return {
    columns,
    row_count: null,
    pieces: followedBy(readPartsOfSnapshot(db, read), () => sums),
  }
}

// ---- beside the tree ----

async function openOutstanding(db: Db, scope: Scope, query: Query) {
  // Direct downlines: thousands at most.
  const { data } = await listOutstanding(db, scope, query, Number.MAX_SAFE_INTEGER, 0)
  type Row = (typeof data)[number]
  const columns: readonly Column<Row>[] = [
    column('user', ({ username }) => username),
    text('ชื่อ', 'Name', ({ display_name }) => display_name),
    column('tickets', ({ sums }) => sums.ticket_count),
    money('ยอดแทง', 'Bet', ({ sums }) => sums.bet_satang),
    moneyColumn('received', ({ sums }) => sums.received_satang),
    moneyColumn('discount', ({ sums }) => sums.discount_satang),
    moneyColumn('net', ({ sums }) => sums.net_satang),
  ]
  async function* pieces() {
    yield data
  }
  return { columns, row_count: data.length, pieces: pieces() }
}

async function openTypes(db: Db, scope: Scope, query: Query) {
  const { data } = await listTypeSums(db, scope, query)
  const columns: readonly Column<(typeof data)[number]>[] = [
    column('bet_type', ({ bet_type }, { language }) => betTypeByCode[bet_type][`name_${language}`]),
    column('package', ({ package_code }) => package_code),
    moneyColumn('received', ({ sums }) => sums.received_satang),
    moneyColumn('discount', ({ sums }) => sums.discount_satang),
    column('winning_items', ({ sums }) => sums.winning_items),
    moneyColumn('win', ({ sums }) => sums.win_satang),
    moneyColumn('member_total', ({ sums }) => sums.total_satang),
  ]
  async function* pieces() {
    yield data
  }
  return { columns, row_count: data.length, pieces: pieces() }
}

async function openWinners(db: Db, scope: Scope, query: Query) {
  const { subject, span } = await readDownlineSpan(db, scope, query)
  const pieces = readWinners(db, subject, span, ROWS_AT_ONCE)
  const columns: readonly Column<WinnerRow>[] = [
    column('ticket', ({ order_id }) => order_id),
    column('user', ({ username }) => username),
    ...periodColumns<WinnerRow>((period) => period),
    column('package', ({ package_code }) => package_code),
    instantColumn('placed_at', ({ created_at }) => created_at.toISOString()),
    column('winning_items', ({ winning_items }) => winning_items),
    moneyColumn('received', ({ received_satang }) => received_satang),
    moneyColumn('discount', ({ discount_satang }) => discount_satang),
    moneyColumn('win', ({ won_satang }) => won_satang),
  ]
  return { columns, row_count: null, pieces }
}

function openChanges(db: Db, scope: Scope, query: Query) {
  type Row = Awaited<ReturnType<typeof listChanges>>['data'][number]
  const columns: readonly Column<Row>[] = [
    column('ticket', ({ order_id }) => order_id),
    instantColumn('changed_at', ({ at }) => at),
    column('change', ({ event }, { language }) => reportWords[language].event[event]),
    column('user', ({ username }) => username),
    column(
      'actor',
      ({ actor, is_by_office }, { language }) =>
        actor ?? reportWords[language].column[is_by_office ? 'office' : 'system'],
    ),
    ...periodColumns<Row>(({ period }) => period),
    instantColumn('placed_at', ({ placed_at }) => placed_at),
    column('minutes_before_close', ({ ms_before_close }) => Math.round(ms_before_close / 60_000)),
    moneyColumn('given_back', ({ given_back_satang }) => given_back_satang),
    moneyColumn('net_left', ({ net_left_satang }) => net_left_satang),
    column('reason', ({ reason }) => reason),
  ]
  const read = (before: number | undefined) => listChanges(db, scope, query, { limit: ROWS_AT_ONCE, offset: 0, before })
  return { columns, row_count: null, pieces: readParts(read) }
}
