// What a proposal of terms changes, on one line.

import type { Approval, WaitingDecision } from '@megalot/contract'
import { betTypeByCode } from '@megalot/rules'
import type { BetTypeCode } from '@megalot/rules'
import { useMemo } from 'react'
import { useTranslations } from 'use-intl'
import { localizedName } from '../lib/i18n/localized-name.ts'
import { fieldNames, listChanges, useValueWords, writeValue } from './state-change.tsx'
import type { ValueWords } from './state-change.tsx'

export interface TermsWords extends ValueWords {
  becomes: string
  field: (name: (typeof fieldNames)[number]) => string
}

type Change = Pick<Approval, 'before' | 'after'>

/** `3 top: Pays per Baht 550 to 680`, several bet types after each other. */
export function writeTermsChanges(change: Change, words: TermsWords): string {
  const parts = [...new Set(listChanges(change.before, change.after).map(({ part }) => part))]
  return parts
    .map((part) => {
      const written = writeChangesOf(change, part, words)
      return part in betTypeByCode
        ? `${localizedName(betTypeByCode[part as BetTypeCode], words.language)}: ${written}`
        : written
    })
    .join(' · ')
}

/** `Pays per Baht 550 to 680`: what changes of one bet type; empty: nothing. */
export function writeChangesOf({ before, after }: Change, bet_type: string, words: TermsWords): string {
  return listChanges(before, after)
    .filter(({ part }) => part === bet_type)
    .map(({ name, before: old, after: now }) => {
      const known = fieldNames.find((one) => one === name)
      const values = [old, now].map((value) => writeValue(name, value, words)).join(` ${words.becomes} `)
      return `${known === undefined ? name : words.field(known)} ${values}`
    })
    .join(', ')
}

export function useTermsWords(): TermsWords {
  const t = useTranslations('console')
  const { language, yes, no } = useValueWords()
  return useMemo(
    () => ({ language, yes, no, becomes: t('becomes'), field: (name) => t(`field.${name}`) }),
    [language, yes, no, t],
  )
}

/** The proposals that wait for the terms of a package, oldest first. */
export function listWaitingTerms(
  decisions: readonly WaitingDecision[],
  product_code: string,
  package_code: string,
): readonly Approval[] {
  return decisions.flatMap(({ approval }) =>
    approval?.kind === 'change_terms' &&
    approval.payload['product_code'] === product_code &&
    approval.payload['package_code'] === package_code
      ? [approval]
      : [],
  )
}
