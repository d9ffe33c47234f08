// The columns of the tables, for typed queries. A test proves them equal to the database's, line by line: a column is one line.

import type { BetTypeCode, CancelRules, DrawResult } from '@megalot/rules'
import type {
  ApprovalKind,
  Area,
  EntryKind,
  FactorKind,
  OfficeRole,
  OrderStatus,
  UserLevel,
  UserStatus,
} from '@megalot/contract'
import type { ColumnType, Generated, JSONColumnType } from 'kysely'

/** Written by the database, never by the application. */
type Kept<T> = ColumnType<T, never, never>

export interface Tables {
  users: {
    user_id: Generated<number>
    username: string
    display_name: string
    level: UserLevel
    is_office: Generated<boolean>
    /** Of an office user; null for everybody else. */
    office_role: OfficeRole | null
    parent_id: number | null
    /** For whom an assistant acts; null for everybody else. */
    principal_id: number | null
    /** Of an assistant; null for everybody else. */
    assistant_areas: Area[] | null
    upline_ids: Kept<number[]>
    own_status: Generated<UserStatus>
    /** The strictest of the user's own status and those of all its uplines. */
    status_in_force: Kept<UserStatus>
    status_set_by: number | null
    password_hash: string
    /** Of a one-time password in two halves: SHA-256 of the first one. */
    first_half_hash: Buffer | null
    /** Somebody else has set the password. */
    must_change_password: Generated<boolean>
    /** Until when such a password opens a session; null: it is the user's own. */
    password_expires_at: Kept<Date> | null
    is_demo: Generated<boolean>
    created_at: Kept<Date>
    has_play_limits: Generated<boolean>
    /** The user's rows of `user_packages`. */
    package_ids: Kept<number[]>
    /** The kinds of the user's second factors. */
    factor_kinds: Kept<FactorKind[]>
    email: string | null
    phone: string | null
    /** Name and username in lower case. */
    search_text: Kept<string>
    last_log_in_at: Kept<Date> | null
    /** With which a member has registered. */
    agent_code: string | null
  }
  agent_codes: {
    code: string
    user_id: number
    is_active: Generated<boolean>
    created_at: Kept<Date>
    /** Null: all of its agent's. */
    package_ids: number[] | null
    opening_credit_satang: Generated<number>
  }
  downline_sizes: { user_id: Kept<number>; member_count: Kept<number>; agent_count: Kept<number> }
  idempotent_requests: {
    actor_id: number
    request_id: string
    content_hash: Buffer
    outcome: JSONColumnType<object> | null
    at: Kept<Date>
  }
  audit_log: {
    audit_id: Kept<number>
    at: Kept<Date>
    actor_id: number | null
    principal_id: number | null
    address: string | null
    action: string
    subject: string
    subject_user_id: number | null
    before: JSONColumnType<object> | null
    after: JSONColumnType<object> | null
    reason: string | null
    /** The place in the hash chain, set at the commit. */
    chain_no: Kept<number> | null
    previous_hash: Kept<Buffer> | null
    hash: Kept<Buffer> | null
  }
  approvals: {
    approval_id: Kept<number>
    kind: ApprovalKind
    payload: JSONColumnType<object>
    subject: string
    product_code: string | null
    state_before: JSONColumnType<object> | null
    state_after: JSONColumnType<object>
    figures: JSONColumnType<object>
    first_half_hash: Buffer | null
    reason: string
    proposed_by: number
    proposed_at: Kept<Date>
    expires_at: Kept<Date>
    state: Generated<'waiting' | 'executed' | 'rejected' | 'withdrawn'>
    decided_by: number | null
    decided_at: Kept<Date> | null
    decision_reason: string | null
    executed_in: Kept<string> | null
  }
  audit_head: { is_only: Kept<boolean>; chain_no: Kept<number>; hash: Kept<Buffer> }
  audit_check: { is_only: Generated<boolean>; checked_at: Generated<Date>; row_count: number; problem_count: number }
  accounts: {
    account_id: Kept<number>
    kind: 'cash' | 'held' | 'period'
    user_id: number | null
    period_id: number | null
    balance_satang: Kept<number>
    floor_satang: number | null
    /** What corrections have taken back beyond the floor. */
    overdraft_satang: Kept<number>
  }
  entries: {
    entry_id: Kept<number>
    kind: EntryKind
    order_id: number | null
    idempotency_key: string | null
    actor_id: number | null
    at: Kept<Date>
    from_account_id: number
    to_account_id: number
    amount_satang: number
  }
  postings: { entry_id: number; account_id: number; amount_satang: number }
  captchas: {
    request_id: string
    answer: string | null
    proof_key: string | null
    proof_level: number | null
    expires_at: Date
  }
  failed_tries: { subject_hash: Buffer; failures: number; last_failed_at: Generated<Date> }
  maintenances: {
    /** A market's code; '' is everything. */
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
  play_limits: {
    user_id: number
    kind: 'stake' | 'loss'
    span: 'day' | 'week' | 'month'
    amount_satang: number | null
    next_amount_satang: number | null
    next_at: Date | null
  }
  play_breaks: { user_id: number; kind: 'time_out' | 'self_exclusion'; until_at: Date }
  known_devices: {
    token_hash: Buffer
    user_id: number
    failures: Generated<number>
    last_failed_at: Date | null
    last_used_at: Generated<Date>
  }
  recovery_requests: {
    recovery_request_id: Kept<number>
    email: string
    requested_at: Kept<Date>
    tries: Generated<number>
    done_at: Date | null
  }
  recovery_links: {
    token_hash: Buffer
    user_id: number
    expires_at: Date
    used_at: Date | null
    mailed_at: Date | null
  }
  sessions: {
    session_id: Kept<number>
    token_hash: Buffer
    user_id: number
    created_at: Kept<Date>
    last_active_at: Generated<Date>
    address: string | null
    user_agent: string | null
    factor_verified_at: Date | null
    awaits_factor: Generated<boolean>
    ended_at: Date | null
    end_reason: SessionEndReason | null
  }
  second_factors: {
    factor_id: Kept<number>
    user_id: number
    kind: 'passkey' | 'totp'
    name: string
    credential_id: Buffer | null
    public_key: Buffer | null
    transports: string[] | null
    sign_count: number | null
    secret: Buffer | null
    last_step: number | null
    created_at: Kept<Date>
    last_used_at: Date | null
  }
  recovery_codes: { user_id: number; code_hash: Buffer; created_at: Kept<Date>; used_at: Date | null }
  factor_challenges: {
    session_id: number
    purpose: 'enrol_passkey' | 'enrol_totp' | 'verify_passkey'
    content: Buffer
    expires_at: Date
  }
  products: {
    product_code: string
    name_th: string
    name_en: string
    group_code: 'government' | 'lao' | 'hanoi' | 'malay' | 'stock' | 'yeekee'
    country_code: string
    bet_types: BetTypeCode[]
    timetable: JSONColumnType<object> | null
    next_timetable: JSONColumnType<object> | null
    next_timetable_from: string | null
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
    close_at: Date
    draw_at: Date
    outcome: Generated<PeriodOutcome>
    bottom3_set: Kept<'back' | 'front+back'>
    /** Made by a person beside the timetable. */
    is_manual: Generated<boolean>
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
  orders: {
    order_id: number
    request_id: string
    content_hash: Buffer
    user_id: number
    period_id: number
    package_id: number
    status: OrderStatus
    note: string
    item_count: number
    bet_satang: number
    received_satang: number
    discount_satang: number
    win_satang: Generated<number>
    created_at: Date
    placed_at: Date
    slots: Kept<number[]>
    lines: Kept<number[]>
    differences: Kept<number[]> | null
    returned_lines: number[] | null
    cancelled_by: number | null
    confirm_deadline_at: Date | null
    decided_at: Date | null
  }
  /** A view. */
  order_items: {
    order_id: Kept<number>
    line_no: Kept<number>
    period_id: Kept<number>
    user_id: Kept<number>
    order_status: Kept<OrderStatus>
    bet_type: Kept<BetTypeCode>
    number: Kept<string>
    asked_satang: Kept<number>
    bet_satang: Kept<number>
    received_satang: Kept<number>
    rate: Kept<number>
    rate_seen: Kept<number>
    discount_rate: Kept<number>
    discount_satang: Kept<number>
    is_half_pay: Kept<boolean>
    win_satang: Kept<number>
  }
  order_wins: {
    order_id: number
    line_no: number
    round: number
    sign: number
    period_id: number
    user_id: number
    slot: number
    bet_satang: number
    received_satang: number
    discount_satang: number
    rate: number
    win_satang: number
  }
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
  share_terms: {
    share_id: Kept<number>
    user_id: number
    position_rate: number
    commission_rate: number
    since_at: Kept<Date>
    set_by: number | null
  }
  entry_marks: { day: string; entry_id: number }
  balance_marks: { user_id: number; entry_id: number; balance_satang: number }
  member_periods: {
    user_id: Kept<number>
    period_id: Kept<number>
    ticket_count: Kept<number>
    bet_satang: Kept<number>
    received_satang: Kept<number>
    discount_satang: Kept<number>
    win_satang: Kept<number>
  }
  waiting_cancels: { user_id: Kept<number>; period_id: Kept<number>; cancelled_tickets: Kept<number> }
  order_events: {
    event_id: Kept<number>
    order_id: number
    at: Kept<Date>
    event: string
    from_status: OrderStatus
    to_status: OrderStatus
    actor_id: number | null
    reason: string | null
    details: JSONColumnType<object> | null
  }
  void_requests: {
    order_id: number
    requested_by: number
    requested_at: Kept<Date>
    reason: string
    approved_by: number | null
    approved_at: Date | null
  }
  period_quotas: { period_id: number; bet_type: BetTypeCode; full_satang: number; half_satang: number }
  package_quotas: {
    product_code: string
    package_code: string
    bet_type: BetTypeCode
    full_satang: number
    half_satang: number
  }
  period_package_quotas: {
    period_id: number
    package_code: string
    bet_type: BetTypeCode
    full_satang: number
    half_satang: number
  }
  /** A view. */
  quotas_in_force: {
    period_id: Kept<number>
    bet_type: Kept<BetTypeCode>
    full_satang: Kept<number>
    half_satang: Kept<number>
  }
  quota_settings: { product_code: string; bet_type: BetTypeCode; full_satang: number; half_satang: number }
  quota_blocks: { period_id: number; bet_type: BetTypeCode; block: number; accepted_satang: Generated<number[]> }
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
  awards: {
    period_id: number
    state: 'entered' | 'locked' | 'agreed'
    result: JSONColumnType<DrawResult>
    entered_by: number | null
    entered_at: Generated<Date>
    repeated_by: number | null
    repeated_result: JSONColumnType<DrawResult> | null
    repeated_at: Date | null
    /** Generated for the demo, not drawn. */
    is_demo: Generated<boolean>
  }
  period_slots: { period_id: Kept<number>; slot: Kept<number>; order_ids: Kept<number[]> }
  slot_indexes: {
    period_id: Kept<number>
    started_at: Kept<Date>
    indexed_up_to_order_id: Kept<number>
    built_at: Date | null
  }
  settlements: {
    period_id: number
    paid_up_to_order_id: Generated<number>
    paid_orders: Generated<number>
    paid_satang: Generated<number>
    started_at: Kept<Date>
    finished_at: Date | null
    round: Generated<number>
  }
  book_cursor: {
    is_only: Generated<boolean>
    version: Generated<number>
    orders_up_to: Generated<number>
    orders_beyond: Generated<string>
    events_up_to: Generated<number>
    events_beyond: Generated<string>
    mark_xid: Generated<string>
    mark_order_id: Generated<number>
    mark_event_id: Generated<number>
    stepped_at: Generated<Date>
  }
  book_slots: {
    period_id: number
    slot: number
    line_count: number
    stake_satang: number
    payout_satang: number
    own_stake_satang: number
    own_payout_satang: number
    version: number
  }
  /** Sums by bet type, in the order of `betTypes`. */
  book_members: {
    period_id: number
    user_id: number
    package_id: number
    line_count: number
    received_satang: number[]
    discount_satang: number[]
  }
  book_periods: {
    period_id: number
    version: number
    first_version: number
    line_count: number
    received_satang: number
    discount_satang: number
    own_received_satang: number
    own_discount_satang: number
  }
  book_seals: {
    period_id: number
    state: 'sealed' | 'differs'
    version: number
    book_hash: string
    sealed_at: Generated<Date>
    differences: JSONColumnType<object>
  }
  award_corrections: {
    correction_id: Kept<number>
    period_id: number
    round: number
    state: Generated<'entered' | 'locked' | 'agreed' | 'settled'>
    old_result: JSONColumnType<DrawResult>
    new_result: JSONColumnType<DrawResult>
    reason: string
    entered_by: number
    entered_at: Kept<Date>
    repeated_by: number | null
    repeated_result: JSONColumnType<DrawResult> | null
    repeated_at: Date | null
    settled_at: Date | null
    taken_back_satang: Generated<number>
    paid_satang: Generated<number>
  }
  period_voids: {
    period_id: number
    requested_by: number
    requested_at: Kept<Date>
    reason: string
    approved_by: number | null
    approved_at: Date | null
    refunded_up_to_order_id: Generated<number>
    refunded_orders: Generated<number>
    refunded_satang: Generated<number>
    finished_at: Date | null
  }
  /** A view. */
  refunded_orders: {
    order_id: Kept<number>
    user_id: Kept<number>
    period_id: Kept<number>
    net_satang: Kept<number>
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
  notices: {
    notice_id: Kept<number>
    kind: 'award_corrected' | 'period_voided'
    period_id: number
    correction_id: number | null
    at: Kept<Date>
  }
  notice_reads: { user_id: number; up_to_at: Date }
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
  /** A view. */
  quota_rules: {
    period_id: Kept<number>
    period_code: Kept<string>
    limits: Kept<unknown>
    package_limits: Kept<unknown>
    settings: Kept<unknown>
  }
}

export type PeriodOutcome = 'pending' | 'settling' | 'settled' | 'voiding' | 'void'
export type SessionEndReason =
  | 'logged_off'
  | 'replaced'
  | 'expired'
  | 'password_changed'
  | 'suspended'
  | 'ended_by_staff'
  | 'factors_reset'
