import { logOff } from '@megalot/contract/browser'
import { PUSH_KEY } from '../device/storage-keys.ts'
import { readStoredText } from '../device/stored-value.ts'
import { callRoute } from '../api/http-client.ts'
import { closeSession, noteLogOff } from '../session/session-store.ts'

/** The reply of the server is not awaited longer than this. */
const LONGEST_WAIT_MS = 4_000

/** Ends the session on the server and on this device. On a shared device: `leaveSharedDevice`. */
export async function endSession(query: { is_shared_device?: 'true' } = {}): Promise<void> {
  noteLogOff()
  // The server ends them with the session too.
  if (readStoredText(PUSH_KEY) !== null) import('./push.ts').then(({ forgetPush }) => forgetPush()).catch(() => {})
  try {
    await callRoute(logOff, { query, timeoutMs: LONGEST_WAIT_MS })
  } catch {
    // The device deletes the session in any case; on the server it expires.
  }
  closeSession(null)
}
