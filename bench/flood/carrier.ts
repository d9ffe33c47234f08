// Members behind one address of a mobile carrier who log in before a close, while an attacker at that address sends
// wrong log-ins.

import { createHmac, hash, randomBytes, randomUUID } from 'node:crypto'
import type pg from 'pg'
import { callSteadily } from '../app/call-steadily.ts'
import { runInOwnProcess } from '../app/own-process.ts'
import { percentile, rounded } from '../percentile.ts'
import { enter } from './enter.ts'
import type { Answers } from './floods.ts'
import type { CaptchaAnswer } from './log-in.ts'
import type { ProofSolver } from './proof-solver.ts'

const ADDRESS = '203.0.113.77'
/** Members and seconds of the goal; shorter runs have the same rates. */
export const CARRIER = { members: 2_000, seconds: 600 }
/** Each third member comes from a browser that the server does not know. */
const NEW_OF = 3
/** From opening the page until the button is pressed. */
const TYPING_MS = 8_000
/** Four workers of a slow phone, in hashes per ms. */
const PHONE_HASHES_PER_MS = 40
export const ATTACKS_PER_S = 60
/** Each third attack carries a solved proof of the hardest level. */
export const PROVEN_OF = 3

/** The attack, in its own process. */
export interface CarrierAttack {
  url: string
  address: string
  /** Names that exist; half of the attacks use one. */
  names: string[]
  seconds: number
  proofs: CaptchaAnswer[]
}

/** Makes browsers known for users. @returns their cookies */
async function addDevices(database: pg.Client, usernames: readonly string[]): Promise<Map<string, string>> {
  const devices = new Map(usernames.map((username) => [username, randomBytes(32).toString('base64url')]))
  const hashes = [...devices.values()].map((device) => hash('sha256', `device:${device}`, 'buffer'))
  await database.query(
    `insert into known_devices (token_hash, user_id)
    select token_hash, user_id from unnest($1::text[], $2::bytea[]) given (username, token_hash) join users using (username)`,
    [[...devices.keys()], hashes],
  )
  return devices
}

/** Puts proofs of the hardest level into the database together with their solutions. */
async function grantProofs(database: pg.Client, count: number): Promise<CaptchaAnswer[]> {
  const proofs: CaptchaAnswer[] = []
  const keys: string[] = []
  for (let each = 0; each < count; each += 1) {
    const proof_key = randomBytes(32).toString('hex')
    const salt = `${randomBytes(12).toString('hex')}&`
    const challenge = hash('sha256', `${salt}1`)
    const signature = createHmac('sha256', proof_key).update(challenge).digest('hex')
    const captcha_proof = btoa(JSON.stringify({ algorithm: 'SHA-256', challenge, number: 1, salt, signature }))
    proofs.push({ request_id: randomUUID(), captcha_proof })
    keys.push(proof_key)
  }
  await database.query(
    `insert into captchas (request_id, proof_key, proof_level, expires_at)
    select request_id, proof_key, 4, clock_timestamp() + interval '1 hour'
    from unnest($1::text[], $2::text[]) given (request_id, proof_key)`,
    [proofs.map(({ request_id }) => request_id), keys],
  )
  return proofs
}

/**
 * Lets members log in at a steady rate during the attack.
 * @returns the figures, and the refusals that the attacker got
 */
export async function measureCarrier(
  url: string,
  database: pg.Client,
  names: string[],
  seconds: number,
  solver: ProofSolver,
): Promise<{ figures: Record<string, number>; answers: Answers }> {
  const devices = await addDevices(
    database,
    names.filter((_, index) => index % NEW_OF !== 0),
  )
  const proofs = await grantProofs(database, Math.ceil((ATTACKS_PER_S * seconds) / PROVEN_OF))
  const hashes: number[] = []
  const waits: Record<'known' | 'new' | 'phone', number[]> = { known: [], new: [], phone: [] }
  const attack: CarrierAttack = { url, address: ADDRESS, names, seconds, proofs }
  const [answers] = await Promise.all([
    runInOwnProcess<Answers>(new URL('attack-carrier.ts', import.meta.url), attack),
    callSteadily(names.length / seconds, seconds, async (index) => {
      const username = names[index]!
      const device = devices.get(username)
      const who = { username, password: 'demo1234' }
      let work = 0
      const countingSolver: ProofSolver = {
        ...solver,
        async solve(task) {
          const number = await solver.solve(task)
          work += number + 1
          return number
        },
      }
      const wait = await enter(url, { address: ADDRESS, device }, who, countingSolver, TYPING_MS)
      if (work > 0) hashes.push(work)
      if (wait === undefined) return
      waits[device === undefined ? 'new' : 'known'].push(wait)
      waits.phone.push(wait + Math.max(0, work / PHONE_HASHES_PER_MS - TYPING_MS))
    }),
  ])
  const all = [...waits.known, ...waits.new]
  return {
    answers,
    figures: {
      carrier_members: names.length,
      carrier_let_in_ratio: all.length / names.length,
      carrier_p95_ms: rounded(percentile(all, 0.95)),
      carrier_known_p95_ms: rounded(percentile(waits.known, 0.95)),
      carrier_new_p95_ms: rounded(percentile(waits.new, 0.95)),
      carrier_phone_p95_ms: rounded(percentile(waits.phone, 0.95)),
      carrier_members_with_proof: hashes.length,
      carrier_proof_hashes_p50: hashes.length === 0 ? 0 : rounded(percentile(hashes, 0.5)),
      carrier_proof_hashes_p95: hashes.length === 0 ? 0 : rounded(percentile(hashes, 0.95)),
      carrier_attacks_hashed: answers.wrong_login ?? 0,
    },
  }
}

export const carrierNotes = {
  carrier:
    'Time from pressing the button to the open session, 8 s after the page was opened. Like the web, a browser without a picture solves its proof while its user types. Proofs are really solved, by one process at the lowest priority: some million hashes a second. carrier_proof_hashes is the work of a member who had to solve any; carrier_phone_p95_ms adds what exceeds 8 s at 40,000 hashes a second, as on a slow phone. The attacker sends a third of its log-ins without an answer, a third with read pictures, and a third with proofs of the hardest level, which it gets for nothing: 20 a second are the work of 12 million hashes a second. Half of its names exist.',
}
