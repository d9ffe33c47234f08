// Password recovery: a link by mail, valid once and for half an hour, for each account with the verified address. A
// user without a verified address asks its parent. The call only records the input; a job looks up the user later, so
// that response times reveal nothing.

import { type PasswordRequest, RESET_PASSWORD_PATH } from '@megalot/contract'
import type { Caller } from '../../http/caller.ts'
import type { Db, Tx } from '../../postgres/db.ts'
import type { SendMail } from '../../lib/mail.ts'
import { Refusal } from '../../lib/refusal.ts'
import { subnetOf } from '../../http/subnet.ts'
import {
  findUser,
  hashPassword,
  lockUser,
  normalizePassword,
  refuseWeakPassword,
  runInHashQueue,
  writePasswordHash,
} from '../accounts/index.ts'
import { writeAudit } from '../../changes/audit/index.ts'
import { type AttemptOrigin, consumeCaptcha, endAllSessions, rememberDevice, requiredProof } from '../sessions/index.ts'
import { expireEmailLinks, findEmailState } from './email-verification.store.ts'
import { hashToken, linkOf, makeLinkToken } from './link-token.ts'
import { writeRecoveryMail } from './mails.ts'
import { sendEach } from './send-each.ts'
import {
  deleteLink,
  findLink,
  finishRequest,
  hasFreshLink,
  insertLink,
  insertPasswordRequest,
  insertRequest,
  listPasswordRequests as listRequestRows,
  listUsersToMail,
  lockDueRequest,
  recordDelivery,
  type RecoveryRequest,
  removeOld,
  takeEveryLink,
  takeLink,
  takeLinksOf,
  type UserToMail,
} from './recovery.store.ts'

/**
 * An account gets no further mail while its last one is younger than this, because its link is still valid for the rest
 * of half an hour.
 */
const FRESH_MINUTES = 10
/** How long a mailed link is valid. */
const LINK_MINUTES = 30

type Identifier = { email: string } | { username: string }
export type RecoveryCall = Identifier | (Identifier & { request_id: string; captcha_proof: string })

/**
 * Records a recovery request, with the same work for every username and address.
 * @throws Refusal log_in_paused if a proof of work is needed now; wrong_captcha
 */
export async function askForRecovery(db: Db, given: RecoveryCall, address: string): Promise<void> {
  const subnet = subnetOf(address)
  requiredProof.refuseWithout(subnet, 'captcha_proof' in given ? await consumeCaptcha(db, given) : 0)
  requiredProof.noteFailure(subnet)
  await insertRequest(db, 'email' in given ? given.email : given.username)
}

/**
 * Processes open requests. Mails go to the accounts' addresses, not the typed one: addresses that differ in case may
 * belong to different people.
 * @returns how many mails were sent
 * @throws the last delivery error; its request is processed again later
 */
export async function sendDueRecoveries(db: Db, sendMail: SendMail, publicUrl: string): Promise<number> {
  return sendEach(
    () => takeDueRequest(db),
    async ({ recovery_request_id, identifier }) => {
      let sent = 0
      for (const user of await findUsersToMail(db, identifier))
        if (await mailLink(db, user, sendMail, publicUrl)) sent += 1
      await finishRequest(db, recovery_request_id)
      return sent
    },
  )
}

/**
 * The users of a request. A named user without a verified address asks its parent instead. Office users and assistants
 * get a password from two people, or from their principal.
 */
async function findUsersToMail(db: Db, identifier: string): Promise<UserToMail[]> {
  if (identifier.includes('@')) return listUsersToMail(db, identifier)
  const user = await findUser(db, { username: identifier })
  if (!user || user.is_office || user.principal_id !== null || user.upline_ids.length === 0) return []
  const { user_id, username, level } = user
  const { email } = await findEmailState(db, user_id)
  if (level === 'member' && email !== null) return [{ user_id, username, email }]
  await db.transaction().execute(async (tx) => {
    await lockUser(tx, user_id)
    if (await insertPasswordRequest(tx, user_id))
      await writeAudit(tx, { actor_id: null, action: 'ask_for_password', subject: `user:${user_id}` })
  })
  return []
}

/** Maximum length of the list; more than an agent handles at a time. */
const MAX_PASSWORD_REQUESTS = 200

/** Direct downlines (the company's, for the office) who asked for a new password and have not logged in since. */
export async function listPasswordRequests(db: Db, caller: Caller): Promise<PasswordRequest[]> {
  const rows = await listRequestRows(db, caller, MAX_PASSWORD_REQUESTS)
  return rows.map(({ requested_at, ...row }) => ({ ...row, requested_at: requested_at.toISOString() }))
}

/** The oldest open request; it is due again a little later, unless it is finished. */
async function takeDueRequest(db: Db): Promise<RecoveryRequest | undefined> {
  return db.transaction().execute(async (tx) => {
    const request = await lockDueRequest(tx)
    if (request) await recordDelivery(tx, request.recovery_request_id)
    return request
  })
}

/**
 * Mails an account its own link.
 * @returns false if it was mailed one minutes ago
 */
async function mailLink(
  db: Db,
  { user_id, username, email }: UserToMail,
  sendMail: SendMail,
  publicUrl: string,
): Promise<boolean> {
  const { token, tokenHash } = makeLinkToken()
  const isDue = await db.transaction().execute(async (tx) => {
    // Another node may process another request for the same address.
    await lockUser(tx, user_id)
    if (await hasFreshLink(tx, user_id, FRESH_MINUTES)) return false
    await insertLink(tx, user_id, tokenHash, LINK_MINUTES)
    await writeAudit(tx, { actor_id: null, action: 'send_recovery_link', subject: `user:${user_id}` })
    return true
  })
  if (!isDue) return false
  try {
    await sendMail(writeRecoveryMail(email, username, linkOf(publicUrl, RESET_PASSWORD_PATH, token)))
  } catch (error) {
    await deleteLink(db, tokenHash)
    throw error
  }
  return true
}

/**
 * A link for a user who has no password yet; its earlier ones end. It works like a mailed one. The caller has locked the
 * user, and writes the audit row.
 */
export async function makePasswordLink(
  tx: Tx,
  user_id: number,
  hours: number,
): Promise<{ token: string; expires_at: Date }> {
  const { token, tokenHash } = makeLinkToken()
  await takeLinksOf(tx, user_id)
  return { token, expires_at: await insertLink(tx, user_id, tokenHash, hours * 60) }
}

export interface PasswordReset extends Pick<AttemptOrigin, 'address' | 'device'> {
  token: string
  new_password: string
  confirm_password: string
}

/**
 * Sets a new password, which invalidates all the user's links and ends its sessions. The browser in which the link was
 * used becomes known, so a user locked out by others' failures can log in again.
 * @returns whose password it is, and the token that identifies the browser at the next log-in
 * @throws Refusal password_mismatch, recovery_link_over, weak_password, common_password
 */
export async function resetPassword(
  db: Db,
  { token, new_password, confirm_password, address, device }: PasswordReset,
): Promise<{ username: string; device: string }> {
  if (normalizePassword(new_password) !== normalizePassword(confirm_password)) throw new Refusal('password_mismatch')
  // A link has 256 random bits, so response times do not help to guess one. Without a valid link no hash is computed.
  const tokenHash = hashToken(token)
  const principal_id = await findLink(db, tokenHash)
  if (principal_id === undefined) throw new Refusal('recovery_link_over')
  const password_hash = await runInHashQueue({ kind: 'signed_in', owner_id: principal_id }, () =>
    hashPassword(new_password),
  )
  return db.transaction().execute(async (tx) => {
    // Lock the user before its links, like other code that replaces the password.
    await lockUser(tx, principal_id)
    const user_id = await takeLink(tx, tokenHash)
    const user = user_id === undefined ? undefined : await findUser(tx, { user_id })
    if (user_id === undefined || !user) throw new Refusal('recovery_link_over')
    // A refused password must not use up the link.
    refuseWeakPassword(user, new_password)
    await writePasswordHash(tx, user_id, password_hash)
    await endAllSessions(tx, user_id)
    await writeAudit(tx, { actor_id: user_id, address, action: 'reset_password', subject: `user:${user_id}` })
    return { username: user.username, device: await rememberDevice(tx, user_id, device) }
  })
}

/** Removes addresses and links that are no longer needed. */
export async function removeOldRecoveries(db: Db): Promise<void> {
  await removeOld(db)
}

/**
 * Ends all mailed links, for forgotten passwords and for verification.
 * @returns how many
 */
export async function endEveryLink(tx: Tx): Promise<number> {
  return (await takeEveryLink(tx)) + (await expireEmailLinks(tx))
}
