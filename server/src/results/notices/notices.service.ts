// Notices to all members of a period about a corrected result, or a voided or postponed period. A member sees notices
// of periods in which it has bet. Office users have none; for them it stores until when they have read about
// rejections.

import type { Notice } from '@megalot/contract'
import type { Db, Tx } from '../../postgres/db.ts'
import { toPeriod } from '../../markets/index.ts'
import {
  countUnread,
  findReadUpTo,
  insertNotice,
  listNoticeRecords,
  type NoticeRecord,
  saveRead,
  saveReadUpTo,
} from './notices.store.ts'

/** Notifies the members of a period that its result was corrected. */
export function addCorrectionNotice(tx: Tx, period_id: number, correction_id: number): Promise<void> {
  return insertNotice(tx, { kind: 'award_corrected', period_id, correction_id })
}

/** Notifies the members of a period that it is void and that their stakes are refunded. */
export function addVoidNotice(tx: Tx, period_id: number): Promise<void> {
  return insertNotice(tx, { kind: 'period_voided', period_id, correction_id: null })
}

/** Notifies a period's members that its draw is postponed. */
export function addPostponementNotice(tx: Tx, period_id: number): Promise<void> {
  return insertNotice(tx, { kind: 'period_postponed', period_id, correction_id: null })
}

/** A member's notices, newest first, and the number of unread ones. */
export async function listNotices(
  db: Db,
  user_id: number,
  limit: number,
  offset: number,
): Promise<{ notices: Notice[]; unread_count: number }> {
  const records = await listNoticeRecords(db, user_id, limit, offset)
  const unread_count = await countUnread(db, user_id)
  return { notices: records.map(toNotice), unread_count }
}

/**
 * Marks a member's notices up to this one as read.
 * @returns how many are unread
 */
export async function readNotices(db: Db, user_id: number, up_to_notice_id: number): Promise<number> {
  await saveRead(db, user_id, up_to_notice_id)
  return countUnread(db, user_id)
}

/** Until when a user has read its notices, in microseconds since 1970; 0 if it has read none. */
export function getReadUpTo(db: Db, user_id: number): Promise<number> {
  return findReadUpTo(db, user_id)
}

/** Marks everything up to an instant, in microseconds since 1970, as read. */
export function readUpTo(db: Db, user_id: number, at_us: number): Promise<void> {
  return saveReadUpTo(db, user_id, at_us)
}

function toNotice(record: NoticeRecord): Notice {
  const { notice_id, at, is_read } = record
  const head = { notice_id, at: at.toISOString(), is_read, period: toPeriod(record) }
  if (record.kind === 'period_postponed') return { ...head, kind: 'period_postponed' }
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
