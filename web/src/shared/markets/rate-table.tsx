import type { GameConfig, ProductPeriod } from '@megalot/contract'
import { betTypeByCode } from '@megalot/rules'
import { useLocale, useTranslations } from 'use-intl'
import { localizedName } from '../../lib/i18n/localized-name.ts'
import { formatPercent, formatRate, formatWholeBaht } from '../../lib/format/money.ts'
import tables from '../../ui/table.module.css'
import { WideTable } from '../../ui/wide-table.tsx'
import classes from './rate-choice.module.css'

/** Rates, discounts and limits of a package, by bet type. */
export function RateTable({ config }: { config: GameConfig }) {
  const t = useTranslations('bet.package')
  const language = useLocale()
  return (
    <>
      <WideTable label={t('table_title')}>
        <table className={tables.table}>
          <thead>
            <tr>
              <th scope="col">{t('type')}</th>
              <th scope="col" className={tables.figure}>
                {t('pays')}
              </th>
              <th scope="col" className={tables.figure}>
                {t('discount')}
              </th>
              <th scope="col" className={tables.figure}>
                {t('limits')}
              </th>
            </tr>
          </thead>
          <tbody>
            {config.bet_types.map((terms) => (
              <tr key={terms.bet_type}>
                <th scope="row">{localizedName(betTypeByCode[terms.bet_type], language)}</th>
                <td className={tables.figure}>{terms.is_on ? formatRate(terms.rate) : t('off')}</td>
                <td className={tables.figure}>{formatPercent(terms.discount_rate)}</td>
                <td className={tables.figure}>
                  {formatWholeBaht(terms.min_satang)}–{formatWholeBaht(terms.max_satang)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </WideTable>
      <p className={classes.hint}>{t('hint', { count: config.max_items })}</p>
    </>
  )
}

/** The bet types that can be bet on now: offered by the market and switched on in the package. */
export function takenBetTypes(market: ProductPeriod, config: GameConfig | null): ProductPeriod['bet_types'] {
  if (config === null) return market.bet_types
  return market.bet_types.filter((code) => config.bet_types.some((terms) => terms.bet_type === code && terms.is_on))
}
