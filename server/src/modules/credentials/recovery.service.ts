// Password recovery: a link by mail, valid once and for half an hour. The call only records the address, known or not;
// the user is looked up later by a job, so that the response time reveals nothing.

import { hash, randomBytes } from 'node:crypto'
import type { Db } from '../../platform/db.ts'
import type { SendMail } from '../../platform/mail.ts'
import { Refusal } from '../../platform/refusal.ts'
import { findUser, hashPassword, refuseWeakPassword, runInHashQueue, writePasswordHash } from '../accounts/index.ts'
import { writeAudit } from '../audit/index.ts'
import { endAllSessions } from '../sessions/index.ts'
import { writeRecoveryMail } from './recovery-mail.ts'
import {
  finishRequest,
  insertLink,
  insertRequest,
  listUsersToMail,
  lockDueRequest,
  recordDelivery,
  recordMail,
  removeOld,
  takeLink,
  type UserToMail,
} from './recovery.store.ts'

/** Mails for one account in an hour; more would only help somebody who sends requests for others. */
const MAX_MAILS_AN_HOUR = 3
/** Accounts in one mail. */
const ACCOUNTS_A_MAIL = 20
/** Requests processed in one run. */
const MAX_AT_ONCE = 200

/** Records a recovery request. It is the same work for every address. */
export async function askForRecovery(db: Db, email: string): Promise<void> {
  await insertRequest(db, email)
}

/** Processes open requests. @returns how many mails were sent */
export async function sendDueRecoveries(db: Db, sendMail: SendMail, publicUrl: string): Promise<number> {
  let sent = 0
  for (let each = 0; each < MAX_AT_ONCE; each += 1) {
    const mails = await processNext(db, sendMail, publicUrl)
    if (mails === undefined) break
    sent += mails
  }
  return sent
}

/** @returns how many mails were sent for the oldest request, or undefined where none is open */
async function processNext(db: Db, sendMail: SendMail, publicUrl: string): Promise<number | undefined> {
  const request = await db.transaction().execute(async (tx) => {
    const request = await lockDueRequest(tx)
    if (request) await recordDelivery(tx, request.recovery_request_id)
    return request
  })
  if (!request) return undefined
  // All accounts of the address: others can register any number of names with it, and must not push its owner's account out.
  const users = await listUsersToMail(db, request.email, MAX_MAILS_AN_HOUR)
  let mails = 0
  for (let at = 0; at < users.length; at += ACCOUNTS_A_MAIL) {
    await mailLinks(db, request.email, users.slice(at, at + ACCOUNTS_A_MAIL), sendMail, publicUrl)
    mails += 1
  }
  await finishRequest(db, request.recovery_request_id)
  return mails
}

/** Makes a link for each account, and mails them to their address. */
async function mailLinks(
  db: Db,
  email: string,
  users: readonly UserToMail[],
  sendMail: SendMail,
  publicUrl: string,
): Promise<void> {
  const hashes: Buffer[] = []
  const links: { username: string; url: string }[] = []
  for (const { user_id, username } of users) {
    const token = randomBytes(32).toString('base64url')
    hashes.push(hashToken(token))
    await db.transaction().execute(async (tx) => {
      await insertLink(tx, user_id, hashToken(token))
      await writeAudit(tx, { actor_id: null, action: 'send_recovery_link', subject: `user:${user_id}` })
    })
    // In the fragment of the URL, so that it reaches neither a server's log nor another site.
    links.push({ username, url: `${publicUrl}/auth/reset-password#token=${token}` })
  }
  await sendMail(writeRecoveryMail(email, links))
  await recordMail(db, hashes)
}

export interface PasswordReset {
  token: string
  new_password: string
  confirm_password: string
}

/**
 * Sets a new password; this link and all other links of the user become invalid, and its sessions end.
 * @returns whose password it is
 * @throws Refusal password_mismatch, recovery_link_over, weak_password, common_password
 */
export async function resetPassword(
  db: Db,
  { token, new_password, confirm_password }: PasswordReset,
): Promise<{ username: string }> {
  if (new_password !== confirm_password) throw new Refusal('password_mismatch')
  // Hashed for an invalid link too, so that the response time is the same.
  const password_hash = await runInHashQueue({ lane: 'unknown' }, () => hashPassword(new_password))
  return db.transaction().execute(async (tx) => {
    const user_id = await takeLink(tx, hashToken(token))
    const user = user_id === undefined ? undefined : await findUser(tx, { user_id })
    if (user_id === undefined || !user) throw new Refusal('recovery_link_over')
    // The link is not used up by a password that is refused.
    refuseWeakPassword(user, new_password)
    await writePasswordHash(tx, user_id, password_hash)
    await endAllSessions(tx, user_id)
    await writeAudit(tx, { actor_id: user_id, action: 'reset_password', subject: `user:${user_id}` })
    return { username: user.username }
  })
}

/** Removes addresses and links that are no longer needed. */
export async function removeOldRecoveries(db: Db): Promise<void> {
  await removeOld(db)
}

function hashToken(token: string): Buffer {
  return hash('sha256', token, 'buffer')
}
