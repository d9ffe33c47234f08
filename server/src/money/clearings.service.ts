// Clearing statements: made every Monday at noon, sent by the parent, confirmed or disputed by the child.

import * as contract from '@megalot/contract'
import { type Clearing, clearingMoves, type ClearingWithLines, receiptNumber } from '@megalot/contract'
import { sql } from 'kysely'
import * as z from 'zod/mini'
import { defineChange } from '../changes/index.ts'
import type { Scope } from '../http/caller.ts'
import { addDays } from '../lib/bangkok.ts'
import { Refusal } from '../lib/refusal.ts'
import { toPeriod } from '../markets/index.ts'
import type { Db } from '../postgres/db.ts'
import {
  type ClearingRecord,
  findClearing,
  findUnpaid,
  insertClearings,
  listClearingLines,
  listClearingRecords,
  listPeriodsOfLines,
  saveClearingState,
} from './clearings.store.ts'
import { findOwnerId, lockOfEdge } from './edges.store.ts'
import { mondayOf } from './week.ts'

/**
 * Makes the statements of the last week that are missing, from Monday noon in Bangkok on.
 * @returns how many
 */
export async function makeDueClearings(db: Db): Promise<number> {
  const { rows } = await sql<{ day: string }>`
    select ((clock_timestamp() at time zone 'Asia/Bangkok') - interval '12 hours')::date::text as day`.execute(db)
  return makeClearings(db, addDays(mondayOf(rows[0]!.day), -7))
}

/** Makes the missing statements of a week. @param monday of a week that is over */
export function makeClearings(db: Db, monday: string): Promise<number> {
  return db.transaction().execute((tx) => insertClearings(tx, monday))
}

type Side = 'below' | 'above'

/**
 * The caller's side of a statement.
 * @throws Refusal not_found (neither parent nor child, nor an upline of both; or a draft, to the child)
 */
function sideOf({ child_id, upline_ids, state }: ClearingRecord, { is_office, principal_id }: Scope): Side {
  if (child_id === principal_id) {
    if (state === 'draft') throw new Refusal('not_found')
    return 'above'
  }
  if (is_office || upline_ids.includes(principal_id)) return 'below'
  throw new Refusal('not_found')
}

async function readClearing(
  db: Db,
  caller: Scope,
  clearing_id: number,
): Promise<{ record: ClearingRecord; side: Side }> {
  const record = await findClearing(db, clearing_id)
  if (!record) throw new Refusal('not_found')
  return { record, side: sideOf(record, caller) }
}

const signOf = (side: Side) => (side === 'above' ? 1 : -1)
/** In the reader's favour; without a negative zero. */
const signed = (side: Side, satang: number) => signOf(side) * satang + 0

function toClearing(record: ClearingRecord, side: Side): Clearing {
  const { child_id, username, display_name, level, clearing_id, week, state } = record
  const { received_satang, discount_satang, commission_satang, win_satang, disputed_line, dispute_note } = record
  return {
    clearing_id,
    child: { user_id: child_id, username, display_name, level },
    parent_username: side === 'above' ? null : record.parent_username,
    side,
    week,
    state,
    received_satang,
    discount_satang,
    commission_satang,
    win_satang,
    forward_satang: signed(side, record.forward_satang),
    due_satang: signed(side, record.due_satang),
    corrected_satang: signed(side, record.corrected_satang),
    payments_satang: signed(side, record.payments_satang),
    adjusted_satang: signed(side, record.adjusted_satang),
    carried_satang: signed(side, record.carried_satang),
    is_due: record.is_due,
    made_at: record.made_at.toISOString(),
    changed_at: record.changed_at.toISOString(),
    disputed_line,
    dispute_note,
  }
}

/** Statements with the caller's children, or with its parent, newest first. */
export async function listClearings(
  db: Db,
  caller: Scope,
  query: contract.QueryOf<typeof contract.listClearings>,
  limit: number,
): Promise<{ data: Clearing[]; top_level: { total_count: number } }> {
  const { side = 'below', user_id, week, state, before } = query
  const filter = {
    owner_id: await findOwnerId(db, caller),
    side,
    user_id: user_id === undefined ? undefined : Number(user_id),
    week: week === undefined ? undefined : mondayOf(week),
    state,
  }
  const cursor = before === undefined ? undefined : Number(before)
  const { records, total_count } = await listClearingRecords(db, filter, limit, cursor)
  return { data: records.map((record) => toClearing(record, side)), top_level: { total_count } }
}

/** @throws Refusal not_found */
export async function getClearing(db: Db, caller: Scope, clearing_id: number): Promise<ClearingWithLines> {
  const { record, side } = await readClearing(db, caller, clearing_id)
  const periods = new Map((await listPeriodsOfLines(db, clearing_id)).map((period) => [period.period_id, period]))
  const lines = await listClearingLines(db, clearing_id)
  return {
    ...toClearing(record, side),
    lines: lines.map(({ period_id, payment_id, change_satang, ...line }) => ({
      ...line,
      period: period_id === null ? null : toPeriod(periods.get(period_id)!),
      payment_number: payment_id === null ? null : receiptNumber(payment_id),
      change_satang: signed(side, change_satang),
    })),
  }
}

/** @throws Refusal not_found */
export async function getClearingRow(db: Db, caller: Scope, clearing_id: number): Promise<Clearing> {
  const { record, side } = await readClearing(db, caller, clearing_id)
  return toClearing(record, side)
}

/**
 * Moves a statement on. The parent sends it, marks it paid and closes it; the child confirms or disputes it.
 * @throws Refusal not_found, not_allowed (the other side's move), clearing_changed, clearing_unpaid, bad_input (a dispute without a note,
 * or of a line that is not there)
 */
export const changeClearing = defineChange({
  name: 'change_clearing',
  needs: 'money.do',
  input: z.extend(contract.changeClearing.body, { clearing_id: z.int() }),
  async find(db, { clearing_id, to, note }, caller) {
    const { record, side } = await readClearing(db, caller, clearing_id)
    const isParent = record.parent_id === (await findOwnerId(db, caller))
    if (clearingMoves[to].by !== side || (side === 'below' && !isParent)) throw new Refusal('not_allowed')
    if (to === 'disputed' && note === undefined) throw new Refusal('bad_input', { fields: ['note'] })
    return record.child_id
  },
  locks: (_input, child_id) => [lockOfEdge(child_id)],
  async load({ tx }, { clearing_id }) {
    return {
      clearing: (await findClearing(tx, clearing_id))!,
      lines: await listClearingLines(tx, clearing_id),
      left_satang: await findUnpaid(tx, clearing_id),
    }
  },
  decide(
    { clearing: { state, child_id, clearing_id, week, carried_satang }, lines, left_satang },
    { to, line_no, note },
  ) {
    if (!clearingMoves[to].from.some((from) => from === state)) throw new Refusal('clearing_changed', { state })
    if (to === 'paid' && left_satang !== 0 && Math.sign(left_satang) === Math.sign(carried_satang))
      throw new Refusal('clearing_unpaid', { left_satang: Math.abs(left_satang) })
    if (line_no !== undefined && !lines.some((line) => line.line_no === line_no))
      throw new Refusal('bad_input', { fields: ['line_no'] })
    const dispute = to === 'disputed' ? { line_no: line_no ?? null, note: note! } : null
    return {
      plan: { clearing_id, to, dispute },
      rows: [{ subject: `user:${child_id}`, before: { state }, after: { state: to, week, ...dispute } }],
    }
  },
  async write({ tx }, { clearing_id, to, dispute }) {
    await saveClearingState(tx, clearing_id, to, dispute)
    return { outcome: clearing_id }
  },
})
