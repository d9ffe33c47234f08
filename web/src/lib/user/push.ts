// Web push on this browser: switching it on and off, and keeping it in step with the member who is logged in.

import type { Language } from '@megalot/contract'
import { getPushKey, subscribePush, unsubscribePush } from '@megalot/contract/browser'
import { callRoute } from '../api/http-client.ts'
import { keepOnDevice } from '../device/device-storage.ts'
import { startServiceWorker } from '../device/service-worker.ts'
import { PUSH_KEY } from '../device/storage-keys.ts'
import { readStoredText } from '../device/stored-value.ts'

/**
 * - `absent`: the browser has no push; on an iPhone only an installed application has it
 * - `blocked`: the member has forbidden notifications of this site
 * - `unasked`: the browser will ask the member for permission
 */
export type PushState = 'absent' | 'blocked' | 'unasked' | 'off' | 'on'

export function readPushState(user_id: number): PushState {
  if (!('serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window)) return 'absent'
  if (Notification.permission === 'denied') return 'blocked'
  if (Notification.permission === 'default') return 'unasked'
  return readStoredText(PUSH_KEY) === String(user_id) ? 'on' : 'off'
}

/** Asks the browser's permission, so it runs only on a press. */
export async function switchPushOn(user_id: number, language: Language): Promise<PushState> {
  if ((await Notification.requestPermission()) !== 'granted') return readPushState(user_id)
  await startServiceWorker()
  if (!(await navigator.serviceWorker.getRegistration()) || !(await subscribe(language))) return 'absent'
  keepOnDevice(PUSH_KEY, String(user_id))
  return 'on'
}

export async function switchPushOff(): Promise<PushState> {
  const endpoint = await forgetPush()
  if (endpoint !== null) await callRoute(unsubscribePush, { body: { endpoint } })
  return 'off'
}

/**
 * At each visit and log-in: names this session to the server, and repairs what the browser or the server has dropped.
 * Another member's subscription ends instead. Never throws.
 */
export async function renewPush(user_id: number, language: Language): Promise<void> {
  try {
    if (readPushState(user_id) === 'on') await subscribe(language)
    // It may have been switched off meanwhile.
    if (readPushState(user_id) !== 'on') await forgetPush()
  } catch {
    // The next visit tries again.
  }
}

/** Ends the subscription on this browser alone, and closes notifications that are still shown. @returns its endpoint; null if there was none */
export async function forgetPush(): Promise<string | null> {
  const registration = await navigator.serviceWorker?.getRegistration()
  const subscription = await registration?.pushManager?.getSubscription()
  await subscription?.unsubscribe()
  for (const notification of (await registration?.getNotifications()) ?? []) notification.close()
  // Last, so that a failure is repaired at the next visit.
  localStorage.removeItem(PUSH_KEY)
  return subscription?.endpoint ?? null
}

/** Waits for the service worker. @returns false if the house sends no pushes */
async function subscribe(language: Language): Promise<boolean> {
  const { data } = await callRoute(getPushKey, {})
  if (data.public_key === null) return false
  const { pushManager } = await navigator.serviceWorker.ready
  const known = await pushManager.getSubscription()
  // A subscription under another key receives nothing from this house.
  if (known !== null && toBase64Url(known.options.applicationServerKey) !== data.public_key) await known.unsubscribe()
  const subscription = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: data.public_key })
  const keys = {
    p256dh: toBase64Url(subscription.getKey('p256dh')),
    auth: toBase64Url(subscription.getKey('auth')),
  }
  await callRoute(subscribePush, { body: { endpoint: subscription.endpoint, keys, language } })
  return true
}

function toBase64Url(bytes: ArrayBuffer | null): string {
  const text = btoa(String.fromCharCode(...new Uint8Array(bytes ?? new ArrayBuffer(0))))
  return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}
