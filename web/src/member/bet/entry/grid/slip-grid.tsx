import { useCallback, useMemo, useRef, useState } from 'react'
import type { ChangeEvent, ClipboardEvent, FocusEvent, KeyboardEvent } from 'react'
import { useTranslations } from 'use-intl'
import { findKeyAction } from '../../keys/key-bindings.ts'
import { announce } from '../../../../lib/feedback/announce.ts'
import { showToast } from '../../../../lib/feedback/toast.ts'
import type { Desk } from '../../desk.ts'
import { moveByKey, placeOfField } from './grid-keys.ts'
import type { CellPlace } from './grid-keys.ts'
import { PasteReport } from './paste-report.tsx'
import { MAX_PASTED_ROWS, pasteText } from './paste.ts'
import type { LineProblem } from './paste.ts'
import { QuickStakes } from '../quick-stakes.tsx'
import { amountColumns, betTypeOfCell, columnsOfMarket } from '../../slip/slip-columns.ts'
import type { Column } from '../../slip/slip-columns.ts'
import classes from './slip-grid.module.css'
import { BLOCK_ROWS, RowBlock, countBlocks } from './row-block.tsx'
import { useKeptFocus } from './use-kept-focus.ts'
import { reverseRow } from '../../slip/slip-lines.ts'
import { removeRow, setCell } from '../../slip/slip-rows.ts'
import { editRows, useDraft } from '../../slip/slip-store.ts'

/** Style A: a sheet of numbers and amounts, made for typing without looking for the next field. */
export function SlipGrid({ desk }: { desk: Desk }) {
  const t = useTranslations('bet.grid')
  const { store, slip, offered, isLocked } = desk
  const blocks = useDraft(store, ({ rows }) => countBlocks(rows))
  const lastPlace = useRef<CellPlace | null>(null)
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
      if (place !== null) change(place.row, place.column, currentTarget.value)
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

  /** Keys that do something with the row they are pressed in; all others move between the cells. */
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    const place = placeOfField(event.target)
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

  const grid = useRef<HTMLTableElement>(null)
  const kept = useKeptFocus(grid, store)
  const onFocus = (event: FocusEvent): void => {
    kept.onFocus(event)
    lastPlace.current = placeOfField(event.target) ?? lastPlace.current
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
        onBlur={kept.onBlur}
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
