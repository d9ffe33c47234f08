import type { BetTypeCode } from '@megalot/rules'
import { useCallback, useMemo, useRef, useState } from 'react'
import type { ClipboardEvent, FocusEvent, KeyboardEvent } from 'react'
import { useTranslations } from 'use-intl'
import { showToast } from '../../lib/toast.ts'
import { moveByKey, placeOfField } from './grid-keys.ts'
import type { CellPlace } from './grid-keys.ts'
import { PasteReport } from './paste-report.tsx'
import { MAX_PASTED_ROWS, pasteText } from './paste.ts'
import type { LineTrouble } from './paste.ts'
import { QuickStakes } from './quick-stakes.tsx'
import type { RowState } from './slip-check.ts'
import { amountColumns, betTypeOfCell, columnsOfMarket } from './slip-columns.ts'
import type { Column } from './slip-columns.ts'
import classes from './slip-grid.module.css'
import { SlipRowView } from './slip-row.tsx'
import { removeRow, setCell } from './slip-rows.ts'
import type { SlipRow } from './slip-rows.ts'
import { changeDraft } from './slip-store.ts'
import type { SlipStore } from './slip-store.ts'

interface SlipGridProps {
  store: SlipStore
  rows: readonly SlipRow[]
  states: readonly RowState[]
  offered: readonly BetTypeCode[]
  isLocked: boolean
}

const EMPTY: RowState = { kind: 'empty', problem: null, satang: 0, columns: '' }

function onKeyDown(event: KeyboardEvent<HTMLElement>): void {
  if (moveByKey(event.currentTarget, event)) event.preventDefault()
}

/** Style A: a sheet of numbers and amounts, made for typing without looking for the next field. */
export function SlipGrid({ store, rows, states, offered, isLocked }: SlipGridProps) {
  const t = useTranslations('bet.grid')
  const lastPlace = useRef<CellPlace | null>(null)
  const [troubles, setTroubles] = useState<readonly LineTrouble[]>([])
  const shown = useMemo(() => columnsOfMarket(offered), [offered])

  const change = useCallback(
    (index: number, column: Column, text: string) =>
      changeDraft(store, { rows: setCell(store.getState().rows, index, column, text) }),
    [store],
  )
  const remove = useCallback(
    (id: number) => changeDraft(store, { rows: removeRow(store.getState().rows, id) }),
    [store],
  )

  const onFocus = (event: FocusEvent): void => {
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
    if (pasted.taken > 0) changeDraft(store, { rows: pasted.rows })
    setTroubles(pasted.troubles)
    const dropped = pasted.troubles.filter(({ code }) => code === 'letters').length
    const wrong = pasted.troubles.length - dropped
    const parts = [
      t('paste.taken', { rows: pasted.taken }),
      ...(dropped > 0 ? [t('paste.dropped', { lines: dropped })] : []),
      ...(wrong > 0 ? [t('paste.wrong', { lines: wrong })] : []),
    ]
    showToast(pasted.troubles.length > 0 ? 'bad' : 'plain', parts.join(' · '))
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
      <table aria-label={t('label')} className={classes.grid} onKeyDown={onKeyDown} onFocus={onFocus} onPaste={onPaste}>
        <thead className={classes.block}>
          <tr className={classes.head}>
            {(['number', ...shown] as const).map((column) => (
              <th key={column} scope="col">
                {t(`column.${column}`)}
              </th>
            ))}
            <th scope="col" className={classes.stateHead}>
              {t('column.state')}
            </th>
            <th scope="col">
              <span className="visually-hidden">{t('column.remove')}</span>
            </th>
          </tr>
        </thead>
        <tbody className={classes.block}>
          {rows.map((row, index) => (
            <SlipRowView
              key={row.id}
              index={index}
              row={row}
              state={states[index] ?? EMPTY}
              shown={shown}
              offered={offered}
              isLocked={isLocked}
              onChange={change}
              onRemove={remove}
            />
          ))}
        </tbody>
      </table>
      {troubles.length > 0 && <PasteReport troubles={troubles} onRead={() => setTroubles([])} />}
      <QuickStakes onStake={stake} isLocked={isLocked} />
    </div>
  )
}
