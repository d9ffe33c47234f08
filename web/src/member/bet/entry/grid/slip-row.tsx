import IconAlertTriangle from '~icons/alert-triangle'
import IconArrowsExchange from '~icons/arrows-exchange'
import IconCircleCheck from '~icons/circle-check'
import IconPencil from '~icons/pencil'
import IconX from '~icons/x'
import type { BetTypeCode } from '@megalot/rules'
import { memo } from 'react'
import type { ChangeEvent } from 'react'
import { useTranslations } from 'use-intl'
import { formatBaht, formatWholeBaht } from '../../../../lib/format/money.ts'
import { ProblemSign } from '../../board/number-mark.tsx'
import { readNumber } from '../../slip/cell-text.ts'
import { isSameRowState } from '../../slip/row-check.ts'
import type { RowState } from '../../slip/row-check.ts'
import { betTypeOfCell } from '../../slip/slip-columns.ts'
import type { AmountColumn, Column } from '../../slip/slip-columns.ts'
import { canReverse } from '../../slip/slip-lines.ts'
import classes from './slip-grid.module.css'
import type { SlipRow } from '../../slip/slip-rows.ts'

interface SlipRowProps {
  index: number
  row: SlipRow
  /** The row above, if its amounts can be repeated. */
  above: SlipRow | null
  state: RowState
  shown: readonly AmountColumn[]
  /** Bet types that the market offers and the package has switched on. */
  offered: readonly BetTypeCode[]
  isLocked: boolean
  /** Of every cell: the field says which. */
  onChange: (event: ChangeEvent<HTMLInputElement>) => void
  onRemove: (id: number) => void
  onReverse: (index: number) => void
}

export const SlipRowView = memo(
  function SlipRowView({
    index,
    row,
    above,
    state,
    shown,
    offered,
    isLocked,
    onChange,
    onRemove,
    onReverse,
  }: SlipRowProps) {
    const badColumns = state.kind === 'bad' ? state.columns.split(' ') : []
    // Beside a number that is missing or cannot be read the amounts stay in sight: they are not gone, they wait for it.
    const isNumberOpen = (readNumber(row.number) ?? '') === ''
    const stateId = `row-state-${row.id}`
    const cell = (column: Column, applies: boolean) => (
      <Cell
        key={column}
        index={index}
        column={column}
        text={applies || isNumberOpen ? row[column] : ''}
        hint={applies && column !== 'number' ? above?.[column] : undefined}
        isBad={badColumns.includes(column)}
        isDisabled={!applies || isLocked}
        stateId={stateId}
        onChange={onChange}
      />
    )
    return (
      <tr className={classes.row} data-kind={state.kind}>
        <td className={classes.rowHead}>{index + 1}</td>
        {cell('number', true)}
        {shown.map((column) => cell(column, betTypeOfCell(row.number, column, offered) !== null))}
        <td id={stateId} className={classes.state} data-kind={state.kind}>
          <RowStateText state={state} />
        </td>
        <RowButtons
          index={index}
          id={row.id}
          canReverse={canReverse(row)}
          canRemove={state.kind !== 'empty'}
          isLocked={isLocked}
          onRemove={onRemove}
          onReverse={onReverse}
        />
      </tr>
    )
  },
  (before, after) =>
    before.index === after.index &&
    before.row === after.row &&
    before.above === after.above &&
    before.shown === after.shown &&
    before.offered === after.offered &&
    before.isLocked === after.isLocked &&
    before.onChange === after.onChange &&
    before.onRemove === after.onRemove &&
    before.onReverse === after.onReverse &&
    isSameRowState(before.state, after.state),
)

interface CellProps {
  index: number
  column: Column
  text: string
  /** The amount of the row above, which Enter repeats. */
  hint: string | undefined
  isBad: boolean
  isDisabled: boolean
  stateId: string
  onChange: (event: ChangeEvent<HTMLInputElement>) => void
}

const Cell = memo(function Cell({ index, column, text, hint, isBad, isDisabled, stateId, onChange }: CellProps) {
  const t = useTranslations('bet.grid')
  return (
    <td className={classes.cell}>
      <input
        className={classes.input}
        data-row={index}
        data-column={column}
        data-testid={`cell-${index}-${column}`}
        aria-label={t('cell', { row: String(index + 1), column: t(`column.${column}`) })}
        aria-describedby={stateId}
        aria-invalid={isBad || undefined}
        data-long={lengthOf(text)}
        inputMode="numeric"
        enterKeyHint="next"
        autoComplete="off"
        placeholder={hint}
        value={text}
        disabled={isDisabled}
        onChange={onChange}
      />
    </td>
  )
})

interface RowButtonsProps {
  index: number
  id: number
  canReverse: boolean
  canRemove: boolean
  isLocked: boolean
  onRemove: (id: number) => void
  onReverse: (index: number) => void
}

const RowButtons = memo(function RowButtons(props: RowButtonsProps) {
  const { index, id, isLocked, onRemove, onReverse } = props
  const t = useTranslations('bet.grid')
  return (
    <>
      <td className={classes.reverseCell}>
        {props.canReverse && (
          <button
            type="button"
            className={classes.remove}
            tabIndex={-1}
            aria-label={t('reverse', { row: String(index + 1) })}
            title={t('reverse_short')}
            disabled={isLocked}
            onClick={() => onReverse(index)}
          >
            <IconArrowsExchange size={18} stroke={1.75} />
          </button>
        )}
      </td>
      <td className={classes.removeCell}>
        {props.canRemove && (
          <button
            type="button"
            className={classes.remove}
            tabIndex={-1}
            aria-label={t('remove', { row: String(index + 1) })}
            disabled={isLocked}
            onClick={() => onRemove(id)}
          >
            <IconX size={20} stroke={1.75} />
          </button>
        )}
      </td>
    </>
  )
})

/** How small a text must be written to show whole in a narrow cell. */
function lengthOf(text: string): 'long' | 'very' | undefined {
  if (text.length > 5) return 'very'
  return text.length > 4 ? 'long' : undefined
}

const stateIcons = {
  no_amount: IconPencil,
  no_number: IconPencil,
  good: IconCircleCheck,
  warn: IconAlertTriangle,
  bad: IconAlertTriangle,
}

function RowStateText({ state }: { state: RowState }) {
  const t = useTranslations('bet')
  if (state.kind === 'empty') return null
  const Icon = stateIcons[state.kind]
  return (
    <>
      {state.problem === null ? (
        <Icon size={17} stroke={1.75} aria-hidden="true" className={classes.stateIcon} />
      ) : (
        <ProblemSign problem={state.problem} size={17} className={classes.stateIcon} />
      )}
      <span>
        {(state.kind === 'no_amount' || state.kind === 'no_number') && t(`grid.${state.kind}`)}
        {state.kind === 'good' && t('grid.good', { net: formatBaht(state.satang) })}
        {state.problem !== null && t(`problem.${state.problem}`, { limit: formatWholeBaht(state.satang) })}
        {state.room_satang !== null && state.problem === null && (
          <span className={classes.room}>{t('grid.room', { room: formatWholeBaht(state.room_satang) })}</span>
        )}
      </span>
    </>
  )
}
