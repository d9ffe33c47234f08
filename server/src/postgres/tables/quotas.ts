// Columns of tables of quotas and limits. One line per column.

import type { BetTypeCode } from '@megalot/rules'
import type { Generated, JSONColumnType } from 'kysely'
import type { Kept } from './kept.ts'

interface NumbersOfType {
  bet_type: BetTypeCode
  numbers: string[]
}

export interface QuotasTables {
  quotas: {
    product_code: string
    period_id: number | null
    package_code: string | null
    bet_type: BetTypeCode
    full_satang: number
    half_satang: number
  }
  /** A view. */
  quotas_in_force: {
    period_id: Kept<number>
    package_code: Kept<string> | null
    bet_type: Kept<BetTypeCode>
    full_satang: Kept<number>
    half_satang: Kept<number>
  }
  /** A view. */
  accepted_blocks: {
    period_id: Kept<number>
    bet_type: Kept<BetTypeCode>
    block: Kept<number>
    accepted_satang: Kept<number[]>
  }
  quota_blocks: { period_id: number; bet_type: BetTypeCode; block: number; packed: Generated<number[]> }
  number_settings: {
    period_id: number
    bet_type: BetTypeCode
    quota_key: string
    set_to: 'open' | 'half' | 'closed'
    full_satang: number | null
    half_satang: number | null
    rule_id: number | null
    set_before_rules: Generated<'open' | 'half' | 'closed'>
  }
  limit_rules: {
    rule_id: Kept<number>
    actor_id: number
    set_at: Generated<Date>
    set_to: 'open' | 'half' | 'closed' | 'amount'
    full_satang: number | null
    half_satang: number | null
    is_standing: boolean
    until_date: string | null
    product_codes: string[]
    period_ids: number[]
    numbers: JSONColumnType<NumbersOfType[]>
    reason: string | null
    undone_at: Date | null
    undone_by: number | null
    undo_reason: string | null
  }
  limit_rule_rows: {
    rule_id: number
    product_code: string
    period_id: number | null
    bet_type: BetTypeCode
    quota_key: string
    is_over: Generated<boolean>
  }
  /** A view. */
  number_quotas: {
    period_id: Kept<number>
    bet_type: Kept<BetTypeCode>
    quota_key: Kept<string>
    set_to: Kept<'open' | 'half' | 'closed'>
    accepted_satang: Kept<number>
    own_full_satang: Kept<number> | null
    own_half_satang: Kept<number> | null
  }
  /** A view. */
  period_limits: {
    period_id: Kept<number>
    period_code: Kept<string>
    quotas: Kept<unknown>
    package_quotas: Kept<unknown>
    numbers: Kept<unknown>
  }
}
