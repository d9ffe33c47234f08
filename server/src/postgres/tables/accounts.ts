// Columns of tables about users and their decisions: accounts, shares, own limits, proposals, the audit log. One line
// per column.

import type { ApprovalKind, Area, FactorKind, OfficeRole, UserLevel, UserStatus } from '@megalot/contract'
import type { Generated, JSONColumnType } from 'kysely'
import type { Kept } from './kept.ts'

export interface AccountsTables {
  users: {
    user_id: Generated<number>
    username: string
    display_name: string
    level: UserLevel
    is_office: Generated<boolean>
    /** An office user's role; null for all others. */
    office_role: OfficeRole | null
    parent_id: number | null
    /** An assistant's principal; null for all others. */
    principal_id: number | null
    /** An assistant's areas; null for all others. */
    assistant_areas: Area[] | null
    upline_ids: Kept<number[]>
    own_status: Generated<UserStatus>
    /** The strictest of the user's own status and its uplines' statuses. */
    status_in_force: Kept<UserStatus>
    status_set_by: number | null
    password_hash: string
    /** SHA-256 of the first half of a split one-time password. */
    first_half_hash: Buffer | null
    /** Someone else has set the password. */
    must_change_password: Generated<boolean>
    /** Until when such a password opens a session; null for the user's own. */
    password_expires_at: Kept<Date> | null
    is_demo: Generated<boolean>
    created_at: Kept<Date>
    has_play_limits: Generated<boolean>
    /** The user's rows of `user_packages`. */
    package_ids: Kept<number[]>
    /** The kinds of the user's second factors. */
    factor_kinds: Kept<FactorKind[]>
    email: string | null
    /** When the user verified this address. */
    email_verified_at: Date | null
    phone: string | null
    /** Name and username in lower case. */
    search_text: Kept<string>
    last_log_in_at: Kept<Date> | null
    /** The code with which a member has registered. */
    agent_code: string | null
  }
  agent_codes: {
    code: string
    user_id: number
    is_active: Generated<boolean>
    created_at: Kept<Date>
    /** Null for all of its agent's. */
    package_ids: number[] | null
    opening_credit_satang: Generated<number>
    registrations_per_day: number
    /** Of the last registration. */
    registration_day: string | null
    registrations_of_day: Generated<number>
    /** Whether a mail address is optional for registration. */
    is_email_optional: Generated<boolean>
  }
  contact_notes: {
    user_id: number
    phone: string | null
    line_id: string | null
    note: Generated<string>
    tags: Generated<string[]>
    search_text: Kept<string>
  }
  agent_contacts: { user_id: number; name: string; line_id: string | null; phone: string | null }
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
    /** For address, before, after and reason; set at the commit. */
    salts: Kept<Buffer[]> | null
    digests: Kept<Buffer[]> | null
    /** Position in the hash chain, set at the commit. */
    chain_no: Kept<number> | null
    previous_hash: Kept<Buffer> | null
    hash: Kept<Buffer> | null
  }
  /** The same columns: failed log-ins of a minute, until they become one row of the log. */
  unknown_log_ins: {
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
    salts: Kept<Buffer[]> | null
    digests: Kept<Buffer[]> | null
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
  play_limits: {
    user_id: number
    kind: 'stake' | 'loss'
    span: 'day' | 'week' | 'month'
    amount_satang: number | null
    next_amount_satang: number | null
    next_at: Date | null
  }
  play_breaks: { user_id: number; kind: 'time_out' | 'self_exclusion'; until_at: Date }
  share_terms: {
    share_id: Kept<number>
    user_id: number
    position_rate: number
    line_rate: number
    commission_rate: number
    since_at: Kept<Date>
    set_by: number | null
  }
}
