import { clearPersonalData, rememberDeviceSettings } from '../device/device-use.ts'
import { LOGIN_PATH } from '../page/addresses.ts'
import { endSession } from './log-off.ts'

/** Ends the session on a device that others use too, which keeps nothing of the member. */
export async function leaveSharedDevice(): Promise<void> {
  const restoreSettings = rememberDeviceSettings()
  await endSession({ is_shared_device: 'true' })
  clearPersonalData()
  restoreSettings()
  // The reload also clears the page's memory.
  window.location.replace(LOGIN_PATH)
}
