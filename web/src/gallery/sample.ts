import type { ComponentType } from 'react'
import { useLocale } from 'use-intl'

/** A part of `ui`, by the name of its file, with the states in which the gallery shows it. */
export interface Sample {
  part: string
  states: Readonly<Record<string, ComponentType>>
}

/** Picks the text of the gallery's language. */
export function useSay(): (thai: string, english: string) => string {
  const language = useLocale()
  return (thai, english) => (language === 'en' ? english : thai)
}
