// Removes personal data when its retention ends (`KEEP_…` settings).

import { sql } from 'kysely'
import type { Retention } from '../../config.ts'
import type { Db } from '../../postgres/db.ts'
import { changedStatusWithin, writeAudits } from '../../changes/audit/index.ts'

/** Rows per transaction, so that its locks are short. */
const ROWS_AT_ONCE = 5_000

/** @param owner the database as its owner: the application may not delete sessions */
export async function removeOldPersonalData(owner: Db, keep: Retention): Promise<void> {
  await repeatWhileFull(() => removeLogIns(owner, keep.logInDays))
  await repeatWhileFull(() => removeDevices(owner, keep.deviceDays))
  await repeatWhileFull(() => removeClosedContacts(owner, keep.closedContactDays))
}

async function repeatWhileFull(remove: () => Promise<number>): Promise<void> {
  while ((await remove()) === ROWS_AT_ONCE);
}

/** All of these sessions have ended: `KEEP_LOG_INS_DAYS` is at least 90, and no session lasts that long. */
async function removeLogIns(owner: Db, days: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from sessions where session_id in (
      select session_id from sessions
      where address is not null and created_at < clock_timestamp() - ${days} * interval '1 day' limit ${ROWS_AT_ONCE})
    and not exists (select from factor_challenges c where c.session_id = sessions.session_id)`.execute(owner)
  return Number(numAffectedRows)
}

async function removeDevices(owner: Db, days: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from known_devices where (token_hash, user_id) in (
      select token_hash, user_id from known_devices
      where last_used_at < clock_timestamp() - ${days} * interval '1 day' limit ${ROWS_AT_ONCE})`.execute(owner)
  return Number(numAffectedRows)
}

async function removeClosedContacts(owner: Db, days: number): Promise<number> {
  return owner.transaction().execute(async (tx) => {
    const { rows } = await sql<{ user_id: number }>`
      select user_id from users
      where own_status = 'SUSPENDED' and coalesce(last_log_in_at, created_at) < clock_timestamp() - ${days} * interval '1 day'
        and not ${changedStatusWithin(sql`user_id`, days)}
        and (email is not null or phone is not null or exists (select from email_links l where l.user_id = users.user_id)
          or exists (select from agent_contacts c where c.user_id = users.user_id)
          or exists (select from contact_notes c where c.user_id = users.user_id))
      order by user_id limit ${ROWS_AT_ONCE} for no key update`.execute(tx)
    const user_ids = rows.map(({ user_id }) => user_id)
    await sql`
      with gone as (select unnest(${user_ids}::bigint[]) as user_id),
        links as (delete from email_links using gone where gone.user_id = email_links.user_id),
        contacts as (delete from agent_contacts using gone where gone.user_id = agent_contacts.user_id),
        notes as (delete from contact_notes using gone where gone.user_id = contact_notes.user_id)
      update users set email = null, email_verified_at = null, phone = null from gone where gone.user_id = users.user_id`.execute(
      tx,
    )
    await writeAudits(
      tx,
      user_ids.map((user_id) => ({ actor_id: null, action: 'remove_contacts', subject: `user:${user_id}` })),
    )
    return user_ids.length
  })
}
