import { betTypeByCode, betTypeCodes } from '@megalot/rules'
import type { BetTypeCode, ImportResult, SlipLine } from '@megalot/rules'
import { useMemo } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { formatBaht } from '../../../lib/format/money.ts'
import { localizedName } from '../../../lib/i18n/localized-name.ts'
import tables from '../../../ui/table.module.css'
import { BetLines } from './bet-lines.tsx'
import classes from './import-sheet.module.css'

/** So many dropped and wrong lines are listed; their count is shown in any case. */
const MAX_LISTED = 50

export interface TextRange {
  line_no: number
  start: number
  end: number
}

interface ImportPreviewProps {
  reading: ImportResult
  /** Selects a line in the text, where it can be corrected. */
  onSelect: (line: TextRange) => void
}

/** The reading of a text: refused lines with the reason, dropped lines, sums, and every line as it will be bet. */
export function ImportPreview({ reading, onSelect }: ImportPreviewProps) {
  const t = useTranslations('entry.import')
  const reasons = useTranslations('bet.grid.paste')
  const language = useLocale()
  const { lines_read, bets, items, dropped, errors } = reading
  const sums = useMemo(() => sumByType(items), [items])
  const linkOf = (line: TextRange & { text: string }, reason = '') => (
    <button type="button" className={classes.lineLink} onClick={() => onSelect(line)}>
      <span className={classes.where}>{reasons('line', { line: String(line.line_no) })}</span>{' '}
      <q className={classes.quote}>{line.text}</q> {reason}
    </button>
  )
  return (
    <section className={classes.preview} aria-label={t('preview')}>
      <output className={classes.summary} data-testid="import-summary">
        {t('summary', { lines: lines_read, items: items.length, dropped: dropped.length, errors: errors.length })}
      </output>
      {errors.length > 0 && (
        <details open className={classes.wrong} data-testid="import-errors">
          <summary>{t('errors', { count: errors.length })}</summary>
          <ul className={classes.lines}>
            {errors.slice(0, MAX_LISTED).map((error) => (
              <li key={error.line_no}>{linkOf(error, reasons(`reason.${error.code}`))}</li>
            ))}
            {errors.length > MAX_LISTED && <li>{reasons('more', { lines: errors.length - MAX_LISTED })}</li>}
          </ul>
        </details>
      )}
      {dropped.length > 0 && (
        <details open>
          <summary>{t('dropped', { count: dropped.length })}</summary>
          <ul className={classes.lines}>
            {dropped.slice(0, MAX_LISTED).map((line) => (
              <li key={line.line_no}>{linkOf(line)}</li>
            ))}
            {dropped.length > MAX_LISTED && <li>{reasons('more', { lines: dropped.length - MAX_LISTED })}</li>}
          </ul>
        </details>
      )}
      {bets.length > 0 && <BetLines bets={bets} />}
      {sums.length > 0 && (
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
      )}
    </section>
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
