import type { AwardPreview } from '@megalot/contract'
import { betTypeByCode } from '@megalot/rules'
import { useLocale, useTranslations } from 'use-intl'
import { formatBaht, formatCount, formatSignedBaht } from '../../../lib/format/money.ts'
import { localizedName } from '../../../lib/i18n/localized-name.ts'
import { Alert } from '../../../ui/alert.tsx'
import { Heading } from '../../../ui/layout.tsx'
import table from '../../../ui/table.module.css'
import { WideTable } from '../../../ui/wide-table.tsx'
import classes from './results.module.css'

/** The payout of the typed result before it is sent. */
export function AwardPreviewTable({ preview }: { preview: AwardPreview }) {
  const t = useTranslations('results.preview')
  const language = useLocale()
  const { kind, tickets, members, members_losing, paid_satang, taken_back_satang, bet_types, book } = preview
  const isCorrection = kind === 'correction'
  return (
    <section className={classes.preview} aria-label={t('title')} aria-live="polite" data-testid="award-preview">
      <Heading>{t('title')}</Heading>
      <p>
        {isCorrection
          ? t('corrects', {
              tickets,
              members,
              taken: formatBaht(taken_back_satang),
              paid: formatBaht(paid_satang),
            })
          : t('pays', { tickets, members, paid: formatBaht(paid_satang) })}
      </p>
      {isCorrection && <p>{t('difference', { amount: formatSignedBaht(paid_satang - taken_back_satang) })}</p>}
      {members_losing > 0 && <Alert kind="warn">{t('losing', { count: members_losing })}</Alert>}
      {book !== null && book.payout_satang !== paid_satang && (
        <Alert kind="bad">{t('book_differs', { amount: formatBaht(book.payout_satang) })}</Alert>
      )}
      {bet_types.length > 0 && (
        <WideTable label={t('bet_type')}>
          <table className={`${table.table} ${classes.payouts}`}>
            <thead>
              <tr>
                <th scope="col">{t('bet_type')}</th>
                {[t('lines'), t('amount'), ...(isCorrection ? [t('lost')] : [])].map((heading) => (
                  <th key={heading} scope="col" className={table.figure}>
                    {heading}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {bet_types.map(({ bet_type, won_lines, won_satang, lost_lines, lost_satang }) => (
                <tr key={bet_type}>
                  <th scope="row">{localizedName(betTypeByCode[bet_type], language)}</th>
                  <td className={table.figure} data-label={t('lines')}>
                    {formatCount(won_lines)}
                  </td>
                  <td className={table.figure} data-label={t('amount')}>
                    {formatBaht(won_satang)}
                  </td>
                  {isCorrection && (
                    <td className={table.figure} data-label={t('lost')}>
                      {lost_lines === 0 ? '–' : `${formatCount(lost_lines)} · ${formatBaht(lost_satang)}`}
                    </td>
                  )}
                </tr>
              ))}
            </tbody>
          </table>
        </WideTable>
      )}
      {book !== null && <p>{t('house', { amount: formatSignedBaht(book.net_satang - paid_satang) })}</p>}
    </section>
  )
}
