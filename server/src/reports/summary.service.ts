// Win and loss by member and by upline columns: what members staked, won and got back, and how the levels above them
// shared it. Only reads rollups of settled periods, no tickets.

import type { LevelPart, SummaryBody, SummaryGroup, SummaryRow, WinLossSummary } from '@megalot/contract'
import type { Caller, Scope } from '../http/caller.ts'
import { type Db, inSnapshot } from '../postgres/db.ts'
import { showCredit, toCreditInfo } from '../identity/accounts/index.ts'
import { listCreditBalances } from '../betting/ledger/index.ts'
import { toPeriod } from '../markets/index.ts'
import { readSpan, type Span } from './span.ts'
import { findReportSubject, type Subject } from './subject.ts'
import { listChildren, listGrouped, listPeriodsByCode, type SummarySums, sumSummary } from './summary.store.ts'
import { withTotal } from './win-loss.service.ts'
import { sumPending, sumRefunded } from './win-loss.store.ts'

/** The reader of a summary. Files show no credit, so they need no permissions. */
export type Viewer = Scope & Partial<Pick<Caller, 'level' | 'permissions'>>

/**
 * The summary of the caller, or of a user below it; the office sees the company's.
 * @throws Refusal not_found, unknown_product, span_too_long, bad_input (days in reverse order)
 */
export async function getWinLossSummary(
  db: Db,
  caller: Viewer,
  { group_by = 'user', page = 0, ipp = 15, user_id, ...requested }: SummaryBody,
): Promise<WinLossSummary> {
  const subject = await findReportSubject(db, caller, user_id)
  const span = await readSpan(db, 'body', requested)
  const part = { limit: ipp, offset: page * ipp, permissions: permissionsOver(caller) }
  // In one snapshot. Otherwise a period settled meanwhile would be in the totals but in no row.
  const { username, level } = subject
  return inSnapshot(db, async (tx) => ({
    subject: { user_id: subject.user_id, username, level },
    ...(await listRows(tx, subject, span, group_by, part)),
    totals: partsOf(subject, await sumSummary(tx, subject, span)),
    pending: withTotal(await sumPending(tx, subject, span)),
    refunded: await sumRefunded(tx, subject, span),
  }))
}

/** A member has no permissions, and one row, itself. */
function permissionsOver({ level, permissions = new Set() }: Viewer): Caller['permissions'] {
  return level === 'member' ? new Set(['credit.view']) : permissions
}

type Rows = Pick<WinLossSummary, 'rows' | 'row_count'>

async function listRows(
  db: Db,
  subject: Subject,
  span: Span,
  group_by: SummaryGroup,
  { limit, offset, permissions }: { limit: number; offset: number } & Pick<Caller, 'permissions'>,
): Promise<Rows> {
  const empty = { user: null, product_code: null, day: null, period: null }
  if (group_by === 'user') {
    const { rows, row_count } = await listChildren(db, subject, span, limit, offset)
    const balances = await listCreditBalances(
      db,
      rows.map((row) => row.user_id),
    )
    const toRow = ({ user_id, username, display_name, level, ...sums }: (typeof rows)[number]): SummaryRow => {
      const credit = showCredit(toCreditInfo(balances.get(user_id)!), { permissions })
      return { ...empty, user: { user_id, username, display_name, level, credit }, ...partsOf(subject, sums) }
    }
    return { rows: rows.map(toRow), row_count }
  }
  const { rows, row_count } = await listGrouped(db, subject, span, group_by, limit, offset)
  const keys = rows.map((row) => row.group_key)
  const periods = group_by === 'period' ? await listPeriodsByCode(db, keys) : undefined
  return {
    row_count,
    rows: rows.map(({ group_key, ...sums }) => ({
      ...empty,
      ...(group_by === 'product' ? { product_code: group_key } : {}),
      ...(group_by === 'day' || group_by === 'month' ? { day: group_key } : {}),
      ...(periods ? { period: toPeriod(periods.get(group_key)!) } : {}),
      ...partsOf(subject, sums),
    })),
  }
}

interface Flow {
  received: number
  discount: number
  win: number
}

/** The difference of two flows: the part of the level that received the first and passed on the second. */
function partBetween(received: Flow, passed: Flow): LevelPart {
  const share_satang = received.received - passed.received
  const win_satang = received.win - passed.win
  const commission_satang = passed.discount - received.discount
  return { share_satang, win_satang, commission_satang, total_satang: share_satang - win_satang + commission_satang }
}

const nothing: Flow = { received: 0, discount: 0, win: 0 }

/** The columns of one row. Their totals sum to 0: what one party gains, another loses. */
function partsOf(subject: Subject, sums: SummarySums): WinLossSummary['totals'] {
  const sent = { received: sums.received_satang, discount: sums.discount_satang, win: sums.win_satang }
  const received = {
    received: sums.came_received_satang,
    discount: sums.came_discount_satang,
    win: sums.came_win_satang,
  }
  const passed = {
    received: sums.passed_received_satang,
    discount: sums.passed_discount_satang,
    win: sums.passed_win_satang,
  }
  return {
    member: withTotal(sums),
    between: partBetween(sent, received),
    level: subject.level === 'member' ? partBetween(nothing, nothing) : partBetween(received, passed),
    upline: partBetween(passed, nothing),
    due_satang: partBetween(received, nothing).total_satang,
  }
}
