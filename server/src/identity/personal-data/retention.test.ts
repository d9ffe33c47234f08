// Goal: what is older than it is kept goes, and what is younger or still needed stays.

import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { addPerson } from '../../../test/scenes.ts'
import { cloneDatabase } from '../../../test/test-database.ts'
import { verifyAuditChain, writeAudit } from '../../changes/audit/index.ts'
import { removeOldPersonalData } from './retention.service.ts'

test('removes log-ins, devices, and contacts of closed users after their time', async () => {
  const { db, owner } = await cloneDatabase()
  const [closed, open, recent, justClosed, unused] = [
    await addPerson(db, 'closed1', 'member', 'agent01'),
    await addPerson(db, 'open1', 'member', 'agent01'),
    await addPerson(db, 'recent1', 'member', 'agent01'),
    await addPerson(db, 'closed2', 'member', 'agent01'),
    // Without a log-in the time runs from the day the user was created.
    await addPerson(db, 'unused1', 'member', 'agent01'),
  ]
  const ids = [closed, open, recent, justClosed, unused]
  await sql`
    update users set phone = '081', email = username || '@example.org', email_verified_at = now(),
      own_status = case when user_id = ${open} then 'NORMAL' else 'SUSPENDED' end,
      last_log_in_at = now() - case user_id when ${recent} then interval '29 days' when ${unused} then null
        else interval '31 days' end
    where user_id = any(${ids}::bigint[])`.execute(owner)
  await db
    .transaction()
    .execute((tx) => writeAudit(tx, { actor_id: null, action: 'change_status', subject: `user:${justClosed}` }))
  await sql`
    insert into sessions (token_hash, user_id, address, created_at, ended_at, end_reason)
    select sha256(days::text::bytea), ${recent}, '10.0.0.' || days, now() - days * interval '1 day', now(), 'expired'
    from unnest(array[9, 11, 12]) days`.execute(owner)
  await sql`
    insert into factor_challenges (session_id, purpose, content, expires_at)
    select session_id, 'enrol_totp', 'a', now() from sessions where address = '10.0.0.12'`.execute(owner)
  for (const user_id of [closed, open]) {
    await sql`insert into email_links (user_id, email) values (${user_id}, 'a@example.org')`.execute(owner)
    await sql`insert into agent_contacts (user_id, name) values (${user_id}, 'a')`.execute(owner)
    await sql`insert into contact_notes (user_id, note) values (${user_id}, 'a')`.execute(owner)
  }
  await sql`
    insert into known_devices (token_hash, user_id, last_used_at)
    select sha256(days::text::bytea), ${open}, now() - days * interval '1 day' from unnest(array[19, 21]) days`.execute(
    owner,
  )
  await removeOldPersonalData(owner, { logInDays: 10, deviceDays: 20, closedContactDays: 30 })
  const { rows: sessions } = await sql<{ address: string }>`select address from sessions order by created_at`.execute(
    owner,
  )
  // A log-in that waits for a factor stays until its challenge is removed.
  expect(sessions).toEqual([{ address: '10.0.0.12' }, { address: '10.0.0.9' }])
  const { rows: devices } = await sql<{ count: number }>`select count(*) from known_devices`.execute(owner)
  expect(devices).toEqual([{ count: 1 }])
  const { rows: left } = await sql<{ user_id: number }>`
    select user_id from users where phone = '081' and email is not null order by user_id`.execute(owner)
  expect(left.map(({ user_id }) => user_id)).toEqual([open, recent, justClosed, unused])
  const { rows: contacts } = await sql`
    select user_id from email_links union select user_id from agent_contacts union select user_id from contact_notes`.execute(
    owner,
  )
  expect(contacts).toEqual([{ user_id: open }])
  expect((await verifyAuditChain(db)).problems).toEqual([])
})
