import { sql } from 'kysely'
import { bangkokToday } from '../../lib/bangkok.ts'
import type { Db, Tx } from '../../postgres/db.ts'

export interface Failures {
  failures: number | null
  since_ms: number | null
  /** Null if the browser is not known for this user. */
  device_failures: number | null
  device_since_ms: number | null
  /** Of the browser if it is known, otherwise of the subject. */
  is_office: boolean
  attempts_today: number
  /** Remaining time of today, in ms. */
  today_ms: number
}

export interface ThrottleHashes {
  subject: Buffer
  /** The browser. */
  device: Buffer
  /** The key under which the browser's attempts of a day are counted. */
  deviceSubject: Buffer
}

/** One statement for every case, so that its duration reveals nothing. */
export async function findFailures(
  db: Db,
  username: string,
  { subject, device, deviceSubject }: ThrottleHashes,
): Promise<Failures> {
  const { rows } = await sql<Failures>`
    select tries.failures, (extract(epoch from clock_timestamp() - tries.last_failed_at) * 1000)::float8 as since_ms,
      device.failures as device_failures,
      (extract(epoch from clock_timestamp() - device.last_failed_at) * 1000)::float8 as device_since_ms,
      coalesce(tried.attempts, 0) as attempts_today,
      exists (select 1 from users where username = ${username.toLowerCase()} and is_office) as is_office,
      (extract(epoch from (${bangkokToday} + 1)::timestamp at time zone 'Asia/Bangkok' - clock_timestamp()) * 1000)::float8 as today_ms
    from (values (1)) as always
      left join failed_tries tries on tries.subject_hash = ${subject} and tries.last_failed_at > clock_timestamp() - interval '1 day'
      left join lateral (
        select d.* from known_devices d join users u using (user_id)
        where d.token_hash = ${device} and u.username = ${username.toLowerCase()}
          and d.last_used_at > clock_timestamp() - interval '180 days'
      ) device on true
      left join attempts_of_day tried on tried.day >= ${bangkokToday}
        and tried.subject_hash = case when device.user_id is null then ${subject}::bytea else ${deviceSubject}::bytea end`.execute(
    db,
  )
  return rows[0]!
}

/**
 * Adds to today's attempts, unless they have reached the limit.
 * @returns whether it was counted
 */
export async function insertAttempt(db: Db, subject: Buffer, most: number, count = 1): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into attempts_of_day as stored (subject_hash, day, attempts) values (${subject}, ${bangkokToday}, ${count})
    on conflict (subject_hash) do update set day = greatest(stored.day, excluded.day),
      attempts = case when stored.day < excluded.day then excluded.attempts else stored.attempts + excluded.attempts end
    where stored.day < excluded.day or stored.attempts < ${most}::bigint`.execute(db)
  return numAffectedRows === 1n
}

/** Today's counted attempts. */
export async function countAttempts(db: Db, subject: Buffer): Promise<number> {
  const { rows } = await sql<{ attempts: number }>`
    select attempts from attempts_of_day where subject_hash = ${subject} and day >= ${bangkokToday}`.execute(db)
  return rows[0]?.attempts ?? 0
}

/** Uncounts one. */
export async function removeAttempt(db: Db, subject: Buffer): Promise<void> {
  await sql`
    update attempts_of_day set attempts = attempts - 1 where subject_hash = ${subject} and attempts > 0`.execute(db)
}

export async function clearAttempts(tx: Tx, subject: Buffer): Promise<void> {
  await tx.deleteFrom('attempts_of_day').where('subject_hash', '=', subject).execute()
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
export async function isIssuedDevice(db: Db, device: Buffer): Promise<boolean> {
  const found = await db
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

/** Failures older than a day, and attempts of earlier days. */
export async function deleteOldFailures(db: Db): Promise<void> {
  // Skips rows that a new password is deleting: two deletes in different order would deadlock.
  await sql`
    delete from failed_tries where subject_hash in (select subject_hash from failed_tries
      where last_failed_at < clock_timestamp() - interval '1 day' for update skip locked)`.execute(db)
  await sql`
    delete from attempts_of_day where subject_hash in (select subject_hash from attempts_of_day
      where day < ${bangkokToday} for update skip locked)`.execute(db)
}
