// What keeps somebody from guessing a password, without handing him a lock for shutting others out. Wrong tries are counted
// for the name that was typed, whether there is such a user or not, and after some of them the next one has to wait, twice
// as long each time. A browser on which the user has logged in before has a count of its own and is not held up by tries
// made elsewhere; and whoever is held up may work his way in at once with a harder proof of work.

import { hash, randomBytes } from 'node:crypto'
import type { Db, Tx } from '../../platform/db.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { ProofLevel } from './captcha.service.ts'
import {
  addDeviceFailure,
  addFailure,
  clearFailures,
  deleteOldFailures,
  findFailures,
  forgetDevices,
  isIssuedDevice,
  keepDevice,
  pruneDevices,
} from './try-guard.store.ts'

/** Wrong tries that cost nothing but themselves. */
const FREE_TRIES = 5
/** The wait after the first try beyond them, in ms; each further one doubles it. */
const FIRST_WAIT_MS = 2_000
const LONGEST_WAIT_MS = 15 * 60_000
/** Browsers that are remembered for a user. */
const MOST_DEVICES = 5

export interface TryState {
  /** A browser on which this very user has logged in before. */
  isKnownDevice: boolean
  failures: number
  /** How long the next try still has to wait, in ms; 0: it may come. */
  wait_ms: number
  /** The work that opens the way at once. */
  proof_level: ProofLevel
}

export interface Tried {
  /** What is tried: `login:name`, `password:user_id`. Not kept as it is. */
  subject: string
  username: string
  /** The token the browser brings from an earlier log-in. */
  device: string | undefined
}

function hashOf(text: string): Buffer {
  return hash('sha256', text, 'buffer')
}

/** The token's hash, or that of nothing: the look-up is the same for who brings none. */
function deviceHashOf(device: string | undefined): Buffer {
  return hashOf(`device:${device ?? ''}`)
}

/** How things stand before a try. */
export async function weighTry(db: Db, { subject, username, device }: Tried): Promise<TryState> {
  const found = await findFailures(db, hashOf(subject), deviceHashOf(device), username)
  const isKnownDevice = found.device_failures !== null
  const failures = found.device_failures ?? found.failures ?? 0
  const since_ms = (isKnownDevice ? found.device_since_ms : found.since_ms) ?? Number.POSITIVE_INFINITY
  const over = failures - FREE_TRIES
  const pause_ms = over < 0 ? 0 : Math.min(FIRST_WAIT_MS * 2 ** Math.min(over, 20), LONGEST_WAIT_MS)
  return {
    isKnownDevice,
    failures,
    wait_ms: Math.max(0, Math.ceil(pause_ms - since_ms)),
    proof_level: over < 5 ? 2 : 3,
  }
}

/** @throws Refusal log_in_paused where the try comes too early and brings too little work */
export function refuseEarly({ wait_ms, proof_level }: TryState, proven: ProofLevel | 0): void {
  if (wait_ms > 0 && proven < proof_level) throw new Refusal('log_in_paused', { wait_ms, proof_level })
}

/** Counts a wrong try. */
export async function noteFailure(tx: Tx, { subject, username, device }: Tried, state: TryState): Promise<void> {
  if (state.isKnownDevice) await addDeviceFailure(tx, deviceHashOf(device), username)
  else await addFailure(tx, hashOf(subject))
}

/** A right try wipes out the wrong ones that stood in its way; those made elsewhere stay with whoever made them. */
export async function forgetFailures(tx: Tx, { subject }: Tried, state: TryState): Promise<void> {
  if (!state.isKnownDevice) await clearFailures(tx, hashOf(subject))
}

/**
 * Remembers the browser for a user.
 * @param device the token it brought; one that we have not issued is not taken over
 * @returns the token it is known by from now on
 */
export async function rememberDevice(tx: Tx, user_id: number, device: string | undefined): Promise<string> {
  const isOurs = device !== undefined && (await isIssuedDevice(tx, deviceHashOf(device)))
  const token = isOurs ? device : randomBytes(32).toString('base64url')
  await keepDevice(tx, user_id, deviceHashOf(token))
  await pruneDevices(tx, user_id, MOST_DEVICES)
  return token
}

/** After a new password no browser is known any more. */
export async function forgetDevicesOf(tx: Tx, user_id: number): Promise<void> {
  await forgetDevices(tx, user_id)
}

/** Wrong tries of more than a day ago count no more. */
export function removeOldFailures(db: Db): Promise<void> {
  return deleteOldFailures(db)
}
