import { betTypes } from '@megalot/rules'
import type { DrawResult } from '@megalot/rules'
import { useLocale, useTranslations } from 'use-intl'
import { localizedName } from '../../lib/i18n/localized-name.ts'
import tables from '../../ui/table.module.css'
import classes from './manual-page.module.css'
import { NumberChips } from './number-chips.tsx'

/** A real draw (16 December 2025), so that a reader can follow the examples in a newspaper. */
const SAMPLE: DrawResult = {
  first_prize: '763895',
  top3: '895',
  bottom2: '52',
  front3: ['431', '176'],
  back3: ['014', '449'],
}

export function BetTypesTable() {
  const t = useTranslations('manual')
  const language = useLocale()
  return (
    <>
      <p className={classes.sample}>
        {t('types.sample', {
          first_prize: SAMPLE.first_prize ?? '',
          front3: SAMPLE.front3?.join(' ') ?? '',
          back3: SAMPLE.back3?.join(' ') ?? '',
          bottom2: SAMPLE.bottom2,
        })}
      </p>
      <div className={tables.card}>
        <table className={tables.table}>
          <thead>
            <tr>
              <th scope="col">{t('types.type')}</th>
              <th scope="col">{t('types.winning')}</th>
            </tr>
          </thead>
          <tbody>
            {betTypes.map((type) => (
              <tr key={type.code}>
                <th scope="row" className={classes.type}>
                  <span className={classes.name}>{localizedName(type, language)}</span>
                  <span className={classes.rule}>{t(`types.rule.${type.code}`)}</span>
                </th>
                <td>
                  <NumberChips numbers={type.winningNumbers(SAMPLE)} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  )
}
