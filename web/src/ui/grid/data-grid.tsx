// Rows are put where they belong one by one, so they cannot be rows of an HTML table: to readers they are a grid by their
// roles. The focus of the keyboard is a row's.
/* oxlint-disable jsx-a11y/prefer-tag-over-role */

import IconArrowDown from '~icons/arrow-down'
import IconArrowUp from '~icons/arrow-up'
import { columnVisibilityFeature, rowSortingFeature, tableFeatures, useTable } from '@tanstack/react-table'
import type { Column, ColumnDef, Row as TableRow } from '@tanstack/react-table'
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
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
import type { GridColumn, GridSort, GridSum, GridView } from './grid-column.ts'
import { activateRow, toggleRow } from './grid-selection.ts'
import { useGridFocus } from './use-grid-focus.ts'

/** How much beyond the screen is drawn. */
const BUFFER_PX = 500
const ROW_PX = 41
const SKELETON_ROWS = 12

/**
 * The measured heights of the rows of each list, by its label, from when it was last shown. On a phone a card is many times as high as
 * the estimate: without them the page is too short for its scroll position when somebody comes back to the list.
 */
const heightsOfLists = new Map<string, CacheSnapshot>()

interface DataGridProps<Row> {
  label: string
  columns: readonly GridColumn<Row>[]
  /** Undefined: not there yet. */
  rows: readonly Row[] | undefined
  keyOf: (row: Row) => string
  error: Error | null
  onRetry: () => void
  /** How many rows there are in all, where that is known. */
  total?: number
  /** Rows of sums under the others, of all rows also where not all of them are here yet. */
  sums?: readonly GridSum<Row>[]
  /** What is said where there are no rows. */
  empty: ReactNode
  sort: GridSort | null
  onSort: (sort: GridSort | null) => void
  shownColumns: readonly string[]
  onShowColumns: (names: readonly string[]) => void
  views: readonly GridView[]
  onSaveView: (name: string) => void
  onOpenView: (view: GridView) => void
  onRemoveView: (view: GridView) => void
  /** Opens a row, by Enter or a click on it. */
  onOpen?: (row: Row) => void
  /** A key that is pressed on a row. @returns whether it means something there */
  onRowKey?: (row: Row, key: string) => boolean
  /** Where a row stands in a tree, from 1, and whether those below it are shown; null: there are none. */
  branchOf?: (row: Row) => { level: number; isOpen: boolean | null }
  /** What can be done with the rows that are selected; without it rows are not selected. */
  bulkActions?: (rows: readonly Row[], clear: () => void) => ReactNode
  /** In place of the button that saves what is shown as CSV. */
  fileTools?: ReactNode
  /** Filters, beside the grid's own tools. */
  children?: ReactNode
  /** Where the rows come in parts: a button below the last one asks for more. */
  more?: LoadMoreProps
}

const features = tableFeatures({ columnVisibilityFeature, rowSortingFeature })
type Features = typeof features
type GridRowModel<Row extends object> = TableRow<Features, Row>
type GridColumnModel<Row extends object> = Column<Features, Row>

function columnDefsOf<Row extends object>(columns: readonly GridColumn<Row>[]): ColumnDef<Features, Row>[] {
  return columns.map(({ name, isSortable, isRowName }) => ({
    id: name,
    accessorFn: (row: Row) => row,
    enableSorting: isSortable === true,
    enableHiding: isRowName !== true,
  }))
}

/**
 * A dense list for people who work with it all day: sorted and filtered by whoever gives the rows, with columns to choose,
 * saved views, selection by keyboard, a head that stays, and what is shown as CSV. On a phone each row is a card. It is
 * given everything; where its state is kept is the page's business.
 */
export function DataGrid<Row extends object>(props: DataGridProps<Row>) {
  const { label, columns, rows, keyOf, sort, onSort, shownColumns, onOpen, bulkActions, more, total } = props
  const { onRowKey, branchOf, sums = [] } = props
  const t = useTranslations('grid')
  const defs = useMemo(() => columnDefsOf(columns), [columns])
  const data = useMemo(() => [...(rows ?? [])], [rows])
  const table = useTable({
    features,
    columns: defs,
    data,
    getRowId: keyOf,
    manualSorting: true,
    state: {
      sorting: sort === null ? [] : [{ id: sort.column, desc: sort.direction === 'desc' }],
      columnVisibility: Object.fromEntries(columns.map(({ name }) => [name, shownColumns.includes(name)])),
    },
  })
  const heads = useRef<HTMLDivElement>(null)
  const models = table.getRowModel().rows
  const keys = useMemo(() => models.map(({ id }) => id), [models])
  const visible = table.getVisibleLeafColumns()
  const byName = useMemo(() => new Map(columns.map((column) => [column.name, column])), [columns])
  const shown = visible.flatMap(({ id }) => byName.get(id) ?? [])
  const canSelect = bulkActions !== undefined
  const tracks = [...(canSelect ? ['2.25rem'] : []), ...shown.map(({ width }) => width ?? 'minmax(6rem, 1fr)')]
  const onKeyOfRow = (rowKey: string, key: string): boolean => {
    const row = models.find(({ id }) => id === rowKey)?.original
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
  const heights = useRowHeights(label, virtualizer)
  const selectedRows = models.filter(({ id }) => selection.selected.has(id)).map(({ original }) => original)
  return (
    <section className={classes.frame} aria-label={label} tabIndex={-1} data-grid-frame>
      <DataGridBar {...props} shown={shown} rows={rows} count={keys.length} hasMore={more?.hasMore ?? false} />
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
        aria-busy={rows === undefined}
        data-empty={keys.length === 0 || undefined}
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
        <Heads ref={heads} columns={visible} byName={byName} canSelect={canSelect} sort={sort} onSort={onSort} />
        {/* Columns that are too many scroll here, and take the head along: it stays on top of the page by itself. */}
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
              data={models}
            >
              {(model, index) => (
                <GridRow
                  key={model.id}
                  model={model}
                  index={index}
                  columns={shown}
                  isActive={index === activeIndex}
                  isSelected={selection.selected.has(model.id)}
                  canSelect={canSelect}
                  isOpenable={onOpen !== undefined}
                  {...(branchOf === undefined ? {} : { branch: branchOf(model.original) })}
                  focusRef={focusRef}
                  onFocus={() =>
                    model.id !== selection.active && select({ ...selection, active: model.id, lastIndex: index })
                  }
                  onToggle={(isRange) => select(toggleRow(selection, keys, index, isRange))}
                  onOpen={() => {
                    select(activateRow(selection, keys, index))
                    onOpen?.(model.original)
                  }}
                />
              )}
            </WindowVirtualizer>
            {keys.length > 0 &&
              sums.map((sum) => <SumRow key={sum.label} columns={shown} sum={sum} canSelect={canSelect} />)}
          </div>
        </div>
      </div>
      <Rest {...props} count={keys.length} />
      {more !== undefined && <LoadMore {...more} />}
    </section>
  )
}

/** The least widths of the columns together, in rem: rows are positioned one by one, so none of them widens the list. */
function leastRemOf(tracks: readonly string[]): number {
  return tracks.map((track) => Number(/([\d.]+)rem/.exec(track)?.[1] ?? 0)).reduce((sum, rem) => sum + rem, 0)
}

/** The heights that the rows had when the list was last shown; those of now are saved when it goes. */
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

interface HeadsProps<Row extends object> {
  ref: RefObject<HTMLDivElement | null>
  columns: readonly GridColumnModel<Row>[]
  byName: ReadonlyMap<string, GridColumn<Row>>
  canSelect: boolean
  sort: GridSort | null
  onSort: (sort: GridSort | null) => void
}

function Heads<Row extends object>({ ref, columns, byName, canSelect, sort, onSort }: HeadsProps<Row>) {
  const t = useTranslations('grid')
  return (
    <div ref={ref} role="rowgroup" className={classes.heads}>
      <div role="row" aria-rowindex={1} className={`${classes.row} ${classes.head}`}>
        {canSelect && (
          <div role="columnheader">
            <span className="visually-hidden">{t('selection')}</span>
          </div>
        )}
        {columns.map((model) => {
          const { label = model.id, isFigure, hasActions } = byName.get(model.id) ?? {}
          const direction = sort?.column === model.id ? sort.direction : null
          return (
            <div
              key={model.id}
              role="columnheader"
              data-figure={isFigure || undefined}
              data-actions={hasActions || undefined}
              {...(model.getCanSort()
                ? { 'aria-sort': direction === null ? 'none' : direction === 'asc' ? 'ascending' : 'descending' }
                : {})}
            >
              {model.getCanSort() ? (
                <button type="button" className={classes.sort} onClick={() => onSort(nextSort(model.id, direction))}>
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

/** Ascending, descending, and then as it comes. */
function nextSort(column: string, direction: GridSort['direction'] | null): GridSort | null {
  if (direction === null) return { column, direction: 'asc' }
  return direction === 'asc' ? { column, direction: 'desc' } : null
}

interface GridRowProps<Row extends object> {
  model: GridRowModel<Row>
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

function GridRow<Row extends object>(props: GridRowProps<Row>) {
  const { model, index, columns, isActive, isSelected, canSelect, isOpenable, branch, focusRef } = props
  const { onFocus, onToggle, onOpen } = props
  const t = useTranslations('grid')
  const row = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!isActive || focusRef.current !== model.id) return
    focusRef.current = null
    row.current?.focus()
  })
  const openByClick = (event: MouseEvent): void => {
    const isOfOwn = event.target instanceof Element && event.target.closest('a, button, input, label') !== null
    if (!isOfOwn && window.getSelection()?.isCollapsed !== false) onOpen()
  }
  return (
    // A click on the row is a shortcut for pointers; the keyboard has Enter.
    <div
      ref={row}
      role="row"
      aria-rowindex={index + 2}
      {...(canSelect ? { 'aria-selected': isSelected } : {})}
      {...(branch === undefined ? {} : { 'aria-level': branch.level })}
      {...(typeof branch?.isOpen === 'boolean' ? { 'aria-expanded': branch.isOpen } : {})}
      tabIndex={isActive ? 0 : -1}
      data-grid-row={model.id}
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
            aria-label={t('select_row', { name: rowNameOf(columns, model.original) })}
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
          {column.cell(model.original)}
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

/** What stands in place of rows: the skeleton, the failure, or that there are none. */
function Rest<Row extends object>({ rows, error, onRetry, empty, count }: DataGridProps<Row> & { count: number }) {
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
  return count === 0 ? empty : null
}
