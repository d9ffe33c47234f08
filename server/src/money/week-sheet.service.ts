// The week sheet: what each child owes, from the owner's side.

import type * as contract from '@megalot/contract'
import { type DataOf, type EdgeWeek, MAX_SHEET_ROWS, type TopLevelOf } from '@megalot/contract'
import { findUser, getAccessibleUser } from '../identity/accounts/index.ts'
import { findCreditBalances } from '../betting/ledger/index.ts'
import type { Caller } from '../http/caller.ts'
import { Refusal } from '../lib/refusal.ts'
import type { Db } from '../postgres/db.ts'
import { type EdgeWeekRecord, findOwnerId, listEdgeWeeks, sumOwnPart, sumWins } from './edges.store.ts'
import { findToday, mondayOf } from './week.ts'

type SheetTop = TopLevelOf<typeof contract.getWeekSheet>

/**
 * The edges of an owner's children in a week, the largest balance first.
 * @throws Refusal not_found (the owner is not in the caller's downline)
 */
export async function getWeekSheet(
  db: Db,
  caller: Caller,
  query: { user_id?: string | undefined; week?: string | undefined },
): Promise<{ data: EdgeWeek[]; top_level: SheetTop }> {
  const owner_id =
    query.user_id === undefined ? await findOwnerId(db, caller) : await readOwner(db, caller, Number(query.user_id))
  const today = await findToday(db)
  const week = mondayOf(query.week ?? today)
  const rows = (await listEdgeWeeks(db, { owner_id }, week)).map(toEdgeWeek)
  const owner = (await findUser(db, { user_id: owner_id }))!
  const [own] = await listEdgeWeeks(db, { child_id: owner_id }, week)
  const sumOf = (pick: (row: EdgeWeek) => number) => rows.reduce((sum, row) => sum + pick(row), 0)
  const debtors = rows.filter(({ balance_satang }) => balance_satang > 0)
  const creditors = rows.filter(({ balance_satang }) => balance_satang < 0)
  const data = rows
    .toSorted((one, other) => Math.abs(other.balance_satang) - Math.abs(one.balance_satang))
    .slice(0, MAX_SHEET_ROWS)
  return {
    data,
    top_level: {
      owner: { user_id: owner.user_id, username: owner.username, display_name: owner.display_name, level: owner.level },
      week,
      is_current: week === mondayOf(today),
      row_count: rows.length,
      sums: {
        collect_satang: debtors.reduce((sum, { balance_satang }) => sum + balance_satang, 0),
        collect_count: debtors.length,
        pay_satang: creditors.reduce((sum, { balance_satang }) => sum - balance_satang, 0),
        pay_count: creditors.length,
        received_satang: sumOf((row) => row.received_satang),
        paid_satang: sumOf((row) => row.paid_satang),
        net_satang: sumOf((row) => row.balance_satang),
        pass_up_satang: own ? 0 - (own.balance_satang - own.later_satang) : null,
        own_satang: await sumOwnPart(db, owner_id, week),
      },
    },
  }
}

/** @throws Refusal not_found */
async function readOwner(db: Db, caller: Caller, user_id: number): Promise<number> {
  const { level } = await getAccessibleUser(db, caller, user_id)
  if (level === 'member') throw new Refusal('not_found')
  return user_id
}

/**
 * A user's edge in the current week, from its parent's side.
 * @throws Refusal not_found (not in the caller's downline), not_allowed (the caller itself, or the company)
 */
export async function getUserEdge(db: Db, caller: Caller, user_id: number): Promise<DataOf<typeof contract.getEdge>> {
  const { parent_id, is_office } = await getAccessibleUser(db, caller, user_id)
  if (parent_id === null || is_office || (user_id === caller.principal_id && !caller.is_office))
    throw new Refusal('not_allowed')
  const week = mondayOf(await findToday(db))
  const [record] = await listEdgeWeeks(db, { child_id: user_id }, week)
  const credit = (await findCreditBalances(db, user_id))!
  const seesCredit = caller.permissions.has('credit.view')
  return {
    ...toEdgeWeek(record!),
    credit_limit_satang: seesCredit ? credit.credit_limit_satang : null,
    credit_remain_satang: seesCredit ? credit.credit_limit_satang + credit.cash_satang : null,
    won_satang: await sumWins(db, user_id, week),
    can_record: caller.permissions.has('money.do') && parent_id === (await findOwnerId(db, caller)),
  }
}

const sign = (satang: number) => 0 - satang

/** From the parent's side: what is in the child's favour is owed by the parent. */
function toEdgeWeek(record: EdgeWeekRecord): EdgeWeek {
  const { later_satang, days, ...edge } = record
  const week_satang = days.reduce((sum, satang) => sum + satang, 0)
  const balance = edge.balance_satang - later_satang
  const before = balance - week_satang - edge.received_satang + edge.paid_satang - edge.adjusted_satang
  return {
    ...edge,
    forward_satang: sign(before),
    days: days.map(sign),
    week_satang: sign(week_satang),
    adjusted_satang: sign(edge.adjusted_satang),
    balance_satang: sign(balance),
    is_over_figure: edge.settle_figure_satang !== null && Math.abs(balance) >= edge.settle_figure_satang,
  }
}
