import { keepOnDevice } from './device-storage.ts'
import { readStored, readStoredText, textForm, writeStored } from './stored-value.ts'
import {
  COLOUR_SCHEME_KEY,
  DEVICE_USE_KEY,
  LANGUAGE_KEY,
  PENDING_KEY_PREFIX,
  SLIP_KEY_PREFIX,
  WEB_FONT_KEY,
} from './storage-keys.ts'

// Whether others share this device. On a shared device the log-out removes drafts and the member's settings.

export type DeviceUse = 'shared' | 'own'

/** The member's answer; null if not asked yet. */
export function readDeviceUse(): DeviceUse | null {
  const answer = readStored(textForm, DEVICE_USE_KEY)
  return answer === 'shared' || answer === 'own' ? answer : null
}

export function keepDeviceUse(use: DeviceUse): void {
  keepOnDevice(DEVICE_USE_KEY, writeStored(textForm, use))
}

/** Whether a member has a slip on this device that is not sent, or whose outcome is not known. */
export function hasKeptSlip(user_id: number): boolean {
  const prefixes = [SLIP_KEY_PREFIX, PENDING_KEY_PREFIX].map((prefix) => `${prefix}${user_id}.`)
  return Object.keys(localStorage).some((key) => prefixes.some((prefix) => key.startsWith(prefix)))
}

/** These say nothing about a person. */
const ofDevice: ReadonlySet<string> = new Set([COLOUR_SCHEME_KEY, DEVICE_USE_KEY, LANGUAGE_KEY, WEB_FONT_KEY])

/** @returns a function that restores the device's own values after the browser has deleted everything */
export function rememberDeviceSettings(): () => void {
  const settings = [...ofDevice].flatMap((key) => {
    const text = readStoredText(key)
    return text === null ? [] : [[key, text] as const]
  })
  return () => {
    for (const [key, text] of settings) keepOnDevice(key, text)
  }
}

/** Removes what members have left on this device. It works without the server too. */
export function clearPersonalData(): void {
  for (const key of Object.keys(localStorage))
    if (key.startsWith('megalot.') && !ofDevice.has(key)) localStorage.removeItem(key)
  for (const key of Object.keys(sessionStorage)) if (key.startsWith('megalot.')) sessionStorage.removeItem(key)
}
