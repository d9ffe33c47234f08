// The names of markets and of their periods.

import type { Language, Period } from '@megalot/contract'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { formatDay } from '../../lib/format/dates.ts'
import { localizedName } from '../../lib/i18n/localized-name.ts'
import { marketsQuery, NO_MARKETS } from './queries.ts'

interface NameWords {
  language: Language
  marketName: (product_code: string) => string
  roundName: (round: string) => string
}

export type Names = ReturnType<typeof makeNames>

/** A market's code, the day, and the round if the day has several. */
const PERIOD_CODE = /^(.+)-(\d{4})(\d{2})(\d{2})(?:-(\d+))?$/

export function dayOfPeriod(period_code: string): string {
  const [, , year, month, day] = PERIOD_CODE.exec(period_code)!
  return `${year}-${month}-${day}`
}

/** Names with given words. */
export function makeNames({ language, marketName, roundName }: NameWords) {
  /** `5 Jan 2026 · round 3`. */
  const dayAndRound = ({ period_date, round }: { period_date: string; round: number | string | null }): string =>
    [formatDay(period_date, language), ...(round === null ? [] : [roundName(String(round))])].join(' · ')
  return {
    marketName,
    dayAndRound,
    /** `Lao VIP · 5 Jan 2026`. A code of another form stays as it is. */
    periodName: (period_code: string, product_code: string | null = null): string => {
      const found = PERIOD_CODE.exec(period_code)
      if (found === null) return period_code
      const round = found[5] ?? null
      return `${marketName(product_code ?? found[1]!)} · ${dayAndRound({ period_date: dayOfPeriod(period_code), round })}`
    },
  }
}

/** The object changes only with the language and the markets. An unknown market keeps its code. */
export function useNames() {
  const common = useTranslations('common')
  const language = useLocale()
  const { data: markets = NO_MARKETS } = useQuery(marketsQuery)
  return useMemo(() => {
    const known = new Map(markets.map((market) => [market.product_code, localizedName(market, language)]))
    const names = makeNames({
      language,
      marketName: (product_code) => known.get(product_code) ?? product_code,
      roundName: (round) => common('round', { round }),
    })
    return {
      ...names,
      /** `5 Jan 2026 · round 3 · open`. */
      withStatus: (period: Pick<Period, 'period_date' | 'round' | 'status'>): string =>
        `${names.dayAndRound(period)} · ${common(`period_status.${period.status}`)}`,
    }
  }, [common, language, markets])
}
