import type { NumberValue } from '@megalot/contract'
import { betTypeByCode, type BetTypeCode } from '@megalot/rules'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { marketsQuery, NO_MARKETS } from '../../../shared/markets/queries.ts'
import { formatWholeBaht } from '../../../lib/format/money.ts'
import { localizedName } from '../../../lib/i18n/localized-name.ts'
import { namePeriod } from '../../changes/period-name.ts'

/** Markets, periods, bet types and what numbers are set to, in words. */
export function useNumberWords() {
  const t = useTranslations('numbers')
  const common = useTranslations('common')
  const language = useLocale()
  const { data: markets = NO_MARKETS } = useQuery(marketsQuery)
  return useMemo(() => {
    const names = new Map(markets.map((market) => [market.product_code, localizedName(market, language)]))
    const marketName = (product_code: string): string => names.get(product_code) ?? product_code
    const periodName = (period_code: string, product_code: string | null): string =>
      namePeriod(period_code, product_code, {
        language,
        marketName,
        roundName: (round) => common('round', { round }),
      })
    return {
      marketName,
      periodName,
      typeName: (bet_type: BetTypeCode): string => localizedName(betTypeByCode[bet_type], language),
      /** A period, or the market of a standing rule. */
      targetName: ({ product_code, period_code }: { product_code: string; period_code: string | null }): string =>
        period_code === null ? marketName(product_code) : periodName(period_code, product_code),
      valueText: ({ set_to, full_satang, half_satang }: NumberValue): string =>
        set_to === 'amount'
          ? t('amount_text', { full: formatWholeBaht(full_satang ?? 0), half: formatWholeBaht(half_satang ?? 0) })
          : t(`value.${set_to}`),
    }
  }, [t, common, language, markets])
}

export type NumberWords = ReturnType<typeof useNumberWords>
