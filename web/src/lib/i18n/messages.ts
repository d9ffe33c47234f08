// The types of all messages. The files of an area stand beside the pages that use it: `NAME.th.ts` is written first and
// gives the keys, `NAME.en.ts` has the same.

import type { Language } from '@megalot/contract'

declare global {
  /** The areas: each Thai file adds its own. */
  interface AppMessages {}
}

export type Area = keyof AppMessages

/** The same keys with other words. */
export type SameKeys<T> = { readonly [K in keyof T]: T[K] extends string ? string : SameKeys<T[K]> }

declare module 'use-intl' {
  interface AppConfig {
    Messages: AppMessages
    Locale: Language
  }
}
