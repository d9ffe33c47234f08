import type { SlipLine } from '@megalot/rules'
import { useMemo } from 'react'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { formatCount, formatWholeBaht } from '../../../lib/format/money.ts'
import { Alert } from '../../../ui/alert.tsx'
import { Button } from '../../../ui/button.tsx'
import type { Desk } from '../desk.ts'
import { MAX_ADDED_ROWS, rowsOfLines } from '../slip/slip-lines.ts'
import { splitIntoTickets } from '../slip/ticket-batch.ts'
import { useAddLines } from '../slip/use-add-lines.ts'
import { sumOfItems } from './bet-lines.tsx'
import classes from './import-sheet.module.css'

interface AddBarProps {
  desk: Desk
  items: readonly SlipLine[]
  /** Whether the items belong to an earlier text. */
  isStale: boolean
  onDone: () => void
  /** Warnings. They stay directly above the button, whatever is scrolled. */
  children?: ReactNode
}

/** The button that puts the read items on the slip, with their total, and as how many tickets they would be sent. */
export function AddBar({ desk, items, isStale, onDone, children }: AddBarProps) {
  const t = useTranslations('import')
  const addLines = useAddLines(desk.store)
  const isTooMuch = useMemo(() => needTooManyRows(items), [items])
  const tickets = useMemo(() => countTickets(desk, items), [desk, items])
  const isOff = items.length === 0 || isTooMuch
  return (
    <div className={classes.add}>
      {children}
      {isTooMuch && (
        <Alert kind="bad" title={t('failed')}>
          {t('problem.too_many_rows', { most: formatCount(MAX_ADDED_ROWS) })}
        </Alert>
      )}
      {tickets > 1 && !isTooMuch && (
        <Alert kind="plain">{t('several_tickets', { most: formatCount(desk.max_items), tickets })}</Alert>
      )}
      <Button
        isWide
        data-testid="import-add"
        disabled={isOff || isStale || desk.isLocked}
        onClick={() => {
          if (addLines(items)) onDone()
        }}
      >
        {isOff ? t('add_nothing') : t('add', { items: items.length, total: formatWholeBaht(sumOfItems(items)) })}
      </Button>
    </div>
  )
}

/** As how many tickets the slip would be sent with these lines on it. */
function countTickets({ slip, max_items }: Desk, added: readonly SlipLine[]): number {
  const { lines, row_states } = slip.getState().check
  if (lines.length + added.length <= max_items) return 1
  const rows = rowsOfLines(added).flatMap(({ number: _number, ...amounts }, index) =>
    Object.keys(amounts).map(() => ({ row: row_states.length + index })),
  )
  return splitIntoTickets([...lines, ...rows], max_items).length
}

/** A row holds one line or more: as many lines as there may be rows always fit. */
function needTooManyRows(lines: readonly SlipLine[]): boolean {
  return lines.length > MAX_ADDED_ROWS && rowsOfLines(lines).length > MAX_ADDED_ROWS
}
