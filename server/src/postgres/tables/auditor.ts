// Columns of the integrity check's tables. One line per column.

import type { Generated, JSONColumnType } from 'kysely'
import type { Kept } from './kept.ts'

export interface AuditorTables {
  deferred_audits: {
    deferred_id: Generated<number>
    record: JSONColumnType<object>
  }
  auditor_state: {
    is_only: Generated<boolean>
    snapshot: string | null
    ran_at: Date | null
    up_to_order_id: Generated<number>
    up_to_event_id: Generated<number>
    up_to_entry_id: Generated<number>
    mark_xid: Generated<number>
    mark_order_id: Generated<number>
    mark_event_id: Generated<number>
    mark_entry_id: Generated<number>
    drawn_order_id: Generated<number>
    drawn_event_id: Generated<number>
    drawn_entry_id: Generated<number>
    whole_kind: 'order' | 'entry' | 'user' | 'member_period' | 'period' | null
    whole_after_key: Generated<number>
    is_whole_requested: Generated<boolean>
    commits_count_after: Generated<Date>
    whole_started_at: Date | null
    whole_ended_at: Date | null
  }
  invariant_breaks: {
    break_id: Generated<number>
    invariant: string
    broken_at: Generated<Date>
    seen_at: Generated<Date>
    whole_at: Date | null
    keys: number[]
    findings: JSONColumnType<object[]>
    reported_at: Generated<Date>
    has_unreported: Generated<boolean>
  }
  alarms: {
    alarm_id: Generated<number>
    break_id: number
    kind: 'invariant_broken' | 'invariant_whole'
    channel: 'mail' | 'webhook'
    recipient: string | null
    created_at: Generated<Date>
    tries: Generated<number>
    next_try_at: Generated<Date>
    sent_at: Date | null
    last_error: string | null
  }
  quota_changes: {
    change_id: Kept<number>
    product_code: Kept<string>
    period_id: Kept<number> | null
    bet_type: Kept<string>
    most_satang: Kept<number> | null
    at: Kept<Date>
  }
}
