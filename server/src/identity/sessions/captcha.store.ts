import type { ProofLevel } from '@megalot/contract'
import { sql } from 'kysely'
import type { Db } from '../../postgres/db.ts'

export interface CaptchaRecord {
  answer: string | null
  proof_key: string | null
  proof_level: ProofLevel | null
}

/** Replaces an earlier one for the same request_id. */
export async function saveCaptcha(
  db: Db,
  request_id: string,
  { answer, proof_key, proof_level }: CaptchaRecord,
  lifeMs: number,
): Promise<void> {
  await sql`
    insert into captchas (request_id, answer, proof_key, proof_level, expires_at)
    values (${request_id}, ${answer}, ${proof_key}, ${proof_level}, clock_timestamp() + ${lifeMs} * interval '1 ms')
    on conflict (request_id) do update set answer = excluded.answer, proof_key = excluded.proof_key,
      proof_level = excluded.proof_level, expires_at = excluded.expires_at`.execute(db)
}

/**
 * Deletes the captcha of a request_id.
 * @returns the captcha; `is_fresh`: it had not expired
 */
export async function deleteCaptcha(
  db: Db,
  request_id: string,
): Promise<(CaptchaRecord & { is_fresh: boolean }) | undefined> {
  const { rows } = await sql<CaptchaRecord & { is_fresh: boolean }>`
    delete from captchas where request_id = ${request_id}
    returning answer, proof_key, proof_level, expires_at > clock_timestamp() as is_fresh`.execute(db)
  return rows[0]
}

export async function deleteExpiredCaptchas(db: Db): Promise<void> {
  await sql`delete from captchas where expires_at < clock_timestamp()`.execute(db)
}

export async function deleteCaptchas(db: Db): Promise<void> {
  await sql`delete from captchas`.execute(db)
}
