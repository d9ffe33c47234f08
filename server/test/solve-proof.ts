// Solves the proof of work of a captcha, as a browser does.

import { hash } from 'node:crypto'
import type { CaptchaProof } from '@megalot/contract'

/** @returns the text to send as `captcha_proof` */
export function solveProof({ challenge, salt, algorithm, maxnumber, signature }: CaptchaProof): string {
  // The library's solver awaits each of up to 1,200,000 hashes.
  let number = 0
  while (hash('sha256', `${salt}${number}`) !== challenge && number < maxnumber) number += 1
  return btoa(JSON.stringify({ algorithm, challenge, number, salt, signature }))
}
