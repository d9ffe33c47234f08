// Members add and change their mail address. An address is used only once its member has verified it with a mailed link
// and the password, so the owner of a mistyped address gets no access to the account. Until then the previous verified
// address remains in use.

import { VERIFY_EMAIL_PATH } from '@megalot/contract'
import type { Caller } from '../../http/caller.ts'
import type { Db, Tx } from '../../postgres/db.ts'
import type { SendMail } from '../../lib/mail.ts'
import { Refusal } from '../../lib/refusal.ts'
import { lockUser } from '../accounts/index.ts'
import { actorOf, writeAudit } from '../../changes/audit/index.ts'
import { verifyCaller } from '../../changes/callers/index.ts'
import { countToday, type DayBound, isDailyLimitReached, withOwnPassword } from '../sessions/index.ts'
import { addEmailNotice } from './email-notices.ts'
import {
  countEmailPassword,
  type DueEmail,
  type EmailState,
  findEmailState,
  findEmailUser,
  postponeFullAddress,
  recordEmailSent,
  renewEmailLinks,
  saveEmailLink,
  saveUnverifiedEmail,
  takeDueEmail,
  verifyAddress,
} from './email-verification.store.ts'
import { hashToken, linkOf, makeLinkToken } from './link-token.ts'
import { writeEmailMail } from './mails.ts'
import { takeLinksOf } from './recovery.store.ts'
import { countAddress, refuseAddressOverLimit } from './registration-bounds.ts'
import { sendEach } from './send-each.ts'

export { findEmailState }

/** A member's address changes per day in Bangkok, so that no account sends mails to many people. */
const CHANGES_A_DAY = 10

const changeBoundOf = (user_id: number): DayBound => ({ subject: `email-changes:${user_id}`, most: CHANGES_A_DAY })

const addressOfUser = (user_id: number, email: string): DayBound => ({
  subject: `email-of-user:${user_id}:${email.toLowerCase()}`,
  most: 1,
})

/**
 * Stores a user's address, to be mailed a link.
 * @throws Refusal email_limit_reached
 */
export async function askForEmail(tx: Tx, user_id: number, email: string): Promise<void> {
  // Once per user and day, so that one member cannot use up another's address.
  if (await countToday(tx, addressOfUser(user_id, email))) await countAddress(tx, email)
  await saveUnverifiedEmail(tx, user_id, email)
}

/**
 * Stores a new address of the caller, or the same one again, and mails it a link. The previous one stays in use until
 * it is verified.
 * @throws Refusal wrong_password, log_in_paused, email_limit_reached, too_many_requests
 */
export async function changeEmail(
  db: Db,
  caller: Caller,
  { email, password }: { email: string; password: string },
): Promise<EmailState> {
  const { actor_id: user_id } = caller
  if (await isDailyLimitReached(db, changeBoundOf(user_id))) throw new Refusal('too_many_requests')
  await refuseAddressOverLimit(db, email)
  const check = { failure: 'change_email_failed', refusal: 'wrong_password' } as const
  return withOwnPassword(db, caller, password, check, (verified) =>
    db.transaction().execute(async (tx) => {
      await refuseReplacedPassword(tx, user_id, verified.password_hash)
      if (!(await countToday(tx, changeBoundOf(user_id)))) throw new Refusal('too_many_requests')
      await askForEmail(tx, user_id, email)
      await verifyCaller(tx, caller)
      await verified.resetFailures(tx)
      await writeAudit(tx, { ...actorOf(caller), action: 'change_email', subject: `user:${user_id}` })
      return findEmailState(tx, user_id)
    }),
  )
}

/**
 * Locks the user.
 * @throws Refusal wrong_password if the password was replaced since it was verified
 */
async function refuseReplacedPassword(tx: Tx, user_id: number, password_hash: string): Promise<void> {
  if ((await lockUser(tx, user_id))?.password_hash !== password_hash) throw new Refusal('wrong_password')
}

/**
 * Sends due links: to new addresses, and to users who logged in after their link had expired or could not be delivered.
 * @returns how many mails were sent
 * @throws the last delivery error
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

async function mailLink(db: Db, due: DueEmail, sendMail: SendMail, publicUrl: string): Promise<void> {
  const { user_id, username, email } = due
  const { token, tokenHash } = makeLinkToken()
  const isSaved = await db.transaction().execute(async (tx) => {
    if (!(await saveEmailLink(tx, due, tokenHash))) return false
    await writeAudit(tx, { actor_id: null, action: 'send_email_link', subject: `user:${user_id}` })
    return true
  })
  if (!isSaved) return
  await sendMail(writeEmailMail(email, username, linkOf(publicUrl, VERIFY_EMAIL_PATH, token)))
  await recordEmailSent(db, tokenHash)
}

/**
 * @throws Refusal email_link_over, wrong_password, log_in_paused, too_many_requests; password_change_needed if the
 * password is a one-time password, which someone else knows
 */
export async function verifyEmail(
  db: Db,
  { token, password, address }: { token: string; password: string; address: string },
): Promise<void> {
  const tokenHash = hashToken(token)
  const user = await findEmailUser(db, tokenHash)
  if (!user) throw new Refusal('email_link_over')
  const { user_id, username } = user
  if (user.must_change_password) throw new Refusal('password_change_needed')
  const check = {
    failure: 'verify_email_failed',
    refusal: 'wrong_password',
    // Only a compared password counts: one refused for too many attempts does not use up the link.
    onCompare: async () => {
      if (!(await countEmailPassword(db, tokenHash))) throw new Refusal('email_link_over')
    },
  } as const
  // Only members are mailed these links, and members act for no one else.
  const member = { actor_id: user_id, username, address }
  await withOwnPassword(db, member, password, check, ({ password_hash, resetFailures }) =>
    db.transaction().execute(async (tx) => {
      // Lock the user before its links, as for a new password.
      await refuseReplacedPassword(tx, user_id, password_hash)
      await resetFailures(tx)
      const verified = await verifyAddress(tx, tokenHash)
      if (!verified) throw new Refusal('email_link_over')
      // Links for a forgotten password were mailed to the previous address.
      await takeLinksOf(tx, user_id)
      if (verified.earlier !== null && verified.earlier !== (await findEmailState(tx, user_id)).email)
        await addEmailNotice(tx, user_id, verified.earlier)
      await writeAudit(tx, { actor_id: user_id, address, action: 'verify_email', subject: `user:${user_id}` })
    }),
  )
}
