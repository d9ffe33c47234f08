import { MIN_REASON_LENGTH } from '@megalot/contract/browser'

/** Whether a typed reason is shorter than the server takes; surrounding spaces do not count. */
export function isShortReason(reason: string): boolean {
  return reason.trim().length < MIN_REASON_LENGTH
}
