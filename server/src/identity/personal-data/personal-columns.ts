// Every column of the database, by what it says about a person. A test compares this list with the schema, so a new
// column cannot be added without a decision.

export interface PersonalTable {
  /** Which rows are about a person, as SQL with `:person` for the user id; by default those with its `user_id`. */
  rows?: string
  /** Columns in the copy that a person gets. */
  given: string
  /** Columns that are not: secrets, others' data, and what the database derives. */
  withheld?: string
  /**
   * What erasing a person does to its rows: deletes them, or overwrites these columns. Otherwise they stay under the
   * user id.
   */
  erased?: 'rows' | { columns: string }
  /** The column by which a table with many rows per person is read in parts. */
  part_by?: string
  /** Rows of further tables that belong to a row, as SQL expressions by name. */
  nested?: Readonly<Record<string, string>>
}

const ofOwnAccounts = (column: string): string =>
  `${column} in (select account_id from accounts where user_id = :person)`

/** Entries of the person's accounts, each by its own index. An entry between two of them is there once. */
const entriesOfPerson = `entry_id in (
  select mine.entry_id from accounts cross join lateral (
    (select entry_id from entries where from_account_id = accounts.account_id and entry_id > :after order by entry_id limit :part)
    union all
    (select entry_id from entries where to_account_id = accounts.account_id and kind <> 'bet' and entry_id > :after
      order by entry_id limit :part)) mine
  where accounts.user_id = :person)`

/** Tables with data about a person. */
export const personalTables: Readonly<Record<string, PersonalTable>> = {
  users: {
    given: `user_id username display_name level is_office office_role parent_id principal_id assistant_areas own_status
      status_in_force must_change_password password_expires_at email email_verified_at phone is_demo has_play_limits
      package_ids factor_kinds created_at last_log_in_at agent_code`,
    withheld: 'password_hash first_half_hash upline_ids status_set_by search_text',
    erased: { columns: 'username display_name email phone search_text password_hash first_half_hash' },
  },
  agent_contacts: { given: 'user_id name line_id phone', erased: 'rows' },
  contact_notes: { given: 'user_id phone line_id note tags', withheld: 'search_text', erased: 'rows' },
  email_links: {
    given: 'user_id email due_at mails mailed_at expires_at',
    withheld: 'tries by_turn token_hash passwords',
    erased: 'rows',
  },
  email_notices: { given: 'email_notice_id user_id email due_at', withheld: 'tries', erased: 'rows' },
  sessions: {
    given: `session_id user_id created_at last_active_at address user_agent factor_verified_at awaits_factor ended_at
      end_reason`,
    withheld: 'token_hash device_hash',
    erased: { columns: 'address user_agent device_hash' },
    part_by: 'session_id',
  },
  known_devices: { given: 'user_id failures last_failed_at last_used_at', withheld: 'token_hash', erased: 'rows' },
  push_subscriptions: {
    given: 'subscription_id user_id session_id endpoint language seen_at',
    withheld: 'p256dh auth',
    erased: 'rows',
  },
  pushes: {
    rows: 'subscription_id in (select subscription_id from push_subscriptions where user_id = :person)',
    given: 'push_id subscription_id kind subject_id due_at',
    withheld: 'tries',
    erased: 'rows',
  },
  second_factors: {
    given: 'factor_id user_id kind name created_at last_used_at',
    withheld: 'credential_id public_key transports sign_count secret last_step',
    erased: 'rows',
  },
  recovery_codes: { given: 'user_id created_at used_at', withheld: 'code_hash', erased: 'rows' },
  recovery_links: { given: 'user_id expires_at used_at mailed_at', withheld: 'token_hash', erased: 'rows' },
  recovery_requests: {
    rows: 'lower(identifier) in (select unnest(array[username, lower(email)]) from users where user_id = :person)',
    given: 'recovery_request_id identifier requested_at done_at',
    withheld: 'tries',
    erased: 'rows',
  },
  password_requests: { given: 'user_id requested_at', erased: 'rows' },
  factor_challenges: {
    rows: 'session_id in (select session_id from sessions where user_id = :person)',
    given: 'session_id purpose expires_at',
    withheld: 'content',
    erased: 'rows',
  },
  play_limits: { given: 'user_id kind span amount_satang next_amount_satang next_at' },
  play_breaks: { given: 'user_id kind until_at' },
  user_packages: { given: 'user_id package_id' },
  share_terms: { given: 'share_id user_id position_rate line_rate commission_rate since_at', withheld: 'set_by' },
  agent_codes: {
    given: `code user_id is_active created_at package_ids opening_credit_satang registrations_per_day registration_day
      registrations_of_day is_email_optional`,
    erased: { columns: 'is_active' },
  },
  downline_sizes: { given: 'user_id member_count agent_count' },
  announcement_reads: { given: 'announce_id user_id' },
  saved_views: { given: 'user_id page name search is_shared saved_at', erased: 'rows' },
  own_entries: { given: 'user_id list name content kept_at', erased: 'rows' },
  notice_reads: { given: 'user_id up_to_at' },
  report_files: {
    given: 'file_id user_id request filename state row_count byte_count created_at',
    withheld: 'principal_id request_id content_hash attempt rows_done renewed_at',
    erased: 'rows',
  },
  idempotent_requests: {
    rows: 'actor_id = :person',
    given: 'actor_id request_id at',
    // The outcome of a change may be about others.
    withheld: 'content_hash outcome',
    erased: 'rows',
  },
  accounts: {
    given: 'account_id kind user_id balance_satang floor_satang overdraft_satang given_satang',
    withheld: 'period_id',
  },
  overdraft_allowances: { rows: ofOwnAccounts('account_id'), given: 'correction_id account_id allowed_satang' },
  entries: {
    rows: entriesOfPerson,
    given: 'entry_id order_id at from_account_id to_account_id amount_satang kind',
    withheld: 'actor_id idempotency_key',
    part_by: 'entry_id',
  },
  edges: {
    rows: 'child_id = :person',
    given: 'child_id balance_satang settle_figure_satang clearing',
  },
  edge_days: {
    rows: 'child_id = :person',
    given: 'child_id day played_satang received_satang paid_satang adjusted_satang',
  },
  payments: {
    rows: 'child_id = :person',
    given: 'payment_id child_id kind amount_satang balance_after_satang method day note reverses_id recorded_at',
    withheld: 'parent_id holder_id recorded_by',
    part_by: 'payment_id',
  },
  payment_slips: {
    rows: 'payment_id in (select payment_id from payments where child_id = :person)',
    given: 'payment_id content_type added_at',
    withheld: 'image added_by',
    erased: 'rows',
  },
  payment_disputes: {
    rows: 'payment_id in (select payment_id from payments where child_id = :person)',
    given: 'payment_id note raised_at answer answered_at',
    withheld: 'answered_by',
  },
  clearings: {
    rows: 'child_id = :person',
    given:
      'clearing_id child_id week state forward_satang carried_satang made_at changed_at disputed_line dispute_note',
  },
  clearing_lines: {
    rows: 'child_id = :person',
    given: `clearing_id line_no child_id kind period_id payment_id received_satang discount_satang commission_satang
      win_satang change_satang`,
  },
  cash_counts: {
    rows: 'holder_id = :person',
    given: 'count_id holder_id day expected_satang counted_satang note counted_at',
    withheld: 'counted_by',
  },
  cash_handovers: {
    rows: 'from_id = :person or to_id = :person',
    given: 'handover_id from_id to_id amount_satang day note recorded_at',
    withheld: 'recorded_by',
  },
  orders: {
    given: `order_id user_id bet_satang received_satang discount_satang win_satang created_at placed_at
      confirm_deadline_at decided_at discount_seen_satang period_id package_id item_count request_id status note`,
    // The items are given in clear.
    withheld: 'cancelled_by content_hash slots lines differences returned_lines',
    nested: {
      period_code: '(select period_code from periods where periods.period_id = orders.period_id)',
      items: `(select json_agg(json_build_object('line_no', line_no, 'bet_type', bet_type, 'number', number,
        'bet_satang', items.bet_satang, 'received_satang', items.received_satang, 'rate', rate, 'discount_satang',
        items.discount_satang, 'is_half_pay', is_half_pay, 'win_satang', items.win_satang) order by line_no)
        from order_items items where items.order_id = orders.order_id)`,
      events: `(select json_agg(json_build_object('at', at, 'event', event, 'to_status', to_status, 'reason', reason)
        order by event_id) from order_events where order_events.order_id = orders.order_id)`,
    },
    erased: { columns: 'note' },
    part_by: 'order_id',
  },
  member_periods: { given: 'user_id period_id ticket_count bet_satang received_satang discount_satang win_satang' },
  taken_back_tickets: { given: 'user_id period_id tickets' },
  member_wins: {
    given: `user_id period_id item_count item_bet_satang item_received_satang item_discount_satang item_ticket_count
      whole_ticket_count ticket_bet_satang ticket_received_satang ticket_discount_satang win_satang`,
  },
  member_numbers: { given: 'user_id product_code slot win_count win_satang' },
  level_periods: {
    given: `user_id period_id member_count ticket_count bet_satang received_satang discount_satang win_satang
      came_received_satang came_discount_satang came_win_satang passed_received_satang passed_discount_satang
      passed_win_satang above_received_satang above_discount_satang above_win_satang item_count item_bet_satang
      item_received_satang item_discount_satang item_ticket_count whole_ticket_count ticket_bet_satang
      ticket_received_satang ticket_discount_satang`,
  },
  approvals: {
    rows: "subject = 'user:' || :person",
    given:
      'approval_id kind subject state_before state_after reason proposed_at expires_at state decided_at decision_reason',
    withheld: 'payload product_code figures first_half_hash proposed_by decided_by executed_in',
    erased: { columns: 'state_before state_after figures reason decision_reason' },
  },
  audit_log: {
    // What is done to others is about them.
    rows: 'subject_user_id = :person',
    given: 'chain_no at action subject before after reason',
    withheld: 'audit_id actor_id principal_id address subject_user_id salts digests previous_hash hash',
    nested: { own_address: 'case when actor_id = subject_user_id or actor_id is null then address end' },
    erased: { columns: 'address before after reason salts' },
    part_by: 'chain_no',
  },
}

/** Columns that say who did something. The person finds its own acts in the audit log. */
export const actorColumns: readonly string[] = `
  award_corrections.entered_by award_corrections.repeated_by awards.entered_by awards.repeated_by
  limit_rules.actor_id limit_rules.undone_by maintenances.set_by order_events.actor_id`
  .trim()
  .split(/\s+/)

/** Tables that keep a person's rows a second time, summed up or indexed. */
export const derivedTables = ['balance_marks', 'book_members', 'order_events', 'order_wins'] as const

/**
 * Tables that hold data of no person, or of nobody who could be found: `failed_tries` and `attempts_of_day` hold
 * hashes, `unknown_log_ins` the addresses of one minute, `report_file_parts` reports about others, `deferred_audits`
 * and `invariant_breaks` ids.
 */
export const tablesWithoutPersons: readonly string[] = `
  alarms announcements attempts_of_day audit_check audit_head auditor_state award_corrections awards book_cursor
  book_periods book_seals book_slots captchas deferred_audits entry_marks exchange_days exchange_sessions exchanges
  failed_tries invariant_breaks limit_rule_rows limit_rules maintenances market_draw_days market_holidays migrations
  notices number_settings package_terms package_terms_history packages period_slots period_voids periods products
  quota_blocks quota_changes quotas report_file_parts settlements setup_links slot_indexes unknown_log_ins`
  .trim()
  .split(/\s+/)

export function columnsIn(list: string | undefined): string[] {
  return list?.trim().split(/\s+/) ?? []
}
