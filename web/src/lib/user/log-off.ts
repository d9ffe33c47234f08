import { logOff } from '@megalot/contract/browser'
import { PUSH_KEY } from '../device/storage-keys.ts'
import { readStoredText } from '../device/stored-value.ts'
import { callRoute } from '../api/http-client.ts'
import { delay } from './current-user.ts'
import { closeSession, noteLogOff } from '../session/session-store.ts'

/** The reply of the server is not awaited longer than this. */
const LONGEST_WAIT_MS = 4_000

const lastWork = new Set<() => Promise<unknown>>()

/** Registers work that needs the session, such as what is not sent yet. A log-off awaits it, as long as any reply. */
export function beforeLogOff(work: () => Promise<unknown>): void {
  lastWork.add(work)
}

/** Ends the session on the server and on this device. On a shared device: `leaveSharedDevice`. */
export async function endSession(query: { is_shared_device?: 'true' } = {}): Promise<void> {
  await Promise.race([Promise.allSettled([...lastWork].map((work) => work())), delay(LONGEST_WAIT_MS)])
  noteLogOff()
  const forgotten = readStoredText(PUSH_KEY) === null ? null : forgetPushInTime()
  try {
    await callRoute(logOff, { query, timeoutMs: LONGEST_WAIT_MS })
  } catch {
    // The device deletes the session in any case; on the server it expires.
  }
  await forgotten
  closeSession(null)
}

/** The server ends pushes with the session. This ends them without a network too. */
async function forgetPushInTime(): Promise<void> {
  const forget = import('./push.ts').then(({ forgetPush }) => forgetPush())
  await Promise.race([forget, delay(LONGEST_WAIT_MS)]).catch(() => {})
}
