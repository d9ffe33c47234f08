// A log-in as a screen makes it, from an address that a proxy reports.

import { getCaptcha, getCaptchaProof, logIn } from '@megalot/contract'
import { randomUUID } from 'node:crypto'
import { captchaAnswer } from '../client.ts'
import type { ProofSolver } from './proof-solver.ts'

const PATIENCE_MS = 20_000

/** One call from an address, as reported by a proxy. */
async function callFrom(url: string, address: string, path: string, body?: object) {
  const headers = { 'x-forwarded-for': address, ...(body ? { 'content-type': 'application/json' } : {}) }
  const init = body ? { method: 'POST', body: JSON.stringify(body) } : {}
  const reply = await fetch(url + path, { ...init, headers, signal: AbortSignal.timeout(PATIENCE_MS) })
  const isJson = reply.headers.get('content-type')?.startsWith('application/json')
  return { http: reply.status, json: (isJson ? await reply.json() : await reply.arrayBuffer()) as Answer }
}

interface Answer {
  data?: { challenge: string; salt: string; algorithm: string; maxnumber: number; signature: string }
  error?: { code: string; details: { proof_level?: number } }
}

/** A log-in screen: it solves a proof of this level, or the captcha picture. */
export interface Screen {
  address: string
  /** Sends the log-in even if the picture was refused. */
  isMachine?: true
  proof?: { level: number; solver: ProofSolver }
}

/** @throws Error if no reply came */
export async function tryLogIn(url: string, { address, isMachine, proof }: Screen, username: string, password: string) {
  const request_id = randomUUID()
  let answer: object = { captcha_txt: captchaAnswer }
  if (proof === undefined) {
    const reply = await callFrom(url, address, `${getCaptcha.path}?request_id=${request_id}`)
    if (reply.http !== 200 && !isMachine) return reply
  } else {
    const { json } = await callFrom(
      url,
      address,
      `${getCaptchaProof.path}?request_id=${request_id}&level=${proof.level}`,
    )
    const { challenge, salt, algorithm, maxnumber, signature } = json.data!
    const number = await proof.solver.solve({ challenge, salt, maxnumber })
    answer = { captcha_proof: btoa(JSON.stringify({ algorithm, challenge, number, salt, signature })) }
  }
  return callFrom(url, address, logIn.path, { username, password, request_id, ...answer })
}
