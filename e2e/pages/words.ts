// The texts of the screens, from the files beside the web's pages.

import type { Language } from '@megalot/contract'
import { readdirSync } from 'node:fs'
import { createTranslator } from 'use-intl/core'

const web = new URL('../../web/src/', import.meta.url)
const catalogues: Record<Language, Record<string, object>> = { th: {}, en: {} }
for (const file of readdirSync(web, { recursive: true }).map(String)) {
  const [, area, language] = /([\w-]+)\.(th|en)\.ts$/.exec(file) ?? []
  if (area === undefined) continue
  const { messages } = (await import(new URL(file, web).href)) as { messages: object }
  catalogues[language as Language][area] = messages
}

type KeysOf<T, Prefix extends string = ''> = {
  [K in keyof T & string]: T[K] extends string ? `${Prefix}${K}` : KeysOf<T[K], `${Prefix}${K}.`>
}[keyof T & string]

/** Puts a text in words by its key, and fills its placeholders. */
export type Words = (key: KeysOf<AppMessages>, values?: Readonly<Record<string, string | number>>) => string

function translatorOf(locale: Language): Words {
  const translate = createTranslator({
    locale,
    messages: catalogues[locale],
    onError(error) {
      throw error
    },
  }) as Words
  return (key, values) => translate(key, values)
}
const translators = { th: translatorOf('th'), en: translatorOf('en') }

export function wordsOf(language: Language): Words {
  return translators[language]
}

/** Matches a text in which `*` stands for any words. */
export function like(text: string): RegExp {
  return new RegExp(
    text
      .trim()
      .replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`)
      .replaceAll('*', '.*'),
  )
}

/** Satang as the screens show Baht. */
export function bahtText(satang: number): string {
  const [whole = '', fraction = ''] = (Math.abs(satang) / 100).toFixed(2).split('.')
  return `${satang < 0 ? '−' : ''}${whole.replaceAll(/\B(?=(\d{3})+$)/g, ',')}.${fraction}`
}
