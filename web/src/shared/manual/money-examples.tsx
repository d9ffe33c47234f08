import { betTypeByCode } from '@megalot/rules'
import { useLocale, useTranslations } from 'use-intl'
import { formatBaht, formatPercent, formatRate } from '../../lib/format/money.ts'
import tables from '../../ui/table.module.css'
import { WideTable } from '../../ui/wide-table.tsx'
import classes from './manual-page.module.css'
import { listQuotaExamples, listRateExamples } from './worked-examples.ts'

/** What a bet costs and what it wins. */
export function RateExamples() {
  const t = useTranslations('manual.rates')
  const language = useLocale()
  return (
    <>
      <p className={classes.sample}>
        {t('text')} {t('discount')}
      </p>
      <WideTable label={t('title')} isCard>
        <table className={tables.table}>
          <thead>
            <tr>
              {(['type', 'bet', 'rate', 'discount_taken', 'net', 'win'] as const).map((column, place) => (
                <th key={column} scope="col" className={place === 0 ? undefined : tables.figure}>
                  {t(column)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {listRateExamples().map((example) => (
              <tr key={example.bet_type}>
                <th scope="row" className={classes.name}>
                  {language === 'th'
                    ? betTypeByCode[example.bet_type].name_th
                    : betTypeByCode[example.bet_type].name_en}
                </th>
                <td className={tables.figure}>{formatBaht(example.bet_satang)}</td>
                <td className={tables.figure}>{formatRate(example.rate)}</td>
                <td className={tables.figure}>
                  {formatBaht(example.discount_satang)} ({formatPercent(example.discount_rate)})
                </td>
                <td className={tables.figure}>{formatBaht(example.net_satang)}</td>
                <td className={tables.figure}>{formatBaht(example.win_satang)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </WideTable>
    </>
  )
}

/** What the house takes of a bet on a number that many have bet on. */
export function QuotaExamples() {
  const t = useTranslations('manual.quota')
  return (
    <>
      <p className={classes.sample}>{t('text')}</p>
      <WideTable label={t('title')} isCard>
        <table className={tables.table}>
          <thead>
            <tr>
              {(['number', 'bet', 'received', 'rate', 'win'] as const).map((column, place) => (
                <th key={column} scope="col" className={place === 0 ? undefined : tables.figure}>
                  {t(column)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {listQuotaExamples().map((example) => (
              <tr key={example.name}>
                <th scope="row" className={classes.type}>
                  <span className={classes.name}>{t(`case.${example.name}`)}</span>
                  <span className={classes.rule}>{t(`state.${example.state ?? 'none'}`)}</span>
                </th>
                <td className={tables.figure}>{formatBaht(example.bet_satang)}</td>
                <td className={tables.figure}>{formatBaht(example.received_satang)}</td>
                <td className={tables.figure}>{example.is_closed ? '–' : formatRate(example.rate)}</td>
                <td className={tables.figure}>{formatBaht(example.win_satang)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </WideTable>
    </>
  )
}
