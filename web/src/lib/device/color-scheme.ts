import { create } from 'zustand'
import { keepOnDevice } from './device-storage.ts'
import { COLOUR_SCHEME_KEY } from './storage-keys.ts'
import { applyThemeChoice, readThemeChoice, storedThemeChoice } from './theme-choice.ts'
import type { ThemeChoice } from './theme-choice.ts'

// The theme: the user's choice on this device, or the system's. The root element carries the scheme in force for the
// style sheets; the page's first script has set it before the first paint.

export const useThemeChoice = create<{ choice: ThemeChoice }>()(() => ({ choice: storedThemeChoice() }))

/** Keeps a choice on this device and shows it. */
export function chooseTheme(choice: ThemeChoice): void {
  keepOnDevice(COLOUR_SCHEME_KEY, choice)
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
