import type { NumberValue } from '@megalot/contract'
import { betTypeByCode, type BetTypeCode } from '@megalot/rules'
import { useMemo } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { formatWholeBaht } from '../../../lib/format/money.ts'
import { localizedName } from '../../../lib/i18n/localized-name.ts'
import { useNames } from '../../../shared/markets/use-names.ts'

/** Markets, periods, bet types and what numbers are set to, in words. */
export function useNumberWords() {
  const t = useTranslations('numbers')
  const language = useLocale()
  const names = useNames()
  return useMemo(() => {
    const { marketName, periodName } = names
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
  }, [t, language, names])
}

export type NumberWords = ReturnType<typeof useNumberWords>
