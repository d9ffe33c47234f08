// A dense list of the console. Virtual rows are positioned one by one, so the markup is a grid by its roles, not a table.
// The keyboard focus moves by rows.
/* oxlint-disable jsx-a11y/prefer-tag-over-role */

import IconArrowDown from '~icons/arrow-down'
import IconArrowUp from '~icons/arrow-up'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { MouseEvent, PointerEvent as ReactPointerEvent, ReactNode, RefObject } from 'react'
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
  /** Sums of all rows, above the others, even while some rows are not loaded. */
  sums?: readonly GridSum<Row>[]
  /** Shown where the list has no rows. */
  empty: ReactNode
  /** Opens a row, by Enter or a click on it. */
  onOpen?: (row: Row) => void
  /** A key pressed on a row. @returns whether the key has a meaning there */
  onRowKey?: (row: Row, key: string) => boolean
  /** The row's level in a tree, from 1, and whether its branch is open; null for a row without a branch. */
  branchOf?: (row: Row) => { level: number; isOpen: boolean | null }
  /**
   * Actions on the selected rows. Without it, rows cannot be selected. With `allFound`, `isAll` says that all rows are
   * selected, even those that are not loaded.
   */
  bulkActions?: (rows: readonly Row[], clear: () => void, isAll: boolean) => ReactNode
  /** Offers the selection of all rows. `filter` names what was found: with another one nothing stays selected. */
  allFound?: { filter: string; label: string; selected: string }
  /** The row on a phone, in place of its cells. */
  phoneRow?: (row: Row) => ReactNode
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
  const { onRowKey, branchOf, sums = [], allFound, phoneRow } = props
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
  const [foundAll, setFoundAll] = useState<string | null>(null)
  const isAll = foundAll !== null && foundAll === allFound?.filter && selectedRows.length > 0
  const selectRows = (selected: ReadonlySet<string>): void => {
    setFoundAll(null)
    select((now) => ({ ...now, selected }))
  }
  const isEverySelected = rows.length > 0 && selectedRows.length === rows.length
  const selectedText = isAll ? allFound.selected : t('selected', { count: selectedRows.length })
  return (
    <section className={classes.frame} aria-label={label} tabIndex={-1} data-grid-frame>
      <DataGridBar {...props} shown={shown} count={rows.length} hasMore={more?.hasMore ?? false} />
      {selectedRows.length > 0 && (
        <div className={classes.bulk} role="toolbar" aria-label={selectedText}>
          <strong>{selectedText}</strong>
          <button type="button" className={classes.allFound} onClick={() => selectRows(new Set())}>
            {t('unselect')}
          </button>
          {allFound !== undefined && !isAll && (total ?? 0) > selectedRows.length && (
            <button
              type="button"
              className={classes.allFound}
              onClick={() => {
                selectRows(new Set(keys))
                setFoundAll(allFound.filter)
              }}
            >
              {allFound.label}
            </button>
          )}
          {bulkActions?.(selectedRows, () => selectRows(new Set()), isAll)}
        </div>
      )}
      <div
        role={branchOf === undefined ? 'grid' : 'treegrid'}
        aria-label={label}
        aria-rowcount={total === undefined ? -1 : total + 1}
        aria-multiselectable={canSelect || undefined}
        aria-busy={props.rows === undefined}
        data-empty={rows.length === 0 || undefined}
        data-selecting={selectedRows.length > 0 || undefined}
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
        <Heads
          ref={heads}
          columns={shown}
          sort={sort}
          onSort={onSort}
          {...(canSelect
            ? {
                selection: isEverySelected ? 'all' : selectedRows.length > 0 ? 'some' : 'none',
                onSelectAll: () => selectRows(new Set(isEverySelected ? [] : keys)),
              }
            : {})}
        />
        {/* Wide lists scroll sideways here. The sticky head is outside and follows. */}
        <div
          role="rowgroup"
          className={classes.body}
          onScroll={({ currentTarget }) => heads.current?.scrollTo({ left: currentTarget.scrollLeft })}
        >
          <div className={classes.rows} data-virtual-rows>
            {rows.length > 0 &&
              sums.map((sum) => <SumRow key={sum.label} columns={shown} sum={sum} canSelect={canSelect} />)}
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
                    {...(phoneRow === undefined ? {} : { phoneRow: phoneRow(row) })}
                    isSelecting={selectedRows.length > 0}
                    onToggle={(isRange) => {
                      setFoundAll(null)
                      select(toggleRow(selection, keys, index, isRange))
                    }}
                    onOpen={() => {
                      select(activateRow(selection, keys, index))
                      onOpen?.(row)
                    }}
                  />
                )
              }}
            </WindowVirtualizer>
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
  sort: GridSort | null
  onSort: (sort: GridSort | null) => void
  /** Of the loaded rows; absent where rows cannot be selected. */
  selection?: 'all' | 'some' | 'none'
  onSelectAll?: () => void
}

function Heads<Row>({ ref, columns, sort, onSort, selection, onSelectAll }: HeadsProps<Row>) {
  const t = useTranslations('grid')
  return (
    <div ref={ref} role="rowgroup" className={classes.heads}>
      <div role="row" aria-rowindex={1} className={`${classes.row} ${classes.head}`}>
        {selection !== undefined && (
          <div role="columnheader" className={classes.check}>
            <input
              ref={(box) => {
                if (box !== null) box.indeterminate = selection === 'some'
              }}
              type="checkbox"
              aria-label={t('select_loaded')}
              checked={selection === 'all'}
              onChange={onSelectAll}
            />
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
  phoneRow?: ReactNode
  /** Any row is selected: a tap selects. */
  isSelecting: boolean
  focusRef: RefObject<string | null>
  onFocus: () => void
  onToggle: (isRange: boolean) => void
  onOpen: () => void
}

function GridRow<Row>(props: GridRowProps<Row>) {
  const { rowKey, row, index, columns, isActive, isSelected, canSelect, isOpenable, branch, focusRef } = props
  const { onFocus, onToggle, onOpen, phoneRow, isSelecting } = props
  const t = useTranslations('grid')
  const element = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!isActive || focusRef.current !== rowKey) return
    focusRef.current = null
    element.current?.focus()
  })
  const longPress = useLongPress(() => canSelect && onToggle(false))
  const openByClick = (event: MouseEvent): void => {
    if (longPress.endsWithClick()) return
    if (isSelecting && phoneRow !== undefined && pointerTypeOf(event.nativeEvent) === 'touch') {
      onToggle(false)
      return
    }
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
      data-phone={phoneRow !== undefined || undefined}
      className={classes.row}
      onFocus={onFocus}
      {...(canSelect ? longPress.handlers : {})}
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
      {phoneRow !== undefined && (
        <div role="gridcell" className={classes.phone}>
          {phoneRow}
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

/** A click is a pointer event in all browsers but old ones. */
function pointerTypeOf(event: Event): string {
  return 'pointerType' in event ? String(event.pointerType) : 'mouse'
}

const LONG_PRESS_MS = 450
const STILL_PX = 10

/** Calls back when a finger rests on an element. The click at its end means nothing more. */
function useLongPress(onLongPress: () => void) {
  const press = useRef<{ timer: ReturnType<typeof setTimeout>; x: number; y: number } | null>(null)
  const isPressed = useRef(false)
  const cancel = (): void => {
    clearTimeout(press.current?.timer)
    press.current = null
  }
  useEffect(() => () => clearTimeout(press.current?.timer), [])
  const handlers = {
    onPointerDown: ({ pointerType, clientX: x, clientY: y }: ReactPointerEvent) => {
      isPressed.current = false
      if (pointerType !== 'touch') return
      const timer = setTimeout(() => {
        isPressed.current = true
        onLongPress()
      }, LONG_PRESS_MS)
      press.current = { timer, x, y }
    },
    onPointerMove: ({ clientX, clientY }: ReactPointerEvent) => {
      const { x, y } = press.current ?? { x: clientX, y: clientY }
      if (Math.hypot(clientX - x, clientY - y) > STILL_PX) cancel()
    },
    onPointerUp: cancel,
    onPointerCancel: cancel,
    // The menu of the browser would come over the selection.
    onContextMenu: (event: MouseEvent) => {
      if (press.current !== null || isPressed.current) event.preventDefault()
    },
  }
  const endsWithClick = (): boolean => {
    const isEnd = isPressed.current
    isPressed.current = false
    return isEnd
  }
  return { handlers, endsWithClick }
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
