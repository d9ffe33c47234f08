// How the member enters numbers on this device: a thumb and ten fingers want different things.
//
//   grid      style A: a sheet of rows, for the keyboard
//   builder   style B: many numbers of one kind, then their stakes once
//   mobile    an own keypad, for one thumb
//
// Each style is a file of its own, and this one stands alone: the first code that runs asks for the style it will show.

import { BET_STYLE_KEY } from '../../../lib/device/storage-keys.ts'

export const betStyles = ['grid', 'builder', 'mobile'] as const
export type BetStyle = (typeof betStyles)[number]

export const styleFiles = {
  grid: remembered(() => import('./grid/grid-style.tsx')),
  builder: remembered(() => import('./builder/builder.tsx')),
  mobile: remembered(() => import('./mobile/keypad-entry.tsx')),
}

/** A file that is fetched when it is asked for; what is there already can be had without waiting. */
export interface Part<Module> {
  (): Promise<Module>
  module: Module | undefined
}

/** A file of the page, which remembers what it holds once it is there. */
export function remembered<Module>(load: () => Promise<Module>): Part<Module> {
  const part: Part<Module> = Object.assign(async () => (part.module ??= await load()), { module: undefined })
  return part
}

export function isBetStyle(value: unknown): value is BetStyle {
  return betStyles.includes(value as BetStyle)
}

/** A small screen under a finger gets the keypad, everything else the grid. */
export function usualStyle(): BetStyle {
  const isPhone = typeof matchMedia === 'function' && matchMedia('(pointer: coarse) and (max-width: 47.99em)').matches
  return isPhone ? 'mobile' : 'grid'
}

/** Asks for the style this device will show, before anything that could know better is there. */
export function askForStyle(): void {
  let kept: unknown
  try {
    kept = (JSON.parse(localStorage.getItem(BET_STYLE_KEY) ?? '{}') as { state?: { style?: unknown } }).state?.style
  } catch {
    // A device whose storage cannot be read shows the usual style.
  }
  void styleFiles[isBetStyle(kept) ? kept : usualStyle()]()
}
