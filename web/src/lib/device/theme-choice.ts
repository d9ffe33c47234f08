// The theme of a page, as far as its first script must know it. The build writes this code inline into every page:
// import little.

import { setRootScheme } from './root-scheme.ts'
import { COLOUR_SCHEME_KEY } from './storage-keys.ts'
import { readStoredText } from './stored-value.ts'

export const themeChoices = ['auto', 'light', 'dark'] as const
export type ThemeChoice = (typeof themeChoices)[number]

/** Reads a stored choice; the system's scheme without one. */
export function readThemeChoice(stored: string | null): ThemeChoice {
  return stored === 'light' || stored === 'dark' ? stored : 'auto'
}

/** The choice on this device; the system's scheme where the storage cannot be read. */
export function storedThemeChoice(): ThemeChoice {
  return readThemeChoice(readStoredText(COLOUR_SCHEME_KEY))
}

/** Shows the scheme that a choice means at the moment. */
export function applyThemeChoice(choice: ThemeChoice): void {
  setRootScheme(choice === 'dark' || (choice === 'auto' && matchMedia('(prefers-color-scheme: dark)').matches))
}
