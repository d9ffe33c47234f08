import type { GameConfig, ProductPeriod } from '@megalot/contract'
import { betTypeByCode } from '@megalot/rules'
import { IconListDetails } from '@tabler/icons-react'
import { useState } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { localizedName } from '../../../lib/i18n/localized-name.ts'
import { formatPercent, formatRate, formatWholeBaht } from '../../../lib/format/money.ts'
import { SegmentedControl } from '../../../ui/segmented-control.tsx'
import { DialogSheet } from '../../../ui/dialog-sheet.tsx'
import tables from '../../../ui/table.module.css'
import { WideTable } from '../../../ui/wide-table.tsx'
import classes from './package-picker.module.css'

interface PackagePickerProps {
  packages: readonly { package_code: string; name: string }[]
  package_code: string | null
  config: GameConfig | null
  onPick: (package_code: string) => void
}

/** The choice of a reward rate, its table one tap away. */
export function PackagePicker({ packages, package_code, config, onPick }: PackagePickerProps) {
  const t = useTranslations('bet.package')
  const [isTableOpen, setIsTableOpen] = useState(false)
  return (
    <div className={classes.picker}>
      <span className={classes.label} aria-hidden="true">
        {t('label')}
      </span>
      <SegmentedControl
        label={t('label')}
        value={package_code}
        choices={packages.map((one) => ({ value: one.package_code, label: one.name }))}
        onChange={onPick}
      />
      {config !== null && (
        <button type="button" className={classes.rates} aria-haspopup="dialog" onClick={() => setIsTableOpen(true)}>
          <IconListDetails size={20} stroke={1.6} aria-hidden="true" />
          <span>{t('rates')}</span>
        </button>
      )}
      <DialogSheet isOpen={isTableOpen} onClose={() => setIsTableOpen(false)} title={t('table_title')}>
        {config !== null && <RateTable config={config} />}
      </DialogSheet>
    </div>
  )
}

/** What a package pays, gives off and takes, by bet type. */
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
