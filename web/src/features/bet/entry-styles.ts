// How the member enters numbers on this device: a thumb and ten fingers want different things.
//
//   grid      style A: a sheet of rows, for the keyboard
//   builder   style B: many numbers of one kind, then their stakes once
//   mobile    an own keypad, for one thumb
//
// Each style is a chunk of its own. This file imports no other part of the page, because the first code that runs imports
// it to preload the style on screen.

import { BET_STYLE_KEY } from '../../lib/device/storage-keys.ts'

export const betStyles = ['grid', 'builder', 'mobile'] as const
export type BetStyle = (typeof betStyles)[number]

export const styleChunks = {
  grid: () => import('./entry/grid/grid-style.tsx'),
  builder: () => import('./entry/builder/builder.tsx'),
  mobile: () => import('./entry/mobile/keypad-entry.tsx'),
}

export function isBetStyle(value: unknown): value is BetStyle {
  return betStyles.includes(value as BetStyle)
}

/** A small screen under a finger gets the keypad, everything else the grid. */
export function usualStyle(): BetStyle {
  const isPhone = typeof matchMedia === 'function' && matchMedia('(pointer: coarse) and (max-width: 47.99em)').matches
  return isPhone ? 'mobile' : 'grid'
}

/** Fetches the chunk of the style that this device will show, before the stores are there. */
export function preloadStyle(): void {
  let kept: unknown
  try {
    kept = (JSON.parse(localStorage.getItem(BET_STYLE_KEY) ?? '{}') as { state?: { style?: unknown } }).state?.style
  } catch {
    // A device whose storage cannot be read shows the usual style.
  }
  void styleChunks[isBetStyle(kept) ? kept : usualStyle()]()
}
