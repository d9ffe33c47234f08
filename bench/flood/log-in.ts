// A log-in as a screen makes it, from an address that a proxy reports.

import { type CaptchaProof, getCaptcha, getCaptchaProof, logIn } from '@megalot/contract'
import { randomUUID } from 'node:crypto'
import { captchaAnswer } from '../client.ts'
import type { ProofSolver } from './proof-solver.ts'

const PATIENCE_MS = 20_000

/** A browser behind an address; `device` is its cookie of an earlier log-in. */
export interface Browser {
  address: string
  device?: string | undefined
}

export interface Answer {
  data?: CaptchaProof
  error?: { code: string; details: { proof_level?: number } }
}

/** The answer to a captcha, as a log-in sends it. */
export type CaptchaAnswer = { request_id: string } & ({ captcha_txt: string } | { captcha_proof: string })

/** @throws Error if no reply came */
async function callFrom(url: string, { address, device }: Browser, path: string, body?: object) {
  const headers = {
    'x-forwarded-for': address,
    ...(device === undefined ? {} : { cookie: `megalot_device=${device}` }),
    ...(body ? { 'content-type': 'application/json' } : {}),
  }
  const init = body ? { method: 'POST', body: JSON.stringify(body) } : {}
  const reply = await fetch(url + path, { ...init, headers, signal: AbortSignal.timeout(PATIENCE_MS) })
  const isJson = reply.headers.get('content-type')?.startsWith('application/json')
  return { http: reply.status, json: (isJson ? await reply.json() : await reply.arrayBuffer()) as Answer }
}

/** Asks for a picture. */
export async function askForPicture(url: string, browser: Browser) {
  const request_id = randomUUID()
  const { http, json } = await callFrom(url, browser, `${getCaptcha.path}?request_id=${request_id}`)
  return { http, json, answer: { request_id, captcha_txt: captchaAnswer } }
}

/** Asks for a proof of at least this level and solves it. */
export async function prove(url: string, browser: Browser, level: number, solver: ProofSolver): Promise<CaptchaAnswer> {
  const request_id = randomUUID()
  const { json } = await callFrom(url, browser, `${getCaptchaProof.path}?request_id=${request_id}&level=${level}`)
  const { challenge, salt, algorithm, maxnumber, signature } = json.data!
  const number = await solver.solve({ challenge, salt, maxnumber })
  return { request_id, captcha_proof: btoa(JSON.stringify({ algorithm, challenge, number, salt, signature })) }
}

export function sendLogIn(
  url: string,
  browser: Browser,
  who: { username: string; password: string },
  answer: CaptchaAnswer,
) {
  return callFrom(url, browser, logIn.path, { ...who, ...answer })
}
