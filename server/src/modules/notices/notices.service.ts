// What all members of a period are told once it has happened: a corrected result, a voided period. A member's notices are those
// of the periods in which it has bet.

import type { Notice } from '@megalot/contract'
import type { Db, Tx } from '../../platform/db.ts'
import { toPeriod } from '../markets/index.ts'
import { countUnread, insertNotice, listNoticeRecords, type NoticeRecord, saveRead } from './notices.store.ts'

/** Tells the members of a period that its result was corrected. */
export function addCorrectionNotice(tx: Tx, period_id: number, correction_id: number): Promise<void> {
  return insertNotice(tx, { kind: 'award_corrected', period_id, correction_id })
}

/** Tells the members of a period that it is void and that their stakes are refunded. */
export function addVoidNotice(tx: Tx, period_id: number): Promise<void> {
  return insertNotice(tx, { kind: 'period_voided', period_id, correction_id: null })
}

/** A member's notices, newest first, and how many of all are unread. */
export async function listNotices(
  db: Db,
  user_id: number,
  limit: number,
  offset: number,
): Promise<{ notices: Notice[]; unread_count: number }> {
  const [records, unread_count] = await Promise.all([
    listNoticeRecords(db, user_id, limit, offset),
    countUnread(db, user_id),
  ])
  return { notices: records.map(toNotice), unread_count }
}

/** Marks a member's notices up to this one as read; what was read stays read. @returns how many are left */
export async function readNotices(db: Db, user_id: number, up_to_notice_id: number): Promise<number> {
  await saveRead(db, user_id, up_to_notice_id)
  return countUnread(db, user_id)
}

function toNotice(record: NoticeRecord): Notice {
  const { notice_id, at, is_read } = record
  const head = { notice_id, at: at.toISOString(), is_read, period: toPeriod(record) }
  if (record.kind === 'period_voided') {
    const { void_reason, ticket_count, refund_satang } = record
    return { ...head, kind: 'period_voided', reason: void_reason!, ticket_count, refund_satang }
  }
  const { old_win_satang, new_win_satang } = record
  return {
    ...head,
    kind: 'award_corrected',
    old_result: record.old_result!,
    new_result: record.new_result!,
    is_demo: record.is_demo,
    old_win_satang,
    new_win_satang,
    change_satang: new_win_satang - old_win_satang,
  }
}
