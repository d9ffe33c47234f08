import type { SlipLine } from '@megalot/rules'
import IconSortDescending from '~icons/sort-descending'
import { useMemo, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { LazyBlock } from '../../../ui/lazy-block.tsx'
import classes from './import-sheet.module.css'

/** Longer lists draw only visible rows. */
const BLOCK_LINES = 20

interface LineBlocksProps<Line> {
  label: string
  lines: readonly Line[]
  /** About how high a row is, in pixels. */
  linePx: number
  /** Follows the last row. */
  end?: ReactNode
  children: (line: Line) => ReactNode
}

/** Rows of lines in a box that scrolls by itself. */
export function LineBlocks<Line>({ label, lines, linePx, end, children }: LineBlocksProps<Line>) {
  const scroller = useRef<HTMLElement>(null)
  const blocks = Array.from({ length: Math.ceil(lines.length / BLOCK_LINES) }, (_, at) =>
    lines.slice(at * BLOCK_LINES, (at + 1) * BLOCK_LINES),
  )
  return (
    // A list that scrolls by itself takes the focus, so that keys scroll it.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <section ref={scroller} className={classes.bets} tabIndex={0} aria-label={label}>
      {blocks.map((block, at) => (
        <LazyBlock key={at} root={scroller} isShown={at === 0} heightPx={block.length * linePx}>
          {() => block.map(children)}
        </LazyBlock>
      ))}
      {end}
    </section>
  )
}

interface BetLinesProps<Line> {
  lines: readonly Line[]
  linePx: number
  itemsOf: (line: Line) => readonly SlipLine[]
  children: (line: Line) => ReactNode
}

/** Every line of the text as it will be bet, in the order of the text or with the largest amount first. */
export function BetLines<Line>({ lines, linePx, itemsOf, children }: BetLinesProps<Line>) {
  const t = useTranslations('import')
  const [isLargestFirst, setLargestFirst] = useState(false)
  const shown = useMemo(
    () =>
      isLargestFirst ? lines.toSorted((one, other) => sumOfItems(itemsOf(other)) - sumOfItems(itemsOf(one))) : lines,
    [lines, itemsOf, isLargestFirst],
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
      <LineBlocks label={t('lines')} lines={shown} linePx={linePx}>
        {children}
      </LineBlocks>
    </div>
  )
}

/** The sum of items in satang. */
export function sumOfItems(items: readonly { bet_satang: number }[]): number {
  return items.reduce((sum, { bet_satang }) => sum + bet_satang, 0)
}
