import { logOff } from '@megalot/contract'
import { callRoute } from '../api/http-client.ts'
import { clearPersonalData, rememberDeviceSettings } from '../device/device-use.ts'
import type { DeviceUse } from '../device/device-use.ts'
import { closeSession, noteLogOff } from '../session/session-store.ts'

/** The reply of the server is not awaited longer than this. */
const LONGEST_WAIT_MS = 4_000

/** Ends the session on the server and on this device. A device that others use too keeps nothing of the member. */
export async function endSession(use: DeviceUse = 'own'): Promise<void> {
  noteLogOff()
  const restoreSettings = rememberDeviceSettings()
  const query = use === 'shared' ? { is_shared_device: 'true' as const } : {}
  try {
    await callRoute(logOff, { query, timeoutMs: LONGEST_WAIT_MS })
  } catch {
    // The device deletes the session in any case; on the server it expires.
  }
  closeSession(null)
  if (use === 'own') return
  clearPersonalData()
  restoreSettings()
  // What the page itself still holds in memory goes with it.
  window.location.replace('/auth/login')
}
