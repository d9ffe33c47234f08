// Protects passwords from guessing without letting an attacker lock out the user. Failed attempts count for the typed
// name, whether it exists or not. After some of them there is a back-off, which doubles each time. A browser on which
// the user has logged in before has a separate count, so attempts elsewhere do not affect it. A harder proof of work
// skips the back-off; its price rises with the failures. In addition log-ins have a daily limit that no proof of work
// skips, because processors are cheap and members choose short passwords. Only office users, whose passwords are long,
// can log in beyond it, with the hardest proof; nothing else there reveals that the name is the office's.

import { hash, randomBytes } from 'node:crypto'
import type { ProofLevel } from '@megalot/contract'
import type { Db, Tx } from '../../postgres/db.ts'
import { Refusal } from '../../lib/refusal.ts'
import { findUser } from '../accounts/index.ts'
import {
  addDeviceFailure,
  addFailure,
  clearAttempts,
  clearFailures,
  deleteOldFailures,
  findFailures,
  insertAttempt,
  removeAttempt,
  deleteDevices,
  isIssuedDevice,
  saveDevice,
  pruneDevices,
} from './password-throttle.store.ts'

/** Failed attempts before there is a back-off. */
const FREE_ATTEMPTS = 5
/** The first back-off, in ms; each further failed attempt doubles it. */
const FIRST_BACK_OFF_MS = 2_000
const MAX_BACK_OFF_MS = 15 * 60_000
/** Further failures that double the cost of the proof of work that skips the back-off. */
const FAILURES_PER_LEVEL = 2
/**
 * Wrong log-ins of a name per day in Bangkok: of all unknown browsers together, and of each known browser. NIST SP
 * 800-63B allows a hundred in a row. Known browsers of office users have no limit.
 */
const MAX_WRONG_LOG_INS_A_DAY = { other: 100, known: 30 }
/** Beyond the limit, callers who send it are answered only after the work of a log-in. */
const HARDEST: ProofLevel = 4
/** How many browsers are remembered per user. */
const MAX_DEVICES = 5

export interface ThrottleState {
  /** The name is an office user's. */
  isOffice: boolean
  /** A browser on which this user has logged in before. */
  isKnownDevice: boolean
  failures: number
  /** Remaining back-off, in ms; 0 if the next attempt is allowed now. */
  wait_ms: number
  /** The proof of work that allows it at once. */
  proof_level: ProofLevel
  /** Today's wrong log-ins, including those in progress. */
  attempts_today: number
  /** Remaining time of today, in ms. */
  today_ms: number
}

export interface PasswordAttempt {
  /** What failed attempts are counted for: `login:name`, `password:user_id`. Stored only as a hash. */
  throttleKey: string
  username: string
  /** The browser's token from an earlier log-in. */
  device: string | undefined
}

/** The key under which log-ins with a name are counted. */
export function logInKeyOf(username: string): string {
  return `login:${username.toLowerCase()}`
}

function hashOf(text: string): Buffer {
  return hash('sha256', text, 'buffer')
}

/** The token's hash, or an empty one's, so that the query is the same for browsers without a token. */
function deviceHashOf(device: string | undefined): Buffer {
  return hashOf(`device:${device ?? ''}`)
}

/** The key under which a known browser's attempts of a day are counted, separately for each of its users. */
function deviceSubjectOf({ device, username }: PasswordAttempt): Buffer {
  return hashOf(`login-device:${device ?? ''}:${username.toLowerCase()}`)
}

/** The state before an attempt. */
export async function readThrottle(db: Db, attempt: PasswordAttempt): Promise<ThrottleState> {
  const { throttleKey, username, device } = attempt
  const found = await findFailures(db, username, {
    subject: hashOf(throttleKey),
    device: deviceHashOf(device),
    deviceSubject: deviceSubjectOf(attempt),
  })
  const isKnownDevice = found.device_failures !== null
  const failures = found.device_failures ?? found.failures ?? 0
  const since_ms = (isKnownDevice ? found.device_since_ms : found.since_ms) ?? Number.POSITIVE_INFINITY
  const over = failures - FREE_ATTEMPTS
  const back_off_ms = over < 0 ? 0 : Math.min(FIRST_BACK_OFF_MS * 2 ** Math.min(over, 20), MAX_BACK_OFF_MS)
  return {
    isOffice: found.is_office,
    isKnownDevice,
    failures,
    wait_ms: Math.max(0, Math.ceil(back_off_ms - since_ms)),
    proof_level: Math.min(2 + Math.max(0, Math.floor(over / FAILURES_PER_LEVEL)), 4) as ProofLevel,
    attempts_today: found.attempts_today,
    today_ms: Math.ceil(found.today_ms),
  }
}

/**
 * @param proofLevel the level of the attempt's proof of work
 * @throws Refusal log_in_paused before the back-off is over, unless the proof of work has the required level
 */
export function refuseThrottled(
  { wait_ms, proof_level: requiredLevel }: ThrottleState,
  proofLevel: ProofLevel | 0,
): void {
  if (wait_ms > 0 && proofLevel < requiredLevel)
    throw new Refusal('log_in_paused', { wait_ms, proof_level: requiredLevel })
}

/**
 * Called before any work on a log-in.
 * @throws Refusal log_in_limit_reached if today's limit of wrong log-ins is reached, unless the hardest proof of work
 * was sent
 */
export function refuseOverDailyLimit(state: ThrottleState, proofLevel: ProofLevel | 0): void {
  if (state.attempts_today >= boundOf(state) && proofLevel < HARDEST) throw limitReached(state)
}

/** The same for every name, whether or not the requested proof would help. */
function limitReached({ today_ms: wait_ms }: ThrottleState): Refusal {
  return new Refusal('log_in_limit_reached', { wait_ms, proof_level: HARDEST })
}

function boundOf({ isOffice, isKnownDevice }: ThrottleState): number {
  if (isOffice && isKnownDevice) return Number.MAX_SAFE_INTEGER
  return MAX_WRONG_LOG_INS_A_DAY[isKnownDevice ? 'known' : 'other']
}

/**
 * Counts a log-in before its password is compared, so that the daily limit holds for concurrent attempts on all nodes.
 * A right one is uncounted (`uncountLogInAttempt`).
 * @returns whether it was counted. If not, the hardest proof was sent beyond the limit: the password is compared for
 * every name, but opens a session only for the office (`mayOpenSession`)
 * @throws Refusal log_in_limit_reached
 */
export async function countLogInAttempt(
  db: Db,
  attempt: PasswordAttempt,
  state: ThrottleState,
  proofLevel: ProofLevel | 0,
): Promise<boolean> {
  const isCounted = await insertAttempt(db, daySubjectOf(attempt, state), boundOf(state))
  if (!isCounted && proofLevel < HARDEST) throw limitReached(state)
  return isCounted
}

/** Whether a log-in with the right password opens a session. */
export function mayOpenSession({ isOffice }: ThrottleState, isCounted: boolean): boolean {
  return isCounted || isOffice
}

/** The refusal of a wrong log-in. Beyond the limit it is the limit's, which a member's right password gets too. */
export function refusalOfWrong(state: ThrottleState, isCounted: boolean): Refusal {
  return isCounted ? new Refusal('wrong_login') : limitReached(state)
}

/**
 * Uncounts a log-in with the right password. Wrong ones stay counted, so that the user's own log-ins do not help a
 * guesser.
 */
export async function uncountLogInAttempt(db: Db, attempt: PasswordAttempt, state: ThrottleState): Promise<void> {
  await removeAttempt(db, daySubjectOf(attempt, state))
}

function daySubjectOf(attempt: PasswordAttempt, { isKnownDevice }: ThrottleState): Buffer {
  return isKnownDevice ? deviceSubjectOf(attempt) : hashOf(attempt.throttleKey)
}

/** Counts a failed attempt. */
export async function recordFailure(
  tx: Tx,
  { throttleKey, username, device }: PasswordAttempt,
  state: ThrottleState,
): Promise<void> {
  if (state.isKnownDevice) await addDeviceFailure(tx, deviceHashOf(device), username)
  else await addFailure(tx, hashOf(throttleKey))
}

/**
 * After a successful attempt: resets the count of the typed name. Does nothing for a known browser, whose separate
 * count `rememberDevice` resets.
 */
export async function resetFailures(tx: Tx, { throttleKey }: PasswordAttempt, state: ThrottleState): Promise<void> {
  if (!state.isKnownDevice) await clearFailures(tx, hashOf(throttleKey))
}

/** Whether a token was issued to a browser, by any user's log-in. */
export function isDeviceIssued(db: Db, device: string): Promise<boolean> {
  return isIssuedDevice(db, deviceHashOf(device))
}

/**
 * Records the browser as known for a user, and resets its count of failed attempts.
 * @param device the token that it sent; replaced if we did not issue it
 * @returns the token that identifies it from now on
 */
export async function rememberDevice(tx: Tx, user_id: number, device: string | undefined): Promise<string> {
  const { token, device_hash } = await identifyDevice(tx, device)
  await rememberDeviceOf(tx, user_id, device_hash)
  return token
}

/**
 * The token of a browser that is not recorded yet, because the password alone of a user with a second factor makes no
 * browser known.
 */
export async function identifyDevice(
  tx: Tx,
  device: string | undefined,
): Promise<{ token: string; device_hash: Buffer }> {
  const isOurs = device !== undefined && (await isDeviceIssued(tx, device))
  const token = isOurs ? device : randomBytes(32).toString('base64url')
  return { token, device_hash: deviceHashOf(token) }
}

/** Records a browser that was identified before. */
export async function rememberDeviceOf(tx: Tx, user_id: number, device_hash: Buffer): Promise<void> {
  await saveDevice(tx, user_id, device_hash)
  await pruneDevices(tx, user_id, MAX_DEVICES)
}

/** Forgets all browsers. */
export async function removeDevices(tx: Tx, user_id: number): Promise<void> {
  await deleteDevices(tx, user_id)
}

/** After a new password, earlier attempts are meaningless and must not lock out its owner. */
export async function deleteLogInFailures(tx: Tx, user_id: number): Promise<void> {
  const { username } = (await findUser(tx, { user_id }))!
  const subject = hashOf(logInKeyOf(username))
  await clearFailures(tx, subject)
  await clearAttempts(tx, subject)
}

/** Removes failed attempts older than a day, and attempts of earlier days. */
export function removeOldFailures(db: Db): Promise<void> {
  return deleteOldFailures(db)
}
