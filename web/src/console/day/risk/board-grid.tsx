// The rows of a board are put where they belong one by one: to readers they are a grid by their roles. Its cells take the focus,
// one of them by Tab.
/* oxlint-disable jsx-a11y/prefer-tag-over-role, jsx-a11y/interactive-supports-focus */

import { betTypeByCode } from '@megalot/rules'
import type { BetTypeCode, NumberState } from '@megalot/rules'
import { memo, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { FocusEvent, KeyboardEvent, ReactNode } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { Virtualizer } from 'virtua'
import type { VirtualizerHandle } from 'virtua'
import { localizedName } from '../../../lib/i18n/localized-name.ts'
import { heatOf, slotInRow } from './board-rows.ts'
import type { BoardRow, BoardView } from './board-rows.ts'
import type { Measure } from './board-store.ts'
import { moveInGrid } from './grid-keys.ts'
import type { GridPlace } from './grid-keys.ts'
import { measureText } from './measure-text.ts'
import classes from './risk.module.css'
import { StateMark } from './state-mark.tsx'
import { useMeasures, useSlots } from './use-board.ts'
import type { Board } from './use-board.ts'

const ROW_PX = 40
const HEAD_PX = 40
const BUFFER_PX = 200
/** One object, so that rows of the list do not render again. */
const NO_COLUMNS: readonly BetTypeCode[] = []

/** Actions on a number of the board. */
export type NumberAction = 'open' | 'half' | 'closed' | 'quota' | 'tickets'

/** By the place of a key: a Thai keyboard has other letters there. */
const actionOfKey: Readonly<Record<string, NumberAction>> = {
  KeyO: 'open',
  KeyH: 'half',
  KeyC: 'closed',
  KeyQ: 'quota',
  KeyT: 'tickets',
}

/** The list shows those that the user may see. */
const listMeasures = ['stake', 'payout', 'quota', 'own_payout', 'lines'] as const satisfies readonly Measure[]
type ListMeasure = (typeof listMeasures)[number]

export interface BoardGridProps {
  board: Board
  view: BoardView
  rows: readonly BoardRow[]
  bet_types: readonly BetTypeCode[]
  /** The measure shown in a cell of the table. */
  measure: Measure
  /** The highest amount of each bet type, which the heat compares with. */
  most: Readonly<Partial<Record<BetTypeCode, number>>>
  /** Opens a number; a key also chooses the action. */
  onOpen: (slot: number, action: NumberAction | null) => void
}

/** Every number of a period: only the rows near the screen are drawn, and only those that change are drawn again. */
export function BoardGrid({ board, view, rows, bet_types, measure, most, onOpen }: BoardGridProps) {
  const t = useTranslations('risk')
  const language = useLocale()
  const columns: readonly BetTypeCode[] = view === 'table' ? bet_types : NO_COLUMNS
  const listed = useListed()
  const [place, setPlace] = useState<GridPlace>({ row: 0, column: 0 })
  const active = { row: Math.min(place.row, rows.length - 1), column: Math.min(place.column, columns.length - 1) }
  const virtualizer = useRef<VirtualizerHandle>(null)
  const scroller = useRef<HTMLDivElement>(null)
  /** Set by keys: the cell that takes the focus as soon as it is drawn. */
  const awaitsFocus = useRef(false)
  const onActive = useCallback((row: HTMLElement | null) => {
    if (!awaitsFocus.current || row === null) return
    awaitsFocus.current = false
    row.querySelector<HTMLElement>('[tabindex="0"]')?.focus()
  }, [])

  const slotAt = ({ row, column }: GridPlace): number | null => {
    const found = rows[row]
    if (found === undefined) return null
    return found.bet_type === null ? slotInRow(found.number, columns[column]!) : found.slots[0]!
  }
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const slot = slotAt(active)
    const action = actionOfKey[event.code]
    if (slot !== null && (event.key === 'Enter' || action !== undefined)) {
      event.preventDefault()
      onOpen(slot, action ?? null)
      return
    }
    const next = moveInGrid(active, event.key, { rows: rows.length, columns: Math.max(1, columns.length) })
    if (next === null) return
    event.preventDefault()
    setPlace(next)
    awaitsFocus.current = true
    virtualizer.current?.scrollToIndex(next.row, { align: 'nearest' })
  }
  const heads = view === 'table' ? columns.map((code) => localizedName(betTypeByCode[code], language)) : []
  return (
    <div ref={scroller} className={classes.scroller} data-view={view}>
      <div
        role="grid"
        aria-label={t('grid')}
        aria-rowcount={rows.length + 1}
        className={classes.grid}
        style={{ '--columns': columns.length, '--measures': listed.length } as object}
        onKeyDown={onKeyDown}
        data-testid="board"
      >
        <div role="rowgroup" className={classes.heads}>
          <div role="row" aria-rowindex={1} className={classes.row}>
            <div role="columnheader">{t('number')}</div>
            {heads.map((name) => (
              <div key={name} role="columnheader" data-figure>
                {name}
              </div>
            ))}
            {view === 'list' &&
              listed.map((one) => (
                <div key={one} role="columnheader" data-name={one} data-figure>
                  {t(`measure.${one}`)}
                </div>
              ))}
            {view === 'list' && <div role="columnheader">{t('state.title')}</div>}
          </div>
        </div>
        <div role="rowgroup" data-virtual-rows>
          <Virtualizer
            ref={virtualizer}
            scrollRef={scroller}
            startMargin={HEAD_PX}
            itemSize={ROW_PX}
            bufferSize={BUFFER_PX}
            data={rows}
          >
            {(row, index) => (
              <Row
                key={row.key}
                {...{ board, row, index, columns, listed, measure, most, onOpen, setPlace, onActive }}
                activeColumn={index === active.row ? Math.max(0, active.column) : null}
              />
            )}
          </Virtualizer>
        </div>
      </div>
    </div>
  )
}

function useListed(): readonly ListMeasure[] {
  const shown = useMeasures()
  return useMemo(() => listMeasures.filter((one) => shown.includes(one)), [shown])
}

interface RowProps extends Pick<BoardGridProps, 'board' | 'measure' | 'most' | 'onOpen'> {
  row: BoardRow
  index: number
  columns: readonly BetTypeCode[]
  /** The columns of the list. */
  listed: readonly ListMeasure[]
  /** The cell that the Tab key reaches; null: it is in another row. */
  activeColumn: number | null
  setPlace: (place: GridPlace) => void
  /** The row of the active cell was drawn. */
  onActive: (row: HTMLElement | null) => void
}

const Row = memo(function Row(props: RowProps) {
  const { board, row, index, columns, activeColumn, setPlace, onActive } = props
  useSlots(board.store, row.slots)
  const element = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (activeColumn !== null) onActive(element.current)
  })
  const onFocus = ({ target }: FocusEvent<HTMLElement>): void => {
    const column = Number(target.dataset['column'])
    if (Number.isInteger(column) && column !== activeColumn) setPlace({ row: index, column })
  }
  return (
    <div
      ref={element}
      role="row"
      aria-rowindex={index + 2}
      className={classes.row}
      data-number={row.number}
      onFocus={onFocus}
    >
      {row.bet_type === null ? (
        <>
          <div role="rowheader" className={classes.number}>
            {row.number}
          </div>
          {columns.map((bet_type, column) => (
            <TableCell key={bet_type} {...tableCellOf(props, bet_type)} {...{ bet_type, column }} />
          ))}
        </>
      ) : (
        <ListCells {...props} bet_type={row.bet_type} />
      )}
    </div>
  )
})

interface TableCellProps extends Pick<RowProps, 'measure' | 'onOpen'> {
  /** Null: the bet type has numbers of another length. */
  slot: number | null
  number: string
  bet_type: BetTypeCode
  column: number
  isActive: boolean
  amount: number
  heat: number
  state: NumberState | null
}

function tableCellOf(
  { board, row, columns, activeColumn, measure, most, onOpen }: RowProps,
  bet_type: BetTypeCode,
): Omit<TableCellProps, 'bet_type' | 'column'> {
  const slot = slotInRow(row.number, bet_type)
  const amount = slot === null ? 0 : board.store.read(slot, measure)
  return {
    slot,
    number: row.number,
    isActive: activeColumn !== null && columns[activeColumn] === bet_type,
    amount,
    heat: heatOf(amount, measure === 'quota' ? FULL_QUOTA : (most[bet_type] ?? 0)),
    state: (slot !== null && board.states.get(slot)) || null,
    measure,
    onOpen,
  }
}

/** Renders when something of it changes: a patch moves rows and changes some cells, and there are hundreds on a screen. */
const TableCell = memo(function TableCell(props: TableCellProps): ReactNode {
  const { slot, number, bet_type, column, isActive, amount, heat, state, measure, onOpen } = props
  const tabIndex = isActive ? 0 : -1
  if (slot === null)
    // An empty cell of a grid has nothing to say.
    // oxlint-disable-next-line jsx-a11y/control-has-associated-label
    return <div role="gridcell" className={classes.cell} data-blank data-column={column} tabIndex={tabIndex} />
  return (
    // A click is a shortcut for pointers; the grid has keys of its own.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
    <div
      role="gridcell"
      className={classes.cell}
      data-figure
      data-heat={heat || undefined}
      data-testid={`cell-${bet_type}-${number}`}
      data-column={column}
      tabIndex={tabIndex}
      onClick={() => onOpen(slot, null)}
    >
      <StateMark state={state} />
      {measureText(measure, amount)}
    </div>
  )
})

/** The whole quota in hundredths of a percent. */
const FULL_QUOTA = 10_000

interface ListCellsProps extends RowProps {
  bet_type: BetTypeCode
}

function ListCells({ board, row, listed, bet_type, measure, most, activeColumn, onOpen }: ListCellsProps): ReactNode {
  const language = useLocale()
  const slot = row.slots[0]!
  const open = (): void => onOpen(slot, null)
  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events */}
      <div
        role="gridcell"
        className={`${classes.cell} ${classes.bet}`}
        data-testid={`cell-${bet_type}-${row.number}`}
        data-column={0}
        tabIndex={activeColumn === 0 ? 0 : -1}
        onClick={open}
      >
        <span className={classes.number}>{row.number}</span>
        <span className={classes.type}>{localizedName(betTypeByCode[bet_type], language)}</span>
      </div>
      {listed.map((one) => {
        const amount = board.store.read(slot, one)
        const isCompared = one === 'payout' || one === 'quota'
        const heat = heatOf(amount, one === 'quota' ? FULL_QUOTA : measure === 'payout' ? (most[bet_type] ?? 0) : 0)
        return (
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
          <div
            key={one}
            role="gridcell"
            tabIndex={-1}
            className={classes.cell}
            data-name={one}
            data-figure
            data-heat={(isCompared && heat) || undefined}
            onClick={open}
          >
            {measureText(one, amount)}
          </div>
        )
      })}
      <div role="gridcell" className={classes.cell} data-name="state">
        <StateMark state={board.states.get(slot) ?? null} isWorded />
      </div>
    </>
  )
}
