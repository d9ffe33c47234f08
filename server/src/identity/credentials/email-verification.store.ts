// Links for verifying addresses: `email_links` has a row for each user with an unverified address.

import { sql } from 'kysely'
import type { Db, Tx } from '../../postgres/db.ts'

/** Delivery attempts per mail, and mails per user in total, because the address may be someone else's. */
const MAX_DELIVERIES = 5
const MAX_MAILS = 3
/** Mails to one address per day, over all users who registered with it, to prevent abuse by registrations. */
const MAX_MAILS_A_DAY = 20
/**
 * How many of them go to users who have waited longest. Not less than `REGISTRATIONS_OF_ADDRESS_A_DAY`, so that each
 * user gets its first mail about a day after registering, however many others use its address.
 */
const MAILS_BY_TURN_A_DAY = 10
/** Passwords that may be entered for one link. */
const MAX_PASSWORDS = 5

export interface DueEmail {
  user_id: number
  username: string
  email: string
}

/** Replaces a user's unverified address and its link. The mail is due at once. */
export async function saveUnverifiedEmail(tx: Tx, user_id: number, email: string): Promise<void> {
  // The last mail to the same address still counts towards the day.
  await sql`
    insert into email_links as link (user_id, email) values (${user_id}, ${email})
    on conflict (user_id) do update set email = excluded.email, due_at = clock_timestamp(), tries = 0, mails = 1, by_turn = false,
      mailed_at = case when lower(link.email) = lower(excluded.email) then link.mailed_at end,
      token_hash = null, expires_at = null, passwords = 0`.execute(tx)
}

export interface EmailState {
  /** The verified address. */
  email: string | null
  /** The address waiting to be verified. */
  unverified_email: string | null
}

export async function findEmailState(db: Db, user_id: number): Promise<EmailState> {
  const { rows } = await sql<EmailState>`
    select u.email, link.email as unverified_email from users u left join email_links link using (user_id)
    where u.user_id = ${user_id}`.execute(db)
  return rows[0]!
}

/**
 * A mail to the address that has waited longest. `MAILS_BY_TURN_A_DAY` of its mails go to users in turn: first those
 * without a mail, in order of registration. The others go to users who logged in last, so that an address's owner need
 * not wait if someone else has registered with it. The mail is due again a little later, unless it is recorded as sent.
 */
export async function takeDueEmail(db: Db): Promise<DueEmail | undefined> {
  const { rows } = await sql<DueEmail>`
    with turns as (
      select lower(email) as address, count(*) as mails from email_links
      where mailed_at > clock_timestamp() - interval '1 day' and by_turn group by 1
    ), next as (
      select due.user_id, ranked.by_turn
      from email_links due join (
        select user_id, address, last_log_in_at, coalesce(turns.mails, 0) < ${MAILS_BY_TURN_A_DAY} as by_turn,
          min(due_at) over (partition by address) as address_due_at
        from (
          select user_id, lower(email_links.email) as address, last_log_in_at, due_at
          from email_links join users using (user_id) where due_at <= clock_timestamp()
        ) waiting left join turns using (address)
      ) ranked using (user_id)
      where due.due_at <= clock_timestamp()
      order by address_due_at, address, case when ranked.by_turn then due.mailed_at is not null end,
        case when ranked.by_turn then due.user_id end, last_log_in_at desc nulls last, due.user_id
      limit 1 for update of due skip locked
    )
    update email_links l set tries = tries + 1, by_turn = next.by_turn,
      due_at = case when tries + 1 < ${MAX_DELIVERIES} then clock_timestamp() + (tries + 1) * interval '1 minute' end
    from next join users u using (user_id)
    where u.user_id = l.user_id
    returning u.user_id, u.username, l.email`.execute(db)
  return rows[0]
}

/**
 * If an address has had its mails of the day, postpones this mail until the first of them is a day old, together with
 * all its other due mails; then it is decided again whose mail comes first.
 * @returns whether it waits
 */
export async function postponeFullAddress(db: Db, { user_id, email }: DueEmail): Promise<boolean> {
  const { numAffectedRows } = await sql`
    with room as (
      select mailed_at + interval '1 day' as at from email_links mailed
      where lower(email) = lower(${email}) and mailed_at > clock_timestamp() - interval '1 day'
      order by mailed_at desc offset ${MAX_MAILS_A_DAY - 1} limit 1
    ), waiting as materialized (
      -- The sorted lock order prevents a deadlock of two nodes.
      select user_id from email_links link
      where lower(email) = lower(${email}) and (user_id = ${user_id} or due_at <= clock_timestamp()) and exists (select from room)
      order by user_id for update of link
    )
    update email_links l set tries = 0, due_at = room.at from room, waiting where l.user_id = waiting.user_id`.execute(
    db,
  )
  return (numAffectedRows ?? 0n) > 0n
}

/**
 * Stored before its mail is sent, so that an arriving link can be used.
 * @returns false if the user has asked for another address meanwhile
 */
export async function saveEmailLink(tx: Tx, { user_id, email }: DueEmail, tokenHash: Buffer): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update email_links set token_hash = ${tokenHash}, expires_at = clock_timestamp() + interval '3 days', passwords = 0
    where user_id = ${user_id} and email = ${email}`.execute(tx)
  return numAffectedRows === 1n
}

/** The link may have been replaced while its mail was sent; the new one's mail is still due. */
export async function recordEmailSent(db: Db, tokenHash: Buffer): Promise<void> {
  await sql`
    update email_links set due_at = null, tries = 0, mailed_at = clock_timestamp() where token_hash = ${tokenHash}`.execute(
    db,
  )
}

/**
 * Makes another mail due for users who have logged in since their link expired, or since their mail was given up (see
 * `tries`), up to `MAX_MAILS`.
 */
export async function renewEmailLinks(db: Db): Promise<void> {
  await sql`
    update email_links l set due_at = clock_timestamp(), tries = 0, mails = mails + 1 from users u
    where u.user_id = l.user_id and l.due_at is null and l.mails < ${MAX_MAILS}
      and case when l.tries > 0 then u.last_log_in_at > coalesce(l.expires_at - interval '3 days', '-infinity')
        else l.expires_at < clock_timestamp() and u.last_log_in_at > l.expires_at end`.execute(db)
}

/**
 * Ends all links. Users who log in afterwards are mailed another.
 * @returns how many
 */
export async function expireEmailLinks(tx: Tx): Promise<number> {
  const { numAffectedRows } = await sql`
    update email_links set expires_at = clock_timestamp() where expires_at > clock_timestamp()`.execute(tx)
  return Number(numAffectedRows)
}

export interface EmailUser {
  user_id: number
  username: string
  must_change_password: boolean
}

/**
 * The user of a link.
 * @returns undefined if it is unknown or expired, or has taken all its passwords
 */
export async function findEmailUser(db: Db, tokenHash: Buffer): Promise<EmailUser | undefined> {
  const { rows } = await sql<EmailUser>`
    select user_id, username, must_change_password from email_links join users using (user_id)
    where token_hash = ${tokenHash} and expires_at > clock_timestamp() and passwords < ${MAX_PASSWORDS}`.execute(db)
  return rows[0]
}

/**
 * Counts a password entered for a link.
 * @returns false if the link takes no more, or has expired
 */
export async function countEmailPassword(db: Db, tokenHash: Buffer): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update email_links set passwords = passwords + 1
    where token_hash = ${tokenHash} and expires_at > clock_timestamp() and passwords < ${MAX_PASSWORDS}`.execute(db)
  return numAffectedRows === 1n
}

/**
 * Uses up a link: its address becomes its user's verified one.
 * @returns the previous address, or null; undefined if the link was used or replaced meanwhile
 */
export async function verifyAddress(tx: Tx, tokenHash: Buffer): Promise<{ earlier: string | null } | undefined> {
  const { rows } = await sql<{ earlier: string | null }>`
    with link as (delete from email_links where token_hash = ${tokenHash} returning user_id, email),
      before as (select user_id, users.email from users join link using (user_id))
    update users u set email = link.email, email_verified_at = clock_timestamp() from link join before using (user_id)
    where u.user_id = link.user_id returning before.email as earlier`.execute(tx)
  return rows[0]
}
