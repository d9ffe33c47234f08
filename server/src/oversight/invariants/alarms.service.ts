// Sends alerts by mail and webhook, each until it is delivered.

import type { Db } from '../../postgres/db.ts'
import type { SendMail } from '../../lib/mail.ts'
import type { CallWebhook } from '../../lib/webhook.ts'
import { writeAlertMail } from './alarm-mail.ts'
import { type Alert, lockDueAlert, noteFailure, noteSent } from './alarms.store.ts'
import { describeInvariant } from './invariants.ts'

export interface AlarmSenders {
  sendMail: SendMail
  /** Absent without a webhook. */
  callWebhook: CallWebhook | undefined
}

/** The first wait after a failure, which doubles, and the longest, in seconds. */
const FIRST_WAIT_S = 30
const LONGEST_WAIT_S = 3_600
/** Alerts per run. */
const MAX_AT_ONCE = 100

/**
 * Sends due alerts. Each is locked while it is sent. If a node ends meanwhile it is sent again, so a receiver may get
 * it twice, but never misses it.
 * @param owner the database as its owner
 * @returns how many were sent
 */
export async function sendDueAlerts(
  owner: Db,
  senders: AlarmSenders,
  onError: (error: unknown) => void = () => {},
): Promise<number> {
  let sent = 0
  for (let each = 0; each < MAX_AT_ONCE; each += 1) {
    const result = await owner.transaction().execute(async (tx) => {
      const alarm = await lockDueAlert(tx)
      if (!alarm) return 'none'
      try {
        await send(alarm, senders)
      } catch (error) {
        const wait_s = Math.min(LONGEST_WAIT_S, FIRST_WAIT_S * 2 ** Math.min(alarm.tries, 20))
        await noteFailure(tx, alarm.alarm_id, error instanceof Error ? error.message : String(error), wait_s)
        onError(error)
        return 'failed'
      }
      await noteSent(tx, alarm.alarm_id)
      return 'sent'
    })
    if (result === 'none') break
    if (result === 'sent') sent += 1
  }
  return sent
}

async function send(alarm: Alert, { sendMail, callWebhook }: AlarmSenders): Promise<void> {
  if (alarm.channel === 'mail') return sendMail(writeAlertMail(alarm.recipient!, alarm))
  if (!callWebhook) throw new Error('ALARM_WEBHOOK_URL is not set any more')
  return callWebhook({ id: String(alarm.alarm_id), body: describeAlert(alarm) })
}

/** The body of the webhook. */
function describeAlert({ alarm_id, kind, break_id, invariant, broken_at, whole_at, findings }: Alert) {
  return {
    alarm_id,
    kind,
    break_id,
    invariant,
    name: describeInvariant(invariant).name.en,
    broken_at: broken_at.toISOString(),
    whole_at: kind === 'invariant_whole' ? (whole_at?.toISOString() ?? null) : null,
    findings,
  }
}
