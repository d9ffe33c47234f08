// Members prove that they read the mail of the address with which they registered: by a link, and by their password. Before that the address
// serves for nothing: whoever mistypes it gives nobody a way into the account, and whoever registers accounts with the address of
// somebody else takes nothing from it.

import { VERIFY_EMAIL_PATH } from '@megalot/contract'
import type { Db, Tx } from '../../platform/db.ts'
import type { SendMail } from '../../platform/mail.ts'
import { Refusal } from '../../platform/refusal.ts'
import { writeAudit } from '../audit/index.ts'
import { withOwnPassword } from '../sessions/index.ts'
import {
  countEmailPassword,
  type DueEmail,
  findEmailUser,
  insertEmailLink,
  postponeFullAddress,
  recordEmailSent,
  renewEmailLinks,
  saveEmailLink,
  takeDueEmail,
  verifyAddress,
} from './email-verification.store.ts'
import { hashToken, linkOf, makeLinkToken } from './link-token.ts'
import { writeEmailMail } from './mails.ts'
import { sendEach } from './send-each.ts'

/** A new user is to be mailed a link. */
export function askForEmail(tx: Tx, user_id: number): Promise<void> {
  return insertEmailLink(tx, user_id)
}

/**
 * Sends the mails that are due: to new users, and to those who logged in after their link had expired or could not be delivered.
 * @returns how many mails were sent
 * @throws the error of the last mail that could not be delivered
 */
export async function sendDueEmails(db: Db, sendMail: SendMail, publicUrl: string): Promise<number> {
  await renewEmailLinks(db)
  return sendEach(
    () => takeDueEmail(db),
    async (due) => {
      if (await postponeFullAddress(db, due)) return 0
      await mailLink(db, due, sendMail, publicUrl)
      return 1
    },
  )
}

async function mailLink(
  db: Db,
  { user_id, username, email }: DueEmail,
  sendMail: SendMail,
  publicUrl: string,
): Promise<void> {
  const { token, tokenHash } = makeLinkToken()
  await db.transaction().execute(async (tx) => {
    await saveEmailLink(tx, user_id, tokenHash)
    await writeAudit(tx, { actor_id: null, action: 'send_email_link', subject: `user:${user_id}` })
  })
  await sendMail(writeEmailMail(email, username, linkOf(publicUrl, VERIFY_EMAIL_PATH, token)))
  await recordEmailSent(db, user_id)
}

/** @throws Refusal email_link_over, wrong_password, log_in_paused, too_many_requests */
export async function verifyEmail(db: Db, { token, password }: { token: string; password: string }): Promise<void> {
  const tokenHash = hashToken(token)
  const user = await findEmailUser(db, tokenHash)
  if (!user) throw new Refusal('email_link_over')
  const { user_id, username } = user
  const check = {
    failure: 'verify_email_failed',
    refusal: 'wrong_password',
    // Only a password that is compared counts: one that is refused for too many attempts does not use up the link.
    onCompare: async () => {
      if (!(await countEmailPassword(db, tokenHash))) throw new Refusal('email_link_over')
    },
  } as const
  // Members alone are mailed these links, and they act for nobody else.
  const member = { actor_id: user_id, principal_id: user_id, username }
  await withOwnPassword(db, member, password, check, ({ resetFailures }) =>
    db.transaction().execute(async (tx) => {
      await resetFailures(tx)
      if (!(await verifyAddress(tx, user_id))) throw new Refusal('email_link_over')
      await writeAudit(tx, { actor_id: user_id, action: 'verify_email', subject: `user:${user_id}` })
    }),
  )
}
