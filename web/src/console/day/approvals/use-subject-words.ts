import { useMemo } from 'react'
import { useTranslations } from 'use-intl'
import { useNames } from '../../../shared/markets/use-names.ts'
import type { SubjectWords } from './subject-name.ts'

/** The words by which decisions name what they concern. */
export function useSubjectWords(): SubjectWords {
  const company = useTranslations('approvals')('company')
  const names = useNames()
  return useMemo(() => ({ ...names, company }), [names, company])
}
