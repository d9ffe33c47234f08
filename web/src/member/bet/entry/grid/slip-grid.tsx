import { useCallback, useMemo, useRef, useState } from 'react'
import type { ChangeEvent, ClipboardEvent, FocusEvent, KeyboardEvent } from 'react'
import { flushSync } from 'react-dom'
import { useTranslations } from 'use-intl'
import { findKeyAction } from '../../keys/key-bindings.ts'
import { announce } from '../../../../lib/feedback/announce.ts'
import { showToast } from '../../../../lib/feedback/toast.ts'
import type { Desk } from '../../desk.ts'
import { focusCell, isFirstAmount, moveByKey, placeOfField } from './grid-keys.ts'
import type { CellPlace } from './grid-keys.ts'
import { PasteReport } from './paste-report.tsx'
import { MAX_PASTED_ROWS, pasteText } from './paste.ts'
import type { LineProblem } from './paste.ts'
import { QuickStakes } from '../quick-stakes.tsx'
import { amountColumns, betTypeOfCell, columnsOfMarket } from '../../slip/slip-columns.ts'
import type { Column } from '../../slip/slip-columns.ts'
import classes from './slip-grid.module.css'
import { BLOCK_ROWS, RowBlock, countBlocks } from './row-block.tsx'
import { repeatAbove, spreadLine } from './typed-line.ts'
import { useKeptFocus } from './use-kept-focus.ts'
import { reverseRow } from '../../slip/slip-lines.ts'
import { removeRow, setCell } from '../../slip/slip-rows.ts'
import type { SlipRow } from '../../slip/slip-rows.ts'
import { editRows, useDraft } from '../../slip/slip-store.ts'

/** Style A: a sheet of numbers and amounts, made for typing without looking for the next field. */
export function SlipGrid({ desk }: { desk: Desk }) {
  const t = useTranslations('bet.grid')
  const { store, slip, offered, isLocked } = desk
  const blocks = useDraft(store, ({ rows }) => countBlocks(rows))
  const grid = useRef<HTMLTableElement>(null)
  const lastPlace = useRef<CellPlace | null>(null)
  /** The row whose number is being typed. */
  const typedNumber = useRef<number | null>(null)
  const [problems, setProblems] = useState<readonly LineProblem[]>([])
  const shown = useMemo(() => columnsOfMarket(offered), [offered])

  const change = useCallback(
    (index: number, column: Column, text: string) =>
      editRows(store, setCell(store.getState().rows, index, column, text), `${index} ${column}`),
    [store],
  )
  const onCellChange = useCallback(
    ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
      const place = placeOfField(currentTarget)
      if (place === null) return
      change(place.row, place.column, currentTarget.value)
      typedNumber.current = place.column === 'number' ? place.row : null
    },
    [change],
  )
  const remove = useCallback((id: number) => editRows(store, removeRow(store.getState().rows, id)), [store])
  const reverse = useCallback(
    (index: number) => {
      const reversed = reverseRow(store.getState().rows, index)
      if (reversed === null) return
      editRows(store, reversed)
      announce(t('reversed', { number: reversed[index + 1]?.number ?? '' }))
    },
    [store, t],
  )

  /** Spreads a line typed into a number cell. Returns how many rows it became, 0 where it is refused; null for a number. */
  const spread = ({ row, column }: CellPlace, say: (text: string) => void): number | null => {
    const line = column === 'number' && !isLocked ? spreadLine(store.getState().rows, row, shown, offered) : null
    if (line === null) return null
    const { problem } = line
    if (problem === 'too_many_rows' || problem === 'text_too_long')
      say(t(`paste.${problem}`, { most: MAX_PASTED_ROWS }))
    else if (problem !== null) say(t(`paste.reason.${problem}`))
    editRows(store, line.rows, `${row} number`)
    return line.taken
  }
  /** Enter and ↓ end a typed line, or repeat the amounts above, and lead to the next row. */
  const endRow = (event: KeyboardEvent<HTMLElement>, place: CellPlace): boolean => {
    const { key, shiftKey, altKey, ctrlKey, metaKey } = event
    if ((key !== 'Enter' && key !== 'ArrowDown') || shiftKey || altKey || event.nativeEvent.isComposing) return false
    let rows: readonly SlipRow[] | null = null
    let next = place.row + 1
    const taken = spread(place, (reason) => showToast('bad', reason))
    // Ctrl+Enter sends the slip, with the line.
    if (ctrlKey || metaKey) return false
    if (taken === 0) return true
    if (taken !== null) next = place.row + taken
    else if (
      key === 'Enter' ? isFirstAmount(event.target) : place.column === 'number' && typedNumber.current === place.row
    )
      rows = isLocked ? null : repeatAbove(store.getState().rows, place.row, offered)
    if (taken === null && rows === null) return false
    flushSync(() => rows !== null && editRows(store, rows))
    focusCell(event.currentTarget, { row: next, column: 'number' })
    return true
  }

  /** Keys that do something with the row they are pressed in; all others move between the cells. */
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    const place = placeOfField(event.target)
    if (place !== null && endRow(event, place)) {
      event.preventDefault()
      return
    }
    const row = place === null ? undefined : store.getState().rows[place.row]
    const action = findKeyAction('grid', event.nativeEvent)
    if (row === undefined || isLocked || action === null) {
      if (moveByKey(event.currentTarget, event)) event.preventDefault()
      return
    }
    event.preventDefault()
    if (action === 'reverse') reverse(place!.row)
    else remove(row.id)
  }

  const kept = useKeptFocus(grid, store)
  const onFocus = (event: FocusEvent): void => {
    kept.onFocus(event)
    lastPlace.current = placeOfField(event.target) ?? lastPlace.current
    typedNumber.current = null
  }
  const onBlur = ({ target }: FocusEvent): void => {
    kept.onBlur()
    const place = placeOfField(target)
    // What is wrong with a line that cannot be read stands beside its row.
    if (place !== null) spread(place, () => {})
  }
  const onPaste = (event: ClipboardEvent): void => {
    const place = placeOfField(event.target)
    if (place === null || isLocked) return
    const pasted = pasteText(store.getState().rows, place, event.clipboardData.getData('text'), shown, offered)
    if (pasted === null) return
    event.preventDefault()
    if (pasted.problem !== null) {
      showToast('bad', t(`paste.${pasted.problem}`, { most: MAX_PASTED_ROWS }))
      return
    }
    if (pasted.taken > 0) editRows(store, pasted.rows)
    setProblems(pasted.problems)
    const dropped = pasted.problems.filter(({ code }) => code === 'letters').length
    const wrong = pasted.problems.length - dropped
    const parts = [
      t('paste.taken', { rows: pasted.taken }),
      ...(dropped > 0 ? [t('paste.dropped', { lines: dropped })] : []),
      ...(wrong > 0 ? [t('paste.wrong', { lines: wrong })] : []),
    ]
    showToast(pasted.problems.length > 0 ? 'bad' : 'plain', parts.join(' · '))
  }

  /** A quick stake goes into the cell last used, or into the first one of its row that takes an amount. */
  const stake = (baht: number): void => {
    const place = lastPlace.current ?? { row: 0, column: 'number' }
    const { number } = store.getState().rows[place.row] ?? { number: '' }
    const column =
      place.column === 'number'
        ? amountColumns.find((one) => betTypeOfCell(number, one, offered) !== null)
        : place.column
    if (column !== undefined) change(place.row, column, String(baht))
  }

  return (
    <div className={classes.sheet} style={{ '--amounts': shown.length } as Record<string, number>}>
      {/* Keys are caught for all fields at once: the table itself takes none. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
      <table
        ref={grid}
        aria-label={t('label')}
        className={classes.grid}
        onKeyDown={onKeyDown}
        onFocus={onFocus}
        onBlur={onBlur}
        onPaste={onPaste}
      >
        <thead className={classes.headGroup}>
          <tr className={classes.head}>
            <th scope="col" className={classes.rowHead}>
              <span className="visually-hidden">{t('column.row')}</span>
            </th>
            {(['number', ...shown] as const).map((column) => (
              <th key={column} scope="col">
                {t(`column.${column}`)}
              </th>
            ))}
            <th scope="col" className={classes.stateHead}>
              {t('column.state')}
            </th>
            <th scope="col" className={classes.reverseCell}>
              <span className="visually-hidden">{t('reverse_short')}</span>
            </th>
            <th scope="col">
              <span className="visually-hidden">{t('column.remove')}</span>
            </th>
          </tr>
        </thead>
        {Array.from({ length: blocks }, (_, at) => (
          <RowBlock
            key={at}
            store={store}
            slip={slip}
            start={at * BLOCK_ROWS}
            shown={shown}
            offered={offered}
            isLocked={isLocked}
            onChange={onCellChange}
            onRemove={remove}
            onReverse={reverse}
          />
        ))}
      </table>
      {problems.length > 0 && <PasteReport problems={problems} onRead={() => setProblems([])} />}
      <div className={classes.quick}>
        <QuickStakes onStake={stake} isLocked={isLocked} />
      </div>
    </div>
  )
}
