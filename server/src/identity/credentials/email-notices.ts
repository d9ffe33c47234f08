// Notices to replaced mail addresses. A notice is stored with the change, and mailed by a job.

import { sql } from 'kysely'
import type { Db, Tx } from '../../postgres/db.ts'
import type { SendMail } from '../../lib/mail.ts'
import { writeEmailNotice } from './mails.ts'
import { sendEach } from './send-each.ts'

/** Delivery attempts before a notice is given up. */
const MAX_DELIVERIES = 5

export async function addEmailNotice(tx: Tx, user_id: number, email: string): Promise<void> {
  await tx.insertInto('email_notices').values({ user_id, email }).execute()
}

/**
 * @returns how many were sent
 * @throws the last delivery error
 */
export function sendDueEmailNotices(db: Db, sendMail: SendMail): Promise<number> {
  return sendEach(
    () => takeDueNotice(db),
    async ({ email_notice_id, email, username }) => {
      await sendMail(writeEmailNotice(email, username))
      await db.deleteFrom('email_notices').where('email_notice_id', '=', email_notice_id).execute()
      return 1
    },
  )
}

interface DueNotice {
  email_notice_id: number
  email: string
  username: string
}

/** It is due again a little later, unless it is sent. */
async function takeDueNotice(db: Db): Promise<DueNotice | undefined> {
  const { rows } = await sql<DueNotice>`
    with next as (
      select email_notice_id from email_notices where due_at <= clock_timestamp()
      order by due_at, email_notice_id limit 1 for update skip locked
    )
    update email_notices notice set tries = tries + 1,
      due_at = case when tries + 1 < ${MAX_DELIVERIES} then clock_timestamp() + (tries + 1) * interval '1 minute' end
    from next, users u
    where notice.email_notice_id = next.email_notice_id and u.user_id = notice.user_id
    returning notice.email_notice_id, notice.email, u.username`.execute(db)
  return rows[0]
}
