// Virtual rows are put where they belong one by one, so the markup is a table by its roles.
/* oxlint-disable jsx-a11y/prefer-tag-over-role */

import type { EdgeWeek } from '@megalot/contract'
import { useTranslations } from 'use-intl'
import { WindowVirtualizer } from 'virtua'
import { SheetRow } from './sheet-row.tsx'
import type { Draft, SheetRowActions } from './sheet-rows.ts'
import type { SheetSort } from './sheet-search.ts'
import classes from './sheet.module.css'

/** The next and the last row have to be there for the arrow keys. */
const BUFFER_PX = 500
const ROW_PX = 42
const days = ['d0', 'd1', 'd2', 'd3', 'd4', 'd5', 'd6'] as const

interface SheetTableProps extends SheetRowActions {
  rows: readonly EdgeWeek[]
  week: string
  drafts: ReadonlyMap<number, Draft>
  noteOpen: number | null
  armed: number | null
  canRecord: boolean
  hasReports: boolean
  sort: string | undefined
  onSort: (sort: string) => void
}

/** The week of each child. Only the rows near the screen are drawn. */
export function SheetTable(props: SheetTableProps) {
  const { rows, drafts, noteOpen, armed, sort, onSort, ...rest } = props
  const t = useTranslations('sheet')
  const [sorted, direction] = (sort ?? 'balance.desc').split('.')
  const head = (name: SheetSort) => {
    const isSorted = sorted === name
    return (
      <div
        role="columnheader"
        className={name === 'name' ? undefined : classes.figure}
        aria-sort={isSorted ? (direction === 'asc' ? 'ascending' : 'descending') : 'none'}
      >
        <button
          type="button"
          className={classes.sort}
          data-sorted={isSorted || undefined}
          onClick={() => onSort(`${name}.${isSorted === (direction === 'desc') ? 'asc' : 'desc'}`)}
        >
          {t(`column.${name}`)}
        </button>
      </div>
    )
  }
  const plain = (name: 'forward' | 'amount') => (
    <div role="columnheader" className={classes.figure}>
      {t(`column.${name}`)}
    </div>
  )
  return (
    <div role="table" aria-label={t('title')} aria-rowcount={rows.length + 1} className={classes.table}>
      <div role="rowgroup" className={classes.heads}>
        <div role="row" className={`${classes.row} ${classes.head}`}>
          {head('name')}
          {plain('forward')}
          {days.map((day) => (
            <div key={day} role="columnheader" className={classes.day}>
              {t(`day.${day}`)}
            </div>
          ))}
          {head('week')}
          {head('moved')}
          {head('balance')}
          {head('open')}
          {plain('amount')}
        </div>
      </div>
      <div role="rowgroup" data-virtual-rows>
        <WindowVirtualizer itemSize={ROW_PX} bufferSize={BUFFER_PX} data={rows}>
          {(row) => (
            <SheetRow
              key={row.user_id}
              row={row}
              draft={drafts.get(row.user_id)}
              isNoteOpen={noteOpen === row.user_id}
              isArmed={armed === row.user_id}
              {...rest}
            />
          )}
        </WindowVirtualizer>
      </div>
    </div>
  )
}
