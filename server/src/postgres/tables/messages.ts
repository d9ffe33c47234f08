// Columns of tables of maintenance, announcements and notices. One line per column.

import type { NumberSetRow } from '@megalot/contract'
import type { Generated, JSONColumnType } from 'kysely'
import type { Kept } from './kept.ts'

export interface MessagesTables {
  maintenances: {
    /** A market's code; '' for the whole application. */
    scope: string
    message_th: string
    message_en: string
    until_at: Date | null
    since_at: Kept<Date>
    set_by: number | null
  }
  announcements: {
    announce_id: Kept<number>
    type: 'news' | 'important'
    title_th: string
    title_en: string
    body_th: string
    body_en: string
    is_enabled: boolean
    created_at: Kept<Date>
    updated_at: Generated<Date>
  }
  announcement_reads: { announce_id: number; user_id: number }
  notices: {
    notice_id: Kept<number>
    kind: 'award_corrected' | 'period_voided' | 'period_postponed'
    period_id: number
    correction_id: number | null
    at: Kept<Date>
  }
  own_entries: {
    user_id: number
    list: 'favourite_markets' | 'number_sets'
    name: string
    content: JSONColumnType<NumberSetRow[]> | null
    kept_at: Generated<Date>
  }
  saved_views: {
    user_id: number
    page: string
    name: string
    search: string
    is_shared: Generated<boolean>
    saved_at: Generated<Date>
  }
  notice_reads: { user_id: number; up_to_at: Date }
}
