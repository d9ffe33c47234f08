// The picture of a captcha. On the log-in page the first script requests it and shows it in the prerendered frame. The form takes
// id and element over: a second request of one address would draw another picture.

import { getCaptcha } from '@megalot/contract/browser'
import { randomUuid } from '../../lib/device/random-uuid.ts'

export interface EarlyCaptcha {
  request_id: string
  picture: HTMLImageElement
}

declare global {
  interface Window {
    /** Absent where the first script requested none, and once the form has taken it. */
    megalotEarlyCaptcha?: EarlyCaptcha
  }
}

/** The form counts the captcha's life from when it is shown: an older one would end too soon. */
const MAX_PAGE_AGE_MS = 8_000

/** Requests a new captcha for an id. */
export function requestPicture(request_id: string): HTMLImageElement {
  const picture = new Image(120, 44)
  picture.src = `${getCaptcha.path}?request_id=${request_id}`
  return picture
}

export function placePicture(slot: HTMLElement, picture: HTMLImageElement, alt: string): void {
  picture.alt = alt
  picture.dataset['testid'] = 'captcha-image'
  slot.append(picture)
}

/** Requests a picture and shows it in the frame as soon as both are there. */
export function startEarlyCaptcha(): void {
  const request_id = randomUuid()
  const picture = requestPicture(request_id)
  window.megalotEarlyCaptcha = { request_id, picture }
  document.addEventListener('DOMContentLoaded', () => document.querySelector('#frame img')?.replaceWith(picture))
}

/** Takes the early captcha. @returns null where there is none, or none that is fresh */
export function takeEarlyCaptcha(): EarlyCaptcha | null {
  // The frame is rendered without a window.
  const early = typeof window === 'undefined' ? undefined : window.megalotEarlyCaptcha
  if (early === undefined) return null
  delete window.megalotEarlyCaptcha
  return performance.now() < MAX_PAGE_AGE_MS ? early : null
}
