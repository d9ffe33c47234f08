// The differences of a proposal of terms, on one line.

import type { Approval, WaitingDecision } from '@megalot/contract'
import { useMemo } from 'react'
import { useTranslations } from 'use-intl'
import { listDifferences } from './audit/differences.ts'
import type { Difference } from './audit/differences.ts'
import { useAuditWords } from './audit/use-audit-words.ts'
import type { AuditWords } from './audit/use-audit-words.ts'

export interface TermsWords extends Pick<AuditWords, 'nameField' | 'nameValue'> {
  becomes: string
}

type Change = Pick<Approval, 'before' | 'after'>

/** Of which bet type a field is; empty: of the package itself. */
function partOf({ path }: Difference): string {
  return path[0] === 'bet_types' ? (path[1] ?? '') : ''
}

function listChanges({ before, after }: Change): readonly Difference[] {
  return listDifferences(before, after).filter(
    // A new record names its bet type once more.
    ({ isChanged, path }) => isChanged && !(path.length > 1 && path.at(-1) === 'bet_type'),
  )
}

/** Whether a proposal changes a bet type. */
export function isAbout(change: Change, bet_type: string): boolean {
  return listChanges(change).some((one) => partOf(one) === bet_type)
}

/** `3 top: Pays per Baht 550 to 680`, several bet types after each other. */
export function writeTermsChanges(change: Change, words: TermsWords): string {
  const parts = [...new Set(listChanges(change).map(partOf))]
  return parts
    .map((part) => {
      const written = writeChangesOf(change, part, words)
      return part === '' ? written : `${words.nameField(part)}: ${written}`
    })
    .join(' · ')
}

/** `Pays per Baht 550 to 680`: what changes of one bet type; empty: nothing. */
export function writeChangesOf(change: Change, bet_type: string, words: TermsWords): string {
  return listChanges(change)
    .filter((one) => partOf(one) === bet_type)
    .map(({ path, before, after }) => {
      const values = [before, after].map((value) => words.nameValue(path, value))
      return `${words.nameField(path.at(-1) ?? '')} ${values.join(` ${words.becomes} `)}`
    })
    .join(', ')
}

export function useTermsWords(): TermsWords {
  const becomes = useTranslations('console')('becomes')
  const words = useAuditWords()
  return useMemo(() => ({ ...words, becomes }), [words, becomes])
}

/** The proposals that wait for the terms of a package, oldest first. */
export function listWaitingTerms(
  decisions: readonly WaitingDecision[],
  product_code: string,
  package_code: string,
): readonly Approval[] {
  return decisions.flatMap(({ approval }) =>
    approval?.kind === 'change_game_config' &&
    approval.payload['product_code'] === product_code &&
    approval.payload['package_code'] === package_code
      ? [approval]
      : [],
  )
}
