// Alerts to be sent: written with the violation they report, and retried until delivered.

import { sql } from 'kysely'
import type { Db, Tx } from '../../postgres/db.ts'
import type { Finding } from './invariant.ts'
import type { ViolationCode } from './invariants.ts'

export type AlarmKind = 'invariant_broken' | 'invariant_whole'

/** Recipients of alerts. */
export interface AlertTargets {
  mails: readonly string[]
  hasWebhook: boolean
}

export interface Alert {
  alarm_id: number
  kind: AlarmKind
  channel: 'mail' | 'webhook'
  recipient: string | null
  tries: number
  break_id: number
  invariant: ViolationCode
  broken_at: Date
  whole_at: Date | null
  findings: Finding[]
}

export async function insertAlerts(
  tx: Tx,
  break_id: number,
  kind: AlarmKind,
  { mails, hasWebhook }: AlertTargets,
): Promise<void> {
  const targets = [
    ...mails.map((recipient) => ({ channel: 'mail', recipient })),
    ...(hasWebhook ? [{ channel: 'webhook', recipient: null }] : []),
  ]
  for (const { channel, recipient } of targets)
    await sql`
      insert into alarms (break_id, kind, channel, recipient) values (${break_id}, ${kind}, ${channel}, ${recipient})
      on conflict do nothing`.execute(tx)
}

/** The next due alert, locked until the transaction ends; skips those another node is sending. */
export async function lockDueAlert(tx: Tx): Promise<Alert | undefined> {
  const { rows } = await sql<Alert>`
    select alarm_id, kind, channel, recipient, tries, break_id, invariant, broken_at, whole_at, findings
    from alarms join invariant_breaks using (break_id)
    where sent_at is null and next_try_at <= clock_timestamp()
    order by next_try_at, alarm_id limit 1 for update of alarms skip locked`.execute(tx)
  return rows[0]
}

export async function noteSent(tx: Tx, alarm_id: number): Promise<void> {
  await sql`
    update alarms set sent_at = clock_timestamp(), tries = tries + 1, last_error = null where alarm_id = ${alarm_id}`.execute(
    tx,
  )
}

export async function noteFailure(tx: Tx, alarm_id: number, error: string, retry_s: number): Promise<void> {
  await sql`
    update alarms set tries = tries + 1, last_error = ${error.slice(0, 500)},
      next_try_at = clock_timestamp() + ${retry_s} * interval '1 second' where alarm_id = ${alarm_id}`.execute(tx)
}

export async function countUnsent(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from alarms where sent_at is null`.execute(db)
  return rows[0]!.count
}
