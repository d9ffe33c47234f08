// Captchas, made by the server for a client's request_id and valid for one attempt and a few minutes. A proof of work
// (ALTCHA) replaces the picture for people who cannot see it, and for callers who must pay more than a picture.

import { randomBytes, randomInt } from 'node:crypto'
import type { CaptchaProof, ProofLevel } from '@megalot/contract'
import { createChallenge, verifySolution } from 'altcha-lib/v1'
import type { Db } from '../../postgres/db.ts'
import { Refusal } from '../../lib/refusal.ts'
import { countUndrawn, drawCaptchaInTurn } from './captcha-image.ts'
import { captchaAlphabet } from './captcha-shapes.ts'
import { deleteCaptcha, deleteExpiredCaptchas, saveCaptcha } from './captcha.store.ts'
import { isDeviceIssued } from './password-throttle.service.ts'
import { requiredProof } from './required-proof.ts'

export interface CaptchaSettings {
  captchaLifeMs: number
  captchaTestAnswer: string | undefined
}

/** The answer to a captcha: the picture's characters, or the solution of the proof of work. */
export type CaptchaAnswer = { request_id: string } & ({ captcha_txt: string } | { captcha_proof: string })

/**
 * The largest number to try, by level. A phone computes some ten thousand hashes per second on each core, and must
 * finish within the captcha's lifetime. Level 1 is equivalent to a picture. Higher levels are required while many
 * callers wait, and after failed attempts.
 */
const maxAttempts: Readonly<Record<ProofLevel, number>> = { 1: 30_000, 2: 300_000, 3: 600_000, 4: 1_200_000 }

/** With this many undrawn pictures, which take two to three seconds, no more are accepted. */
const MAX_UNDRAWN = 300
/** Devices, known or claimed, with an undrawn picture. */
const drawingDevices = new Set<string>()
/** When a refused caller may ask again, in ms. */
const RETRY_AFTER_MS = 2_000

/** The caller: its subnet, and the token of a browser that was once known. */
export interface CaptchaCaller {
  subnet: string
  device: string | undefined
}

/**
 * Makes a captcha for a request_id and draws it as PNG.
 * @throws Refusal log_in_paused while many unauthenticated callers wait: an unknown browser does a proof of work
 * instead; too_many_requests
 */
export async function makeCaptcha(
  db: Db,
  request_id: string,
  { subnet, device }: CaptchaCaller,
  settings: CaptchaSettings,
): Promise<Buffer> {
  if (countUndrawn() >= MAX_UNDRAWN) throw new Refusal('too_many_requests', { wait_ms: RETRY_AFTER_MS })
  // Only the first picture of a device is exempt from the proof, so that one device cannot use up those of others.
  const exempt = device !== undefined && !drawingDevices.has(device) ? device : undefined
  if (exempt !== undefined) drawingDevices.add(exempt)
  try {
    return await drawCaptchaInTurn(async () => {
      if (requiredProof.levelFor(subnet) > 0 && !(exempt !== undefined && (await isDeviceIssued(db, exempt))))
        requiredProof.refuseWithout(subnet, 0)
      const answer =
        settings.captchaTestAnswer ??
        Array.from({ length: 4 }, () => captchaAlphabet[randomInt(captchaAlphabet.length)]).join('')
      await saveCaptcha(db, request_id, { answer, proof_key: null, proof_level: null }, settings.captchaLifeMs)
      return answer
    })
  } finally {
    if (exempt !== undefined) drawingDevices.delete(exempt)
  }
}

/**
 * Makes a proof of work for a request_id in place of a picture. It is signed with its own key, so that its solution is
 * valid for nothing else.
 */
export async function makeCaptchaProof(
  db: Db,
  request_id: string,
  proof_level: ProofLevel,
  settings: CaptchaSettings,
): Promise<CaptchaProof> {
  const proof_key = randomBytes(32).toString('hex')
  const { algorithm, challenge, maxnumber, salt, signature } = await createChallenge({
    hmacKey: proof_key,
    maxnumber: maxAttempts[proof_level],
  })
  await saveCaptcha(db, request_id, { answer: null, proof_key, proof_level }, settings.captchaLifeMs)
  return { algorithm, challenge, maxnumber: maxnumber ?? maxAttempts[proof_level], salt, signature }
}

/**
 * Uses up a captcha, right or wrong. A picture's characters are case-insensitive.
 * @returns the level of the proof of work; 0 for a picture
 * @throws Refusal wrong_captcha if it is unknown, used, expired or answered wrongly
 */
export async function consumeCaptcha(db: Db, sent: CaptchaAnswer): Promise<ProofLevel | 0> {
  const captcha = await deleteCaptcha(db, sent.request_id)
  if (!captcha?.is_fresh) throw new Refusal('wrong_captcha')
  if ('captcha_txt' in sent && captcha.answer?.toLowerCase() === sent.captcha_txt.toLowerCase()) return 0
  if ('captcha_proof' in sent && captcha.proof_key && (await isSolution(sent.captcha_proof, captcha.proof_key)))
    return captcha.proof_level!
  throw new Refusal('wrong_captcha')
}

async function isSolution(solution: string, proof_key: string): Promise<boolean> {
  try {
    // The database's clock decides its validity.
    return await verifySolution(solution, proof_key, false)
  } catch {
    // The text is not a solution at all.
    return false
  }
}

/** Deletes expired captchas. */
export function removeExpiredCaptchas(db: Db): Promise<void> {
  return deleteExpiredCaptchas(db)
}
