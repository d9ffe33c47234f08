import type { Language } from '@megalot/contract'

/** The name of a market, a bet type or an entry mode in a language. */
export function localizedName(named: { name_th: string; name_en: string }, language: Language): string {
  return language === 'th' ? named.name_th : named.name_en
}
