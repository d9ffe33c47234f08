// Columns of tables of log-ins, second factors and recovery. One line per column.

import type { Generated } from 'kysely'
import type { Kept } from './kept.ts'

export interface SessionsTables {
  captchas: {
    request_id: string
    answer: string | null
    proof_key: string | null
    proof_level: number | null
    expires_at: Date
  }
  failed_tries: { subject_hash: Buffer; failures: number; last_failed_at: Generated<Date> }
  attempts_of_day: { subject_hash: Buffer; day: string; attempts: number }
  known_devices: {
    token_hash: Buffer
    user_id: number
    failures: Generated<number>
    last_failed_at: Date | null
    last_used_at: Generated<Date>
  }
  push_subscriptions: {
    subscription_id: Kept<number>
    user_id: number
    session_id: number
    endpoint: string
    p256dh: string
    auth: string
    language: 'th' | 'en'
    seen_at: Generated<Date>
  }
  pushes: {
    push_id: Kept<number>
    subscription_id: number
    kind: 'result' | 'correction' | 'confirm'
    subject_id: number
    tries: Generated<number>
    due_at: Generated<Date>
  }
  recovery_requests: {
    recovery_request_id: Kept<number>
    /** A mail address or a username. */
    identifier: string
    requested_at: Kept<Date>
    tries: Generated<number>
    done_at: Date | null
  }
  recovery_links: {
    token_hash: Buffer
    user_id: number
    expires_at: Date
    used_at: Date | null
    mailed_at: Kept<Date>
  }
  setup_links: {
    token_hash: Buffer
    expires_at: Date
  }
  email_links: {
    user_id: number
    email: string
    due_at: Generated<Date> | null
    tries: Generated<number>
    mails: Generated<number>
    mailed_at: Date | null
    by_turn: Generated<boolean>
    token_hash: Buffer | null
    expires_at: Date | null
    passwords: Generated<number>
  }
  email_notices: {
    email_notice_id: Kept<number>
    user_id: number
    email: string
    due_at: Generated<Date> | null
    tries: Generated<number>
  }
  password_requests: { user_id: number; requested_at: Generated<Date> }
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
    device_hash: Buffer | null
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
}

export type SessionEndReason =
  | 'logged_off'
  | 'replaced'
  | 'expired'
  | 'password_changed'
  | 'suspended'
  | 'ended_by_staff'
  | 'factors_reset'
