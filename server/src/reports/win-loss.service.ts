// Win and loss by period, and the tickets of one period; a member's own numbers.

import type { DataOf, listLuckiestNumbers as listLuckiestNumbersRoute, WinLoss, WinLossFilter } from '@megalot/contract'
import type {
  listPeriodWinLoss as listPeriodWinLossRoute,
  listPeriodWinLossTickets as listTicketsRoute,
  TopLevelOf,
} from '@megalot/contract'
import { betOfSlot } from '@megalot/rules'
import type { Scope } from '../http/caller.ts'
import { type Db, inSnapshot } from '../postgres/db.ts'
import { getPeriodRecord, getProduct, toPeriod } from '../markets/index.ts'
import { listTicketsWithItems } from '../betting/index.ts'
import { readSpan } from './span.ts'
import { findReportSubject, findSubject } from './subject.ts'
import {
  listMemberNumbers,
  listUnsettledSums,
  listPeriodSums,
  listTicketIds,
  sumPeriod,
  sumRefunded,
  type Sums,
  sumSettled,
} from './win-loss.store.ts'

type PeriodRow = DataOf<typeof listPeriodWinLossRoute>[number]
type TicketRow = DataOf<typeof listTicketsRoute>[number]
type LuckyNumber = DataOf<typeof listLuckiestNumbersRoute>[number]

export interface PeriodWinLoss {
  data: PeriodRow[]
  top_level: TopLevelOf<typeof listPeriodWinLossRoute>
}

/** Adds the total: what the member has won, negative for a loss. */
export function withTotal(sums: Sums): WinLoss {
  const { ticket_count, bet_satang, received_satang, discount_satang, win_satang } = sums
  const total_satang = win_satang + discount_satang - received_satang
  return { ticket_count, bet_satang, received_satang, discount_satang, win_satang, total_satang }
}

/**
 * Win and loss by period, newest first: a member's own, or of all members below.
 * @throws Refusal not_found (not in the caller's downline), unknown_product, span_too_long, bad_input
 */
export async function listPeriodWinLoss(
  db: Db,
  caller: Scope,
  query: {
    user_id?: string | undefined
    filter?: WinLossFilter | undefined
    date_from?: string | undefined
    date_to?: string | undefined
    product_codes?: readonly string[] | undefined
  },
  limit: number,
  offset: number,
): Promise<PeriodWinLoss> {
  const subject = await findReportSubject(db, caller, query.user_id === undefined ? undefined : Number(query.user_id))
  const span = await readSpan(db, 'querystring', query)
  const filter = query.filter ?? 'all'
  // In one snapshot. Otherwise a period settled meanwhile would be counted twice.
  const { open, totals, refunded, records } = await inSnapshot(db, async (tx) => {
    const open = await listUnsettledSums(tx, subject, span)
    // Until a period is settled nothing is won or lost.
    const listed = filter === 'all' ? open : []
    return {
      open,
      totals: await sumSettled(tx, subject, span, filter),
      refunded: await sumRefunded(tx, subject, span),
      records: await listPeriodSums(tx, subject, span, filter, listed, limit, offset),
    }
  })
  return {
    data: records.map((record) => ({ period: toPeriod(record), ...withTotal(record) })),
    top_level: {
      date_from: span.date_from,
      date_to: span.date_to,
      totals: withTotal(totals),
      pending: withTotal(addUp(open)),
      refunded,
    },
  }
}

function addUp(all: readonly Sums[]): Sums {
  const sums = { ...nothing }
  for (const one of all) for (const name of Object.keys(nothing) as (keyof Sums)[]) sums[name] += one[name]
  return sums
}

export interface PeriodTickets {
  data: TicketRow[]
  top_level: TopLevelOf<typeof listTicketsRoute>
}

/**
 * A member's live tickets of one period, newest first, with items that match the filter. A page of large tickets holds
 * fewer than `limit`, and names the next cursor.
 * @throws Refusal not_found (not in the caller's downline), unknown_period
 */
export async function listPeriodTickets(
  db: Db,
  caller: Scope,
  period_code: string,
  query: { user_id?: string | undefined; filter?: WinLossFilter | undefined },
  { limit, before }: { limit: number; before?: number | undefined },
): Promise<PeriodTickets> {
  const subject = await findSubject(db, caller, query.user_id === undefined ? undefined : Number(query.user_id))
  const filter = query.filter ?? 'all'
  const { period, isShown, ids, sums, tickets } = await inSnapshot(db, async (tx) => {
    const period = await getPeriodRecord(tx, period_code)
    // Until a period is settled nothing is won or lost.
    const isShown = period.outcome !== 'void' && (filter === 'all' || period.outcome === 'settled')
    const ids = isShown ? await listTicketIds(tx, subject.user_id, period.period_id, filter, before, limit + 1) : []
    return {
      period,
      isShown,
      ids,
      sums: await sumPeriod(tx, subject.user_id, period.period_id, filter),
      tickets: await listTicketsWithItems(tx, caller, ids.slice(0, limit)),
    }
  })
  const data = tickets.map(({ summary, items }): TicketRow => {
    const left = items.filter((item) => isLeft(filter, item.status, item.bet_satang))
    const sum = (pick: (item: (typeof items)[number]) => number) => left.reduce((total, item) => total + pick(item), 0)
    const bet_satang = sum((item) => item.bet_satang)
    const received_satang = sum((item) => item.received_satang)
    const discount_satang = sum((item) => item.discount_satang)
    const win_satang = sum((item) => item.win_satang)
    const { order_id, created_at, package_code, note } = summary
    const total_satang = win_satang + discount_satang - received_satang
    const sums = { bet_satang, received_satang, discount_satang, win_satang, total_satang }
    return { order_id, created_at, package_code, note, ...sums, items: left }
  })
  const next_before = ids.length > tickets.length ? tickets.at(-1)!.summary.order_id : null
  const totals = isShown ? withTotal(sums) : withTotal(nothing)
  return { data, top_level: { period: toPeriod(period), totals, next_before } }
}

const nothing: Sums = { ticket_count: 0, bet_satang: 0, received_satang: 0, discount_satang: 0, win_satang: 0 }

/** Whether an item matches a filter. Returned items have no bet, and are neither win nor loss. */
function isLeft(filter: WinLossFilter, status: string, bet_satang: number): boolean {
  if (filter === 'all' || filter === 'win_tickets') return true
  return filter === 'win_only' ? status === 'won' : status !== 'won' && bet_satang > 0
}

/**
 * The numbers that have won most for a member so far.
 * @throws Refusal unknown_product
 */
export async function listLuckiestNumbers(
  db: Db,
  user_id: number,
  product_codes: readonly string[] | undefined,
  limit: number,
): Promise<LuckyNumber[]> {
  for (const product_code of product_codes ?? []) await getProduct(db, product_code)
  const records = await listMemberNumbers(db, user_id, product_codes ?? null, limit)
  return records.map(({ slot, ...counts }) => ({ ...betOfSlot(slot)!, ...counts }))
}
