import { sql } from 'kysely'
import type { Db, Tx } from '../../postgres/db.ts'
import type { Tables } from '../../postgres/tables.ts'

export interface FactorRecord {
  factor_id: number
  kind: 'passkey' | 'totp'
  name: string
  created_at: Date
  last_used_at: Date | null
}

export interface PasskeyRecord {
  factor_id: number
  credential_id: Buffer
  public_key: Buffer
  transports: string[]
  sign_count: number
}

export interface TotpRecord {
  factor_id: number
  /** Encrypted. */
  secret: Buffer
  last_step: number
}

const factorColumns = ['factor_id', 'kind', 'name', 'created_at', 'last_used_at'] as const

/** A user's factors, the oldest first. */
export async function listFactorRecords(db: Db, user_id: number): Promise<FactorRecord[]> {
  return db
    .selectFrom('second_factors')
    .select(factorColumns)
    .where('user_id', '=', user_id)
    .orderBy('factor_id')
    .execute()
}

export async function listPasskeys(db: Db, user_id: number): Promise<PasskeyRecord[]> {
  return db
    .selectFrom('second_factors')
    .select(['factor_id', 'credential_id', 'public_key', 'transports', 'sign_count'])
    .where('user_id', '=', user_id)
    .where('kind', '=', 'passkey')
    .orderBy('factor_id')
    .$narrowType<{ credential_id: Buffer; public_key: Buffer; transports: string[]; sign_count: number }>()
    .execute()
}

export async function listTotps(db: Db, user_id: number): Promise<TotpRecord[]> {
  return db
    .selectFrom('second_factors')
    .select(['factor_id', 'secret', 'last_step'])
    .where('user_id', '=', user_id)
    .where('kind', '=', 'totp')
    .orderBy('factor_id')
    .$narrowType<{ secret: Buffer; last_step: number }>()
    .execute()
}

/** Undefined if any user has a passkey with this credential id. */
export async function insertPasskey(
  tx: Tx,
  user_id: number,
  name: string,
  passkey: Omit<PasskeyRecord, 'factor_id'>,
): Promise<FactorRecord | undefined> {
  return tx
    .insertInto('second_factors')
    .values({ user_id, kind: 'passkey', name, ...passkey })
    .onConflict((conflict) => conflict.column('credential_id').doNothing())
    .returning(factorColumns)
    .executeTakeFirst()
}

export async function insertTotp(
  tx: Tx,
  user_id: number,
  name: string,
  totp: Omit<TotpRecord, 'factor_id'>,
): Promise<FactorRecord> {
  return tx
    .insertInto('second_factors')
    .values({ user_id, kind: 'totp', name, ...totp })
    .returning(factorColumns)
    .executeTakeFirstOrThrow()
}

/** Records a use of a passkey and its new count. */
export async function savePasskeyUse(tx: Tx, factor_id: number, sign_count: number): Promise<void> {
  await sql`
    update second_factors set sign_count = ${sign_count}, last_used_at = clock_timestamp()
    where factor_id = ${factor_id}`.execute(tx)
}

/**
 * Uses up the code of a time step and of all earlier steps.
 * @returns false if it was already used
 */
export async function useTotpStep(tx: Tx, factor_id: number, step: number): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update second_factors set last_step = ${step}, last_used_at = clock_timestamp()
    where factor_id = ${factor_id} and last_step < ${step}`.execute(tx)
  return numAffectedRows === 1n
}

export async function saveFactorName(tx: Tx, factor_id: number, name: string): Promise<void> {
  await tx.updateTable('second_factors').set({ name }).where('factor_id', '=', factor_id).execute()
}

export async function deleteFactor(tx: Tx, factor_id: number): Promise<void> {
  await tx.deleteFrom('second_factors').where('factor_id', '=', factor_id).execute()
}

export async function deleteFactors(tx: Tx, user_id: number): Promise<void> {
  await tx.deleteFrom('second_factors').where('user_id', '=', user_id).execute()
}

export async function replaceRecoveryCodes(tx: Tx, user_id: number, hashes: readonly Buffer[]): Promise<void> {
  await deleteRecoveryCodes(tx, user_id)
  await tx
    .insertInto('recovery_codes')
    .values(hashes.map((code_hash) => ({ user_id, code_hash })))
    .execute()
}

export async function deleteRecoveryCodes(tx: Tx, user_id: number): Promise<void> {
  await tx.deleteFrom('recovery_codes').where('user_id', '=', user_id).execute()
}

export async function countRecoveryCodes(db: Db, user_id: number): Promise<number> {
  const { rows } = await sql<{ left: number }>`
    select count(*)::int as left from recovery_codes where user_id = ${user_id} and used_at is null`.execute(db)
  return rows[0]!.left
}

/** @returns false if the code does not exist or was used */
export async function useRecoveryCode(tx: Tx, user_id: number, code_hash: Buffer): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update recovery_codes set used_at = clock_timestamp()
    where user_id = ${user_id} and code_hash = ${code_hash} and used_at is null`.execute(tx)
  return numAffectedRows === 1n
}

/**
 * Uses up all users' recovery codes.
 * @returns how many
 */
export async function useEveryRecoveryCode(tx: Tx): Promise<number> {
  const { numAffectedRows } = await sql`
    update recovery_codes set used_at = clock_timestamp() where used_at is null`.execute(tx)
  return Number(numAffectedRows)
}

export type ChallengePurpose = Tables['factor_challenges']['purpose']

/** Replaces an earlier challenge of the session for the same purpose. */
export async function saveChallenge(
  db: Db,
  session_id: number,
  purpose: ChallengePurpose,
  content: Buffer,
  lifeMs: number,
): Promise<void> {
  await sql`
    insert into factor_challenges (session_id, purpose, content, expires_at)
    values (${session_id}, ${purpose}, ${content}, clock_timestamp() + ${lifeMs} * interval '1 ms')
    on conflict (session_id, purpose) do update set content = excluded.content, expires_at = excluded.expires_at`.execute(
    db,
  )
}

/** A session's challenge; undefined if there is none or it has expired. */
export async function findChallenge(
  tx: Tx,
  session_id: number,
  purpose: ChallengePurpose,
): Promise<Buffer | undefined> {
  const { rows } = await sql<{ content: Buffer }>`
    select content from factor_challenges
    where session_id = ${session_id} and purpose = ${purpose} and expires_at > clock_timestamp()
    for update`.execute(tx)
  return rows[0]?.content
}

/** Returns and deletes it: it is valid for one answer, right or wrong. */
export async function takeChallenge(
  tx: Tx,
  session_id: number,
  purpose: ChallengePurpose,
): Promise<Buffer | undefined> {
  const { rows } = await sql<{ content: Buffer; is_fresh: boolean }>`
    delete from factor_challenges where session_id = ${session_id} and purpose = ${purpose}
    returning content, expires_at > clock_timestamp() as is_fresh`.execute(tx)
  return rows[0]?.is_fresh ? rows[0].content : undefined
}

/** Deletes expired challenges, and those of ended sessions. */
export async function deleteExpiredChallenges(db: Db): Promise<void> {
  await sql`delete from factor_challenges where expires_at < clock_timestamp()`.execute(db)
}

export async function deleteChallenges(db: Db): Promise<void> {
  await sql`delete from factor_challenges`.execute(db)
}
