// Columns of tables of markets, periods and packages. One line per column.

import type { BetTypeCode, CancelRules, ResultForm } from '@megalot/rules'
import type { Generated, JSONColumnType } from 'kysely'
import type { Kept } from './kept.ts'

export interface MarketsTables {
  products: {
    product_code: string
    name_th: string
    name_en: string
    group_code: 'government' | 'lao' | 'hanoi' | 'malay' | 'stock' | 'yeekee'
    country_code: string
    bet_types: BetTypeCode[]
    result_form: ResultForm
    timetable: JSONColumnType<object> | null
    next_timetable: JSONColumnType<object> | null
    next_timetable_from: string | null
    exchange_code: string | null
    exchange_session: string | null
    /** How long before its exchange a market must close. */
    exchange_margin_minutes: Generated<number>
    /** Days of each year (MM-DD) on which the draw may move to another day. */
    doubtful_days: Generated<string[]>
    bottom3_set: Generated<'back' | 'front+back'>
    is_enabled: Generated<boolean>
    cancel_rules: JSONColumnType<CancelRules, never>
    position: number
  }
  periods: {
    period_id: Kept<number>
    period_code: string
    product_code: string
    period_date: string
    round: number | null
    open_at: Date
    /** Its bets use the shares of this instant. */
    shares_at: Kept<Date>
    close_at: Date
    draw_at: Date
    outcome: Generated<PeriodOutcome>
    bottom3_set: Kept<'back' | 'front+back'>
    closed_at: Kept<Date> | null
    /** Created by a person outside the timetable. */
    is_manual: Generated<boolean>
  }
  exchanges: {
    exchange_code: string
    zone: string
    /** The exchange or its law has published days until then. */
    published_until: string
    listed_until: string
    note: string
    as_of: string
  }
  exchange_sessions: {
    exchange_code: string
    exchange_session: string
    opens: string
    closes: string
    weekdays: number[]
  }
  exchange_days: {
    exchange_code: string
    day: string
    closes: string | null
    name: string
  }
  market_draw_days: {
    product_code: string
    day: string
    is_confirmed: boolean
  }
  market_holidays: {
    product_code: string
    holiday: string
    name: string
  }
  packages: {
    package_id: Kept<number>
    product_code: string
    package_code: string
    name: string
    max_items: Generated<number>
    position: number
  }
  package_terms: {
    package_id: number
    bet_type: BetTypeCode
    rate: number
    discount_rate: number
    min_satang: number
    max_satang: number
    max_per_number_satang: number
    is_on: Generated<boolean>
  }
  package_terms_history: {
    package_id: Kept<number>
    bet_type: Kept<BetTypeCode>
    since_at: Kept<Date>
    rate: Kept<number>
    discount_rate: Kept<number>
    min_satang: Kept<number>
    max_satang: Kept<number>
    max_per_number_satang: Kept<number>
    is_on: Kept<boolean>
  }
  user_packages: { user_id: number; package_id: number }
  /** A view. */
  betting_periods: {
    period_id: Kept<number>
    period_code: Kept<string>
    product_code: Kept<string>
    period_date: Kept<string>
    round: Kept<number>
    open_at: Kept<Date>
    close_at: Kept<Date>
    draw_at: Kept<Date>
    outcome: Kept<string>
    status: Kept<string>
    bet_types: Kept<string[]>
    is_enabled: Kept<boolean>
    maintenance: Kept<unknown>
    period_account_id: Kept<number>
    packages: Kept<unknown>
  }
}

export type PeriodOutcome = 'pending' | 'settling' | 'settled' | 'voiding' | 'void'
