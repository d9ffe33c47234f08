// The three styles of entry, each a chunk of its own.

import { readEntryStyle } from './entry-style-choice.ts'

export const styleChunks = {
  grid: () => import('./entry/grid/grid-style.tsx'),
  builder: () => import('./entry/builder/builder.tsx'),
  mobile: () => import('./entry/mobile/keypad-entry.tsx'),
}

/** Fetches the chunk of the style that this device will show, before the stores are there. */
export function preloadStyle(): void {
  void styleChunks[readEntryStyle()]()
}
