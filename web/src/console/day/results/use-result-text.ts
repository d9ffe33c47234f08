import { useTranslations } from 'use-intl'
import { nameOf, type ResultShown, shownFields, writeField } from './result-fields.ts'

/** Writes a result in one line: the name of each field that it has, and its numbers. */
export function useResultText(): (result: ResultShown) => string {
  const t = useTranslations('results.field')
  return (result) =>
    shownFields
      .filter((name) => writeField(result, name) !== '')
      .map((name) => `${t(nameOf(result, name))} ${writeField(result, name)}`)
      .join(' · ')
}
