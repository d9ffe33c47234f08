// How the member enters numbers on this device: a thumb and ten fingers want different things. Without imports of other
// code: the page's first script reads it before anything else is there.
//
//   grid      style A: a sheet of rows, for the keyboard
//   builder   style B: many numbers of one kind, then their stakes once
//   mobile    an own keypad, for one thumb

import { BET_STYLE_KEY } from '../../lib/device/storage-keys.ts'
import { isRecord, readStored } from '../../lib/device/stored-value.ts'
import type { StoredForm } from '../../lib/device/stored-value.ts'
import { BELOW_TABLET_MEDIA } from '../../ui/tokens.ts'

export const betStyles = ['grid', 'builder', 'mobile'] as const
export type BetStyle = (typeof betStyles)[number]

/** A small screen under a finger; the build writes it into the preloads of the bet page too. */
export const PHONE_MEDIA = `(pointer: coarse) and ${BELOW_TABLET_MEDIA}`

export function isBetStyle(value: unknown): value is BetStyle {
  return betStyles.includes(value as BetStyle)
}

/** A phone gets the keypad, everything else the grid. */
export function usualStyle(): BetStyle {
  return typeof matchMedia === 'function' && matchMedia(PHONE_MEDIA).matches ? 'mobile' : 'grid'
}

/** The choice stored by `style-memory.ts`. */
const styleForm: StoredForm<BetStyle> = {
  version: 0,
  read: (stored) => (isRecord(stored) && isBetStyle(stored['style']) ? stored['style'] : null),
}

/** The style this device shows, read without the store. */
export function readEntryStyle(): BetStyle {
  return readStored(styleForm, BET_STYLE_KEY) ?? usualStyle()
}
