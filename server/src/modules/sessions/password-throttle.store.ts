import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/db.ts'

export interface Failures {
  failures: number | null
  since_ms: number | null
  /** Null: the browser is not known for this user. */
  device_failures: number | null
  device_since_ms: number | null
}

/** One statement for every case, so that its duration reveals nothing. */
export async function findFailures(db: Db, subject: Buffer, device: Buffer, username: string): Promise<Failures> {
  const { rows } = await sql<Failures>`
    select tries.failures, (extract(epoch from clock_timestamp() - tries.last_failed_at) * 1000)::float8 as since_ms,
      device.failures as device_failures,
      (extract(epoch from clock_timestamp() - device.last_failed_at) * 1000)::float8 as device_since_ms
    from (values (1)) as always
      left join failed_tries tries on tries.subject_hash = ${subject} and tries.last_failed_at > clock_timestamp() - interval '1 day'
      left join lateral (
        select d.* from known_devices d join users u using (user_id)
        where d.token_hash = ${device} and u.username = ${username.toLowerCase()}
          and d.last_used_at > clock_timestamp() - interval '180 days'
      ) device on true`.execute(db)
  return rows[0]!
}

export async function addFailure(tx: Tx, subject: Buffer): Promise<void> {
  await sql`
    insert into failed_tries as stored (subject_hash, failures) values (${subject}, 1)
    on conflict (subject_hash) do update set last_failed_at = clock_timestamp(),
      failures = case when stored.last_failed_at < clock_timestamp() - interval '1 day' then 1 else stored.failures + 1 end`.execute(
    tx,
  )
}

export async function clearFailures(tx: Tx, subject: Buffer): Promise<void> {
  await tx.deleteFrom('failed_tries').where('subject_hash', '=', subject).execute()
}

export async function addDeviceFailure(tx: Tx, device: Buffer, username: string): Promise<void> {
  await sql`
    update known_devices d set failures = d.failures + 1, last_failed_at = clock_timestamp()
    from users u where u.user_id = d.user_id and u.username = ${username.toLowerCase()} and d.token_hash = ${device}`.execute(
    tx,
  )
}

/** Whether a token was issued to a browser, for any user. */
export async function isIssuedDevice(tx: Tx, device: Buffer): Promise<boolean> {
  const found = await tx
    .selectFrom('known_devices')
    .select('token_hash')
    .where('token_hash', '=', device)
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

export async function saveDevice(tx: Tx, user_id: number, device: Buffer): Promise<void> {
  await sql`
    insert into known_devices (token_hash, user_id) values (${device}, ${user_id})
    on conflict (token_hash, user_id) do update set failures = 0, last_failed_at = null, last_used_at = clock_timestamp()`.execute(
    tx,
  )
}

/** Deletes all but the most recently used. */
export async function pruneDevices(tx: Tx, user_id: number, max: number): Promise<void> {
  await sql`
    delete from known_devices where user_id = ${user_id} and token_hash not in (
      select token_hash from known_devices where user_id = ${user_id} order by last_used_at desc limit ${max})`.execute(
    tx,
  )
}

export async function deleteDevices(tx: Tx, user_id: number): Promise<void> {
  await tx.deleteFrom('known_devices').where('user_id', '=', user_id).execute()
}

/** Those of more than a day ago. */
export async function deleteOldFailures(db: Db): Promise<void> {
  await sql`delete from failed_tries where last_failed_at < clock_timestamp() - interval '1 day'`.execute(db)
}
