import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { marketsQuery, NO_MARKETS } from '../../../shared/markets/queries.ts'
import { localizedName } from '../../../lib/i18n/localized-name.ts'
import type { SubjectWords } from './subject-name.ts'

/** The words by which decisions name what they concern. */
export function useSubjectWords(): SubjectWords {
  const t = useTranslations('approvals')
  const common = useTranslations('common')
  const language = useLocale()
  const { data: markets = NO_MARKETS } = useQuery(marketsQuery)
  return useMemo(() => {
    const names = new Map(markets.map((market) => [market.product_code, localizedName(market, language)]))
    return {
      language,
      company: t('company'),
      marketName: (code) => names.get(code) ?? code,
      roundName: (round) => common('round', { round }),
    }
  }, [t, common, language, markets])
}
