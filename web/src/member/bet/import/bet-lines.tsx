import { betTypeByCode } from '@megalot/rules'
import type { BetLine } from '@megalot/rules'
import IconSortDescending from '~icons/sort-descending'
import { useMemo, useRef, useState } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { formatWholeBaht } from '../../../lib/format/money.ts'
import { localizedName } from '../../../lib/i18n/localized-name.ts'
import { LazyBlock } from '../../../ui/lazy-block.tsx'
import classes from './import-sheet.module.css'

/** Longer lists draw only visible rows. */
const BLOCK_LINES = 20
const LINE_PX = 33

/** Every line of the text as it will be bet, in the order of the text or with the largest amount first. */
export function BetLines({ bets }: { bets: readonly BetLine[] }) {
  const t = useTranslations('entry.import')
  const [isLargestFirst, setLargestFirst] = useState(false)
  const shown = useMemo(
    () => (isLargestFirst ? bets.toSorted((one, other) => sumOf(other) - sumOf(one)) : bets),
    [bets, isLargestFirst],
  )
  const scroller = useRef<HTMLElement>(null)
  const blocks = Array.from({ length: Math.ceil(shown.length / BLOCK_LINES) }, (_, at) =>
    shown.slice(at * BLOCK_LINES, (at + 1) * BLOCK_LINES),
  )
  return (
    <div data-testid="import-lines">
      <div className={classes.linesHead}>
        <span>{t('lines')}</span>
        <button
          type="button"
          className={classes.sort}
          aria-pressed={isLargestFirst}
          onClick={() => setLargestFirst(!isLargestFirst)}
        >
          <IconSortDescending size={18} stroke={1.75} aria-hidden="true" />
          {t('largest_first')}
        </button>
      </div>
      {/* A list that scrolls by itself takes the focus, so that keys scroll it. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <section ref={scroller} className={classes.bets} tabIndex={0} aria-label={t('lines')}>
        {blocks.map((block, at) => (
          <LazyBlock key={at} root={scroller} isShown={at === 0} heightPx={block.length * LINE_PX}>
            {() => block.map((bet) => <BetOfLine key={bet.line_no} bet={bet} />)}
          </LazyBlock>
        ))}
      </section>
    </div>
  )
}

function sumOf({ items }: BetLine): number {
  return items.reduce((sum, { bet_satang }) => sum + bet_satang, 0)
}

function BetOfLine({ bet }: { bet: BetLine }) {
  const t = useTranslations('entry.import')
  const language = useLocale()
  const { line_no, number, stakes, items } = bet
  return (
    <p className={classes.bet}>
      <span className={classes.lineNumber}>{line_no}</span> <strong>{number}</strong>{' '}
      <span className={classes.stakes}>
        {stakes.map(({ bet_type, bet_satang }) => (
          <span key={bet_type}>
            {localizedName(betTypeByCode[bet_type], language)} <b>{formatWholeBaht(bet_satang)}</b>{' '}
          </span>
        ))}
        {items.length > stakes.length && (
          <span>{t('doors', { count: items.length, sum: formatWholeBaht(sumOf(bet)) })}</span>
        )}
      </span>
    </p>
  )
}
