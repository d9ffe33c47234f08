// Reports of a downline: unsettled bets, winners, changed tickets.

import type {
  DataOf,
  listChangedTickets,
  listOutstanding as listOutstandingRoute,
  listTypeSums as listTypeSumsRoute,
  listWinners as listWinnersRoute,
  OutstandingSums,
  TypeSums,
} from '@megalot/contract'
import { isLiveStatus } from '@megalot/rules'
import { type Scope, seenActor } from '../http/caller.ts'
import { type Db, inSnapshot } from '../postgres/db.ts'
import type { Part } from '../http/page.ts'
import { toPeriod } from '../markets/index.ts'
import {
  type ChangeRow,
  countWithoutBook,
  listChangeRows,
  listOutstandingRows,
  listTypeRows,
  listWinnerRows,
  type OutstandingRow,
  type TypeRow,
} from './downline-reports.store.ts'
import { readSpan, type Span } from './span.ts'
import { findReportSubject, type Subject } from './subject.ts'

export interface DownlineReportQuery {
  user_id?: string | undefined
  date_from?: string | undefined
  date_to?: string | undefined
  product_codes?: readonly string[] | undefined
}

/**
 * The downline and the days.
 * @throws Refusal not_found, unknown_product, span_too_long, bad_input
 */
export async function readDownlineSpan(
  db: Db,
  caller: Scope,
  query: DownlineReportQuery,
): Promise<{ subject: Subject; span: Span }> {
  const subject = await findReportSubject(db, caller, query.user_id === undefined ? undefined : Number(query.user_id))
  return { subject, span: await readSpan(db, 'querystring', query) }
}

const daysOf = ({ date_from, date_to }: Span) => ({ date_from, date_to })

function addUp(rows: readonly OutstandingRow[]): OutstandingSums {
  const sum = (pick: (row: OutstandingRow) => number): number => rows.reduce((total, row) => total + pick(row), 0)
  return withNet({
    ticket_count: sum((row) => row.ticket_count),
    bet_satang: sum((row) => row.bet_satang),
    received_satang: sum((row) => row.received_satang),
    discount_satang: sum((row) => row.discount_satang),
  })
}

function withNet(sums: Omit<OutstandingSums, 'net_satang'>): OutstandingSums {
  const { ticket_count, bet_satang, received_satang, discount_satang } = sums
  return { ticket_count, bet_satang, received_satang, discount_satang, net_satang: received_satang - discount_satang }
}

/** The downline's bets in undecided periods, with totals of all rows. */
export async function listOutstanding(
  db: Db,
  caller: Scope,
  query: DownlineReportQuery,
  limit: number,
  offset: number,
) {
  const { subject, span } = await readDownlineSpan(db, caller, query)
  const rows = await listOutstandingRows(db, subject, span)
  const data: DataOf<typeof listOutstandingRoute> = rows
    .slice(offset, offset + limit)
    .map(({ user_id, username, display_name, level, ...sums }) => ({
      user_id,
      username,
      display_name,
      level,
      sums: withNet(sums),
    }))
  return { data, top_level: { row_count: rows.length, totals: addUp(rows), ...daysOf(span) } }
}

function toTypeSums(sums: Omit<TypeSums, 'total_satang'>): TypeSums {
  const { received_satang, discount_satang, winning_items, win_satang } = sums
  const total_satang = win_satang + discount_satang - received_satang
  return { received_satang, discount_satang, winning_items, win_satang, total_satang }
}

/** Win and loss of the downline in settled periods, by bet type and package. */
export async function listTypeSums(db: Db, caller: Scope, query: DownlineReportQuery) {
  const { subject, span } = await readDownlineSpan(db, caller, query)
  const { rows, uncounted_periods } = await inSnapshot(db, async (tx) => ({
    rows: await listTypeRows(tx, subject, span),
    uncounted_periods: await countWithoutBook(tx, span),
  }))
  const data: DataOf<typeof listTypeSumsRoute> = rows.map(({ bet_type, package_code, ...sums }) => ({
    bet_type,
    package_code,
    sums: toTypeSums(sums),
  }))
  const sum = (pick: (row: TypeRow) => number): number => rows.reduce((total, row) => total + pick(row), 0)
  const totals = toTypeSums({
    received_satang: sum((row) => row.received_satang),
    discount_satang: sum((row) => row.discount_satang),
    winning_items: sum((row) => row.winning_items),
    win_satang: sum((row) => row.win_satang),
  })
  return { data, top_level: { totals, uncounted_periods, ...daysOf(span) } }
}

/** Winning tickets of the downline in settled periods, the largest win first. */
export async function listWinners(db: Db, caller: Scope, query: DownlineReportQuery, limit: number, offset: number) {
  const { subject, span } = await readDownlineSpan(db, caller, query)
  const { rows, row_count, win_satang } = await listWinnerRows(db, subject, span, limit, offset)
  const data: DataOf<typeof listWinnersRoute> = rows.map((row) => ({
    order_id: row.order_id,
    username: row.username,
    package_code: row.package_code,
    period: toPeriod(row),
    created_at: row.created_at.toISOString(),
    item_count: row.winning_items,
    received_satang: row.received_satang,
    discount_satang: row.discount_satang,
    win_satang: row.won_satang,
  }))
  return { data, top_level: { row_count, win_satang, ...daysOf(span) } }
}

/** Cancelled and deleted tickets, and tickets of void periods, keep their amounts for display. */
function netLeftOf({ order_status, status, received_satang, discount_satang }: ChangeRow): number {
  return isLiveStatus(order_status) && status !== 'void' ? received_satang - discount_satang : 0
}

/** Cancelled, deleted, voided or returned tickets, the latest change first. */
export async function listChanges(db: Db, caller: Scope, query: DownlineReportQuery, { limit, before }: Part) {
  const { subject, span } = await readDownlineSpan(db, caller, query)
  const rows = await listChangeRows(db, subject, span, limit + 1, before)
  const shown = rows.slice(0, limit)
  const data: DataOf<typeof listChangedTickets> = shown.map((row) => ({
    change_id: row.event_id,
    at: row.at.toISOString(),
    event: row.event,
    actor: seenActor(caller, row.actor, row.is_by_office),
    is_by_office: row.is_by_office,
    reason: row.reason,
    order_id: row.order_id,
    username: row.username,
    status: row.order_status,
    period: toPeriod(row),
    given_back_satang: row.given_back_satang,
    net_left_satang: netLeftOf(row),
    placed_at: row.placed_at.toISOString(),
    ms_before_close: row.close_at.getTime() - row.at.getTime(),
  }))
  const next_before = rows.length > limit ? shown.at(-1)!.event_id : null
  return { data, top_level: { next_before, ...daysOf(span) } }
}
