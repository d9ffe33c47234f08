import type { BetLine, ImportResult } from '@megalot/rules'
import { useTranslations } from 'use-intl'
import { formatWholeBaht } from '../../../lib/format/money.ts'
import { BetLines, sumOfItems } from './bet-lines.tsx'
import classes from './import-sheet.module.css'
import { LineLinks } from './line-links.tsx'
import type { TextRange } from './line-links.tsx'
import { Stakes } from './stakes.tsx'
import { TypeSums } from './type-sums.tsx'

const LINE_PX = 33

interface ImportPreviewProps {
  reading: ImportResult
  /** Selects a line in the text, where it can be corrected. */
  onSelect: (line: TextRange) => void
}

/** The reading of a text: refused lines with the reason, dropped lines, sums, and every line as it will be bet. */
export function ImportPreview({ reading, onSelect }: ImportPreviewProps) {
  const t = useTranslations('import')
  const reasons = useTranslations('bet.grid.paste.reason')
  const { lines_read, bets, items, dropped, errors } = reading
  return (
    <section className={classes.preview} aria-label={t('preview')}>
      <output className={classes.summary} data-testid="import-summary">
        {t('summary', { lines: lines_read, items: items.length, dropped: dropped.length })}{' '}
        <span data-tone={errors.length > 0 ? 'bad' : undefined}>{t('in_error', { errors: errors.length })}</span>
      </output>
      <LineLinks
        title={t('errors', { count: errors.length })}
        lines={errors}
        reasonOf={({ code }) => reasons(code)}
        isWrong
        testId="import-errors"
        onSelect={onSelect}
      />
      <LineLinks title={t('dropped', { count: dropped.length })} lines={dropped} onSelect={onSelect} />
      {bets.length > 0 && (
        <BetLines lines={bets} linePx={LINE_PX} itemsOf={itemsOf}>
          {(bet) => <BetOfLine key={bet.line_no} bet={bet} />}
        </BetLines>
      )}
      <TypeSums items={items} />
    </section>
  )
}

function itemsOf({ items }: BetLine): BetLine['items'] {
  return items
}

function BetOfLine({ bet }: { bet: BetLine }) {
  const t = useTranslations('import')
  const { line_no, number, stakes, items } = bet
  return (
    <p className={classes.bet}>
      <span className={classes.lineNumber}>{line_no}</span> <strong>{number}</strong>{' '}
      <span className={classes.stakes}>
        <Stakes stakes={stakes} />
        {items.length > stakes.length && (
          <span>{t('doors', { count: items.length, sum: formatWholeBaht(sumOfItems(items)) })}</span>
        )}
      </span>
    </p>
  )
}
