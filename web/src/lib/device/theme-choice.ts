// The theme of a page, as far as its first script must know it. Nothing is imported here but names: the build writes this
// code inline into every page.

import { COLOUR_SCHEME_KEY } from './storage-keys.ts'

export const themeChoices = ['auto', 'light', 'dark'] as const
export type ThemeChoice = (typeof themeChoices)[number]

/** Reads a stored choice; the system's scheme without one. */
export function readThemeChoice(stored: string | null): ThemeChoice {
  return stored === 'light' || stored === 'dark' ? stored : 'auto'
}

/** The choice on this device; the system's scheme where the storage cannot be read. */
export function storedThemeChoice(): ThemeChoice {
  try {
    return readThemeChoice(localStorage.getItem(COLOUR_SCHEME_KEY))
  } catch {
    return 'auto'
  }
}

/** Sets the attribute by which the style sheets choose to the scheme that a choice means at the moment. */
export function applyThemeChoice(choice: ThemeChoice): void {
  const isDark = choice === 'dark' || (choice === 'auto' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.dataset['colorScheme'] = isDark ? 'dark' : 'light'
}
