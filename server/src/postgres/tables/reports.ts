// Columns of tables of rollups and report files. One line per column.

import type { Generated, JSONColumnType } from 'kysely'
import type { Kept } from './kept.ts'

export interface ReportsTables {
  member_wins: {
    user_id: Kept<number>
    period_id: Kept<number>
    item_count: Kept<number>
    item_bet_satang: Kept<number>
    item_received_satang: Kept<number>
    item_discount_satang: Kept<number>
    item_ticket_count: Kept<number>
    whole_ticket_count: Kept<number>
    ticket_bet_satang: Kept<number>
    ticket_received_satang: Kept<number>
    ticket_discount_satang: Kept<number>
    win_satang: Kept<number>
  }
  member_numbers: {
    user_id: Kept<number>
    product_code: Kept<string>
    slot: Kept<number>
    win_count: Kept<number>
    win_satang: Kept<number>
  }
  level_periods: {
    user_id: Kept<number>
    period_id: Kept<number>
    member_count: Kept<number>
    ticket_count: Kept<number>
    bet_satang: Kept<number>
    received_satang: Kept<number>
    discount_satang: Kept<number>
    win_satang: Kept<number>
    came_received_satang: Kept<number>
    came_discount_satang: Kept<number>
    came_win_satang: Kept<number>
    passed_received_satang: Kept<number>
    passed_discount_satang: Kept<number>
    passed_win_satang: Kept<number>
    above_received_satang: Kept<number>
    above_discount_satang: Kept<number>
    above_win_satang: Kept<number>
    item_count: Kept<number>
    item_bet_satang: Kept<number>
    item_received_satang: Kept<number>
    item_discount_satang: Kept<number>
    item_ticket_count: Kept<number>
    whole_ticket_count: Kept<number>
    ticket_bet_satang: Kept<number>
    ticket_received_satang: Kept<number>
    ticket_discount_satang: Kept<number>
  }
  report_files: {
    file_id: Kept<number>
    user_id: number
    principal_id: number
    request_id: string
    content_hash: Buffer
    request: JSONColumnType<object>
    filename: string
    state: Generated<'waiting' | 'writing' | 'ready' | 'failed'>
    attempt: Generated<number>
    row_count: number | null
    rows_done: Generated<number>
    byte_count: Generated<number>
    created_at: Kept<Date>
    renewed_at: Generated<Date>
  }
  report_file_parts: { file_id: number; part_no: number; content: Buffer }
}
