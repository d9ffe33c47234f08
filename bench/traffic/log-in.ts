// Logs in with the captcha picture or with the proof of work.

import { type CaptchaProof, getCaptcha, getCaptchaProof, logIn } from '@megalot/contract'
import { createHash, randomUUID } from 'node:crypto'
import type { Client } from '../client.ts'

const DEMO_PASSWORD = 'demo1234'

/**
 * Opens a session on a client.
 * @param captchaAnswer the fixed answer of every picture, if there is one; otherwise a proof of work is done
 * @throws Error if the application refuses the log-in
 */
export async function openSession(client: Client, username: string, captchaAnswer: string | undefined): Promise<void> {
  const request_id = randomUUID()
  const answer = captchaAnswer
    ? await lookAtPicture(client, request_id, captchaAnswer)
    : {
        captcha_proof: solve(
          (await client.call(getCaptchaProof, `${getCaptchaProof.path}?request_id=${request_id}`)).value.data,
        ),
      }
  const body = { username, password: DEMO_PASSWORD, request_id, ...answer }
  const { value } = await client.call(logIn, logIn.path, body)
  client.sessionToken = value.sessionId
}

async function lookAtPicture(
  client: Client,
  request_id: string,
  captcha_txt: string,
): Promise<{ captcha_txt: string }> {
  await client.fetchTimed('GET', `${getCaptcha.path}?request_id=${request_id}`)
  return { captcha_txt }
}

/** Finds the number whose hash after the salt is the challenge (ALTCHA), and encodes it for the application. */
export function solve({ algorithm, challenge, maxnumber, salt, signature }: CaptchaProof): string {
  for (let number = 0; number <= maxnumber; number += 1) {
    if (createHash('sha256').update(`${salt}${number}`).digest('hex') !== challenge) continue
    return Buffer.from(JSON.stringify({ algorithm, challenge, number, salt, signature })).toString('base64')
  }
  throw new Error('The proof of work has no solution')
}
