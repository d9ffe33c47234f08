// A dense list of the console. Virtual rows are positioned one by one, so the markup is a grid by its roles, not a table.
// The keyboard focus moves by rows.
/* oxlint-disable jsx-a11y/prefer-tag-over-role */

import IconArrowDown from '~icons/arrow-down'
import IconArrowUp from '~icons/arrow-up'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { MouseEvent, ReactNode, RefObject } from 'react'
import { WindowVirtualizer } from 'virtua'
import type { CacheSnapshot, WindowVirtualizerHandle } from 'virtua'
import { useTranslations } from 'use-intl'
import { useErrorMessage } from '../../lib/errors/use-error-message.ts'
import { Alert } from '../alert.tsx'
import { Button } from '../button.tsx'
import classes from './data-grid.module.css'
import { DataGridBar } from './data-grid-bar.tsx'
import { LoadMore, type LoadMoreProps } from '../load-more.tsx'
import { sumCell } from './grid-column.ts'
import type { GridColumn, GridSort, GridSum } from './grid-column.ts'
import { activateRow, toggleRow } from './grid-selection.ts'
import type { GridSettingsProps } from './grid-settings.tsx'
import { useGridFocus } from './use-grid-focus.ts'

/** Rows are drawn this far beyond the screen. */
const BUFFER_PX = 500
const ROW_PX = 41
const SKELETON_ROWS = 12

/**
 * Row heights of each list by its label, from when it was last shown. A card on a phone is much taller than `ROW_PX`, so
 * without them the page is too short for its old scroll position.
 */
const heightsOfLists = new Map<string, CacheSnapshot>()

interface DataGridProps<Row> extends Omit<GridSettingsProps, 'columns'> {
  label: string
  columns: readonly GridColumn<Row>[]
  /** Undefined while the rows load. */
  rows: readonly Row[] | undefined
  keyOf: (row: Row) => string
  error: Error | null
  onRetry: () => void
  /** The number of all rows, where it is known. */
  total?: number
  /** Sums of all rows, below the others, even while some rows are not loaded. */
  sums?: readonly GridSum<Row>[]
  /** Shown where the list has no rows. */
  empty: ReactNode
  /** Opens a row, by Enter or a click on it. */
  onOpen?: (row: Row) => void
  /** A key pressed on a row. @returns whether the key has a meaning there */
  onRowKey?: (row: Row, key: string) => boolean
  /** The row's level in a tree, from 1, and whether its branch is open; null for a row without a branch. */
  branchOf?: (row: Row) => { level: number; isOpen: boolean | null }
  /** Actions on the selected rows. Without it, rows cannot be selected. */
  bulkActions?: (rows: readonly Row[], clear: () => void) => ReactNode
  /** Replaces the button that saves the rows as CSV. */
  fileTools?: ReactNode
  /** Filters, beside the grid's own tools. */
  children?: ReactNode
  /** A button below the last row, where the rows load in parts. */
  more?: LoadMoreProps
}

/**
 * A list with sorting, chosen columns, saved views, selection, a sticky head and a CSV file. A phone shows each row as a card.
 * The grid holds the focus and the selection; the page holds everything else and sorts the rows.
 */
export function DataGrid<Row>(props: DataGridProps<Row>) {
  const { label, columns, keyOf, sort, onSort, shownColumns, onOpen, bulkActions, more, total } = props
  const { onRowKey, branchOf, sums = [] } = props
  const t = useTranslations('grid')
  const rows = props.rows ?? []
  const keys = rows.map(keyOf)
  const shown = columns.filter(({ name }) => shownColumns.includes(name))
  const canSelect = bulkActions !== undefined
  const tracks = [...(canSelect ? ['2.25rem'] : []), ...shown.map(({ width }) => width ?? 'minmax(6rem, 1fr)')]
  const onKeyOfRow = (rowKey: string, key: string): boolean => {
    const row = rows[keys.indexOf(rowKey)]
    if (row === undefined) return false
    if (key === 'Enter') onOpen?.(row)
    return key === 'Enter' || onRowKey?.(row, key) === true
  }
  const { selection, activeIndex, select, focusRef, virtualizer, handlers } = useGridFocus(
    label,
    keys,
    canSelect,
    onKeyOfRow,
  )
  const heads = useRef<HTMLDivElement>(null)
  const heights = useRowHeights(label, virtualizer)
  const selectedRows = rows.filter((row) => selection.selected.has(keyOf(row)))
  return (
    <section className={classes.frame} aria-label={label} tabIndex={-1} data-grid-frame>
      <DataGridBar {...props} shown={shown} count={rows.length} hasMore={more?.hasMore ?? false} />
      {selectedRows.length > 0 && (
        <div className={classes.bulk} role="toolbar" aria-label={t('selected', { count: selectedRows.length })}>
          <strong>{t('selected', { count: selectedRows.length })}</strong>
          {bulkActions?.(selectedRows, () => select((now) => ({ ...now, selected: new Set() })))}
        </div>
      )}
      <div
        role={branchOf === undefined ? 'grid' : 'treegrid'}
        aria-label={label}
        aria-rowcount={total === undefined ? -1 : total + 1}
        aria-multiselectable={canSelect || undefined}
        aria-busy={props.rows === undefined}
        data-empty={rows.length === 0 || undefined}
        className={classes.grid}
        style={
          {
            '--tracks': tracks.join(' '),
            '--least-rem': `${leastRemOf(tracks)}rem`,
            '--gaps': tracks.length - 1,
          } as object
        }
        {...handlers}
      >
        <Heads ref={heads} columns={shown} canSelect={canSelect} sort={sort} onSort={onSort} />
        {/* Wide lists scroll sideways here. The sticky head is outside and follows. */}
        <div
          role="rowgroup"
          className={classes.body}
          onScroll={({ currentTarget }) => heads.current?.scrollTo({ left: currentTarget.scrollLeft })}
        >
          <div className={classes.rows} data-virtual-rows>
            <WindowVirtualizer
              ref={virtualizer}
              {...(heights === undefined ? {} : { cache: heights })}
              itemSize={ROW_PX}
              bufferSize={BUFFER_PX}
              data={rows}
            >
              {(row, index) => {
                const key = keyOf(row)
                return (
                  <GridRow
                    key={key}
                    rowKey={key}
                    row={row}
                    index={index}
                    columns={shown}
                    isActive={index === activeIndex}
                    isSelected={selection.selected.has(key)}
                    canSelect={canSelect}
                    isOpenable={onOpen !== undefined}
                    {...(branchOf === undefined ? {} : { branch: branchOf(row) })}
                    focusRef={focusRef}
                    onFocus={() => key !== selection.active && select({ ...selection, active: key, lastIndex: index })}
                    onToggle={(isRange) => select(toggleRow(selection, keys, index, isRange))}
                    onOpen={() => {
                      select(activateRow(selection, keys, index))
                      onOpen?.(row)
                    }}
                  />
                )
              }}
            </WindowVirtualizer>
            {rows.length > 0 &&
              sums.map((sum) => <SumRow key={sum.label} columns={shown} sum={sum} canSelect={canSelect} />)}
          </div>
        </div>
      </div>
      <Rest {...props} />
      {more !== undefined && <LoadMore {...more} />}
    </section>
  )
}

/** Sum of the columns' least widths, in rem. Positioned rows do not widen the list by themselves. */
function leastRemOf(tracks: readonly string[]): number {
  return tracks.map((track) => Number(/([\d.]+)rem/.exec(track)?.[1] ?? 0)).reduce((sum, rem) => sum + rem, 0)
}

/** The row heights of the last visit. Saves the present ones when the list unmounts. */
function useRowHeights(
  label: string,
  virtualizer: RefObject<WindowVirtualizerHandle | null>,
): CacheSnapshot | undefined {
  const [heights] = useState(() => heightsOfLists.get(label))
  useLayoutEffect(() => {
    const handle = virtualizer.current
    return () => {
      if (handle !== null) heightsOfLists.set(label, handle.cache)
    }
  }, [label, virtualizer])
  return heights
}

interface HeadsProps<Row> {
  ref: RefObject<HTMLDivElement | null>
  columns: readonly GridColumn<Row>[]
  canSelect: boolean
  sort: GridSort | null
  onSort: (sort: GridSort | null) => void
}

function Heads<Row>({ ref, columns, canSelect, sort, onSort }: HeadsProps<Row>) {
  const t = useTranslations('grid')
  return (
    <div ref={ref} role="rowgroup" className={classes.heads}>
      <div role="row" aria-rowindex={1} className={`${classes.row} ${classes.head}`}>
        {canSelect && (
          <div role="columnheader">
            <span className="visually-hidden">{t('selection')}</span>
          </div>
        )}
        {columns.map(({ name, label, isFigure, hasActions, isSortable }) => {
          const direction = sort?.column === name ? sort.direction : null
          return (
            <div
              key={name}
              role="columnheader"
              data-figure={isFigure || undefined}
              data-actions={hasActions || undefined}
              {...(isSortable ? { 'aria-sort': direction === null ? 'none' : ariaSorts[direction] } : {})}
            >
              {isSortable ? (
                <button type="button" className={classes.sort} onClick={() => onSort(nextSort(name, direction))}>
                  {label}
                  {direction === 'asc' && <IconArrowUp size={14} aria-hidden="true" />}
                  {direction === 'desc' && <IconArrowDown size={14} aria-hidden="true" />}
                </button>
              ) : (
                label
              )}
            </div>
          )
        })}
      </div>
    </div>
  )
}

const ariaSorts = { asc: 'ascending', desc: 'descending' } as const

/** Each press goes from unsorted to ascending, descending and back. */
function nextSort(column: string, direction: GridSort['direction'] | null): GridSort | null {
  if (direction === null) return { column, direction: 'asc' }
  return direction === 'asc' ? { column, direction: 'desc' } : null
}

interface GridRowProps<Row> {
  rowKey: string
  row: Row
  index: number
  columns: readonly GridColumn<Row>[]
  isActive: boolean
  isSelected: boolean
  canSelect: boolean
  isOpenable: boolean
  branch?: { level: number; isOpen: boolean | null }
  focusRef: RefObject<string | null>
  onFocus: () => void
  onToggle: (isRange: boolean) => void
  onOpen: () => void
}

function GridRow<Row>(props: GridRowProps<Row>) {
  const { rowKey, row, index, columns, isActive, isSelected, canSelect, isOpenable, branch, focusRef } = props
  const { onFocus, onToggle, onOpen } = props
  const t = useTranslations('grid')
  const element = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!isActive || focusRef.current !== rowKey) return
    focusRef.current = null
    element.current?.focus()
  })
  const openByClick = (event: MouseEvent): void => {
    const isOnControl = event.target instanceof Element && event.target.closest('a, button, input, label') !== null
    if (!isOnControl && window.getSelection()?.isCollapsed !== false) onOpen()
  }
  return (
    // A click on the row is a shortcut; the keyboard has Enter.
    <div
      ref={element}
      role="row"
      aria-rowindex={index + 2}
      {...(canSelect ? { 'aria-selected': isSelected } : {})}
      {...(branch === undefined ? {} : { 'aria-level': branch.level })}
      {...(typeof branch?.isOpen === 'boolean' ? { 'aria-expanded': branch.isOpen } : {})}
      tabIndex={isActive ? 0 : -1}
      data-grid-row={rowKey}
      data-openable={isOpenable || undefined}
      className={classes.row}
      onFocus={onFocus}
      {...(isOpenable ? { onClick: openByClick } : {})}
    >
      {canSelect && (
        <div role="gridcell" className={classes.check}>
          <input
            type="checkbox"
            tabIndex={-1}
            aria-label={t('select_row', { name: rowNameOf(columns, row) })}
            checked={isSelected}
            onClick={(event) => onToggle(event.shiftKey)}
            onChange={() => {}}
          />
        </div>
      )}
      {columns.map((column) => (
        <div
          key={column.name}
          role="gridcell"
          data-name={column.name}
          data-label={column.label}
          data-figure={column.isFigure || undefined}
          data-row-name={column.isRowName || undefined}
          data-actions={column.hasActions || undefined}
          className={classes.cell}
        >
          {column.cell(row)}
        </div>
      ))}
    </div>
  )
}

interface SumRowProps<Row> {
  columns: readonly GridColumn<Row>[]
  sum: GridSum<Row>
  canSelect: boolean
}

function SumRow<Row>({ columns, sum, canSelect }: SumRowProps<Row>) {
  return (
    <div role="row" data-sum="" className={`${classes.row} ${classes.sum}`}>
      {canSelect && <span aria-hidden="true" />}
      {columns.map((column, index) => (
        <div
          key={column.name}
          role={index === 0 ? 'rowheader' : 'gridcell'}
          data-name={column.name}
          data-label={column.label}
          data-figure={column.isFigure || undefined}
          data-row-name={index === 0 || undefined}
          className={classes.cell}
        >
          {sumCell(column, index, sum)}
        </div>
      ))}
    </div>
  )
}

function rowNameOf<Row>(columns: readonly GridColumn<Row>[], row: Row): string {
  return columns.find(({ isRowName }) => isRowName)?.text?.(row) ?? ''
}

/** The skeleton, the failure or the empty message, in place of rows. */
function Rest<Row>({ rows, error, onRetry, empty }: DataGridProps<Row>) {
  const common = useTranslations('common')
  const errorMessage = useErrorMessage()
  if (rows === undefined && error !== null) {
    return (
      <div className={classes.failure}>
        <Alert kind="bad">{errorMessage(error)}</Alert>
        <Button variant="default" onClick={onRetry}>
          {common('action.retry')}
        </Button>
      </div>
    )
  }
  if (rows === undefined) {
    return (
      <output className={classes.waiting} aria-label={common('loading')} data-testid="skeleton">
        {Array.from({ length: SKELETON_ROWS }, (_, index) => (
          <span key={index} className={classes.bone} />
        ))}
      </output>
    )
  }
  return rows.length === 0 ? empty : null
}
