import IconX from '~icons/x'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { formatWholeBaht } from '../../../../lib/format/money.ts'
import { NumberMark } from '../../board/number-mark.tsx'
import { stateOfProblem } from '../../board/number-states.ts'
import { useCheckedSlip } from '../../slip/checked-slip.ts'
import type { RowState } from '../../slip/row-check.ts'
import { amountColumns } from '../../slip/slip-columns.ts'
import { isEmptyRow, removeRow } from '../../slip/slip-rows.ts'
import type { SlipRow } from '../../slip/slip-rows.ts'
import { editRows } from '../../slip/slip-store.ts'
import type { Desk } from '../../desk.ts'
import classes from './running-list.module.css'
import { RunningMessage } from './running-message.tsx'
import type { KeypadState } from './keypad-keys.ts'

const MAX_SHOWN = 5

interface RunningListProps {
  desk: Desk
  last: KeypadState['last']
  /** Why the slip cannot be sent. */
  obstacle: ReactNode
  onOpenSlip: () => void
}

/**
 * The rows added last, the newest first, above the keys. What is wrong with them or with the slip stands before them, in the
 * same place, so that no key moves.
 */
export function RunningList({ desk, last, obstacle, onOpenSlip }: RunningListProps) {
  const t = useTranslations('entry.keypad')
  const words = useTranslations('bet')
  const { rows, check } = useCheckedSlip(desk.slip, (slip) => slip)
  const shown = rows
    .flatMap((row, index) => (isEmptyRow(row) ? [] : [{ row, state: check.row_states[index] }]))
    .slice(-MAX_SHOWN)
    .toReversed()
  const states = check.row_states.filter((_, index) => last?.rows.includes(rows[index]!))
  const wrong = states.find(({ kind }) => kind === 'bad') ?? states.find(({ kind }) => kind === 'warn')
  const isWaiting = states.some(({ kind }) => kind === 'no_amount')
  const remove = (id: number): void => editRows(desk.store, removeRow(desk.store.getState().rows, id))
  const problem = wrong?.problem ?? null
  return (
    <RunningListFrame>
      {wrong !== undefined && problem !== null ? (
        <RunningMessage
          look={wrong.kind === 'bad' ? 'bad' : 'warn'}
          text={words(`problem.${problem}`, { limit: formatWholeBaht(wrong.satang) })}
        />
      ) : isWaiting ? (
        <RunningMessage look="warn" text={t('needs_amount')} />
      ) : (
        obstacle
      )}
      {shown.length === 0 && <p className={classes.message}>{t('hint')}</p>}
      {shown.map(({ row, state }) => (
        <div
          key={row.id}
          className={classes.item}
          data-kind={state?.kind}
          data-state={stateOfProblem(state?.problem ?? null) ?? undefined}
          data-testid="running-row"
        >
          <button type="button" className={classes.row} aria-haspopup="dialog" onClick={onOpenSlip}>
            <RowText row={row} state={state} />
          </button>
          <button
            type="button"
            className={classes.remove}
            aria-label={t('remove', { number: row.number })}
            disabled={desk.isLocked}
            onClick={() => remove(row.id)}
          >
            <IconX size={16} stroke={2} aria-hidden="true" />
          </button>
        </div>
      ))}
    </RunningListFrame>
  )
}

/** The place of the list. */
export function RunningListFrame({ children }: { children: ReactNode }) {
  return (
    <div className={classes.list} data-testid="running-list" data-scrolls-sideways="">
      {children}
    </div>
  )
}

/** The list of an empty slip. */
export function RunningListPlaceholder() {
  const t = useTranslations('entry.keypad')
  return (
    <RunningListFrame>
      <p className={classes.message}>{t('hint')}</p>
    </RunningListFrame>
  )
}

/** The number with its amounts. Closed numbers are struck out, and the state has an icon and a word. */
function RowText({ row, state }: { row: SlipRow; state: RowState | undefined }) {
  const words = useTranslations('bet.grid.column')
  const mark = stateOfProblem(state?.problem ?? null)
  const closed = mark === 'grey' ? (state?.columns.split(' ') ?? []) : []
  const filled = amountColumns.filter((column) => row[column] !== '')
  const isClosed = filled.length > 0 && filled.every((column) => closed.includes(column))
  return (
    <>
      <strong data-closed={isClosed || undefined}>{row.number}</strong>
      {mark !== null && mark !== 'yellow' && (
        <span className={classes.mark}>
          <NumberMark state={mark} hasWord />
        </span>
      )}
      {filled.map((column) => (
        <span key={column} data-closed={closed.includes(column) || undefined}>
          {words(column)} {row[column]}
        </span>
      ))}
    </>
  )
}
