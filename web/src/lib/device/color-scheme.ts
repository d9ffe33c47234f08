import { create } from 'zustand'
import { COLOUR_SCHEME_KEY } from './storage-keys.ts'

// The theme: the member's choice on this device, or the system's. The root element carries the scheme in force for the
// style sheets; the page's first script has set it before the first paint.

export const themeChoices = ['auto', 'light', 'dark'] as const
export type ThemeChoice = (typeof themeChoices)[number]

/** Reads a stored choice; the system's scheme without one. */
export function readThemeChoice(stored: string | null): ThemeChoice {
  return stored === 'light' || stored === 'dark' ? stored : 'auto'
}

/** Sets the scheme that a choice means at the moment. */
export function applyThemeChoice(choice: ThemeChoice): void {
  const isDark = choice === 'dark' || (choice === 'auto' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.dataset['colorScheme'] = isDark ? 'dark' : 'light'
}

export const useThemeChoice = create<{ choice: ThemeChoice }>()(() => ({
  choice: readThemeChoice(typeof localStorage === 'undefined' ? null : localStorage.getItem(COLOUR_SCHEME_KEY)),
}))

/** Keeps a choice on this device and shows it. */
export function chooseTheme(choice: ThemeChoice): void {
  localStorage.setItem(COLOUR_SCHEME_KEY, choice)
  useThemeChoice.setState({ choice })
}

/** Follows the choice here and in other tabs, and the system's scheme. */
export function followTheme(): void {
  const apply = (): void => applyThemeChoice(useThemeChoice.getState().choice)
  apply()
  useThemeChoice.subscribe(apply)
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', apply)
  window.addEventListener('storage', ({ key, newValue }) => {
    if (key === COLOUR_SCHEME_KEY) useThemeChoice.setState({ choice: readThemeChoice(newValue) })
  })
}
