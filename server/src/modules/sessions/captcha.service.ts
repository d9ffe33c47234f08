// Captchas: made by the server for a request_id of the client's, good for one try and a few minutes.

import { randomInt } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../../platform/db.ts'
import { Refusal } from '../../platform/refusal.ts'
import { captchaAlphabet, drawCaptcha } from './captcha-image.ts'

export interface CaptchaSettings {
  captchaLifeMs: number
  captchaTestAnswer: string | undefined
}

/** Makes a new captcha for a request_id, in place of an earlier one, and draws it as PNG. */
export async function makeCaptcha(db: Db, request_id: string, settings: CaptchaSettings): Promise<Buffer> {
  const answer =
    settings.captchaTestAnswer ??
    Array.from({ length: 4 }, () => captchaAlphabet[randomInt(captchaAlphabet.length)]).join('')
  await sql`
    insert into captchas (request_id, answer, expires_at)
    values (${request_id}, ${answer}, clock_timestamp() + ${settings.captchaLifeMs} * interval '1 ms')
    on conflict (request_id) do update set answer = excluded.answer, expires_at = excluded.expires_at`.execute(db)
  return drawCaptcha(answer)
}

/**
 * Uses a captcha up, right or wrong. Upper and lower case are the same.
 * @throws Refusal wrong_captcha when it is unknown, used, expired or not what was typed
 */
export async function useCaptcha(db: Db, request_id: string, typed: string): Promise<void> {
  const { rows } = await sql<{ answer: string; is_fresh: boolean }>`
    delete from captchas where request_id = ${request_id}
    returning answer, expires_at > clock_timestamp() as is_fresh`.execute(db)
  const captcha = rows[0]
  if (!captcha?.is_fresh || captcha.answer.toLowerCase() !== typed.toLowerCase()) throw new Refusal('wrong_captcha')
}

/** Forgets captchas that nobody used in time. */
export async function removeExpiredCaptchas(db: Db): Promise<void> {
  await sql`delete from captchas where expires_at < clock_timestamp()`.execute(db)
}
