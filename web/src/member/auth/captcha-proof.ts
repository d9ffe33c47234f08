// The accessible way around the picture: the device tries numbers until one has the hash that the server asks for.

import type { ProofLevel } from '@megalot/contract'
import { getCaptchaProof } from '@megalot/contract/browser'
import { solveChallengeWorkers } from 'altcha-lib/v1'
// Vite makes a worker of it.
// oxlint-disable-next-line import/default
import ProofWorker from 'altcha-lib/v1/worker?worker'
import { callRoute } from '../../lib/api/http-client.ts'

const MAX_WORKERS = 4

/** Asks for work of a level and does it, beside the page. @throws where it cannot be had or done */
export async function solveProof(request_id: string, level: ProofLevel): Promise<string> {
  const { data } = await callRoute(getCaptchaProof, { query: { request_id, level: `${level}` } })
  const { algorithm, challenge, salt, signature, maxnumber } = data
  const workers = Math.max(1, Math.min(MAX_WORKERS, navigator.hardwareConcurrency - 1))
  const solution = await solveChallengeWorkers(() => new ProofWorker(), workers, challenge, salt, algorithm, maxnumber)
  if (solution === null) throw new Error('the work has no solution')
  return btoa(JSON.stringify({ algorithm, challenge, number: solution.number, salt, signature }))
}
