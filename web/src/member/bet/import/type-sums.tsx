import { betTypeByCode, betTypeCodes } from '@megalot/rules'
import type { BetTypeCode, SlipLine } from '@megalot/rules'
import { useMemo } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { formatBaht } from '../../../lib/format/money.ts'
import { localizedName } from '../../../lib/i18n/localized-name.ts'
import tables from '../../../ui/table.module.css'

/** Count and sum of the items of each bet type. */
export function TypeSums({ items }: { items: readonly SlipLine[] }) {
  const t = useTranslations('import')
  const language = useLocale()
  const sums = useMemo(() => sumByType(items), [items])
  if (sums.length === 0) return null
  return (
    <table className={tables.table}>
      <tbody>
        {sums.map(({ bet_type, count, bet_satang }) => (
          <tr key={bet_type}>
            <th scope="row">{localizedName(betTypeByCode[bet_type], language)}</th>
            <td className={tables.figure}>{t('items', { count })}</td>
            <td className={tables.figure}>{formatBaht(bet_satang)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

interface TypeSum {
  bet_type: BetTypeCode
  count: number
  bet_satang: number
}

function sumByType(items: readonly SlipLine[]): readonly TypeSum[] {
  const sums = new Map<BetTypeCode, TypeSum>()
  for (const { bet_type, bet_satang } of items) {
    const sum = sums.get(bet_type) ?? { bet_type, count: 0, bet_satang: 0 }
    sum.count += 1
    sum.bet_satang += bet_satang
    sums.set(bet_type, sum)
  }
  return betTypeCodes.flatMap((bet_type) => sums.get(bet_type) ?? [])
}
