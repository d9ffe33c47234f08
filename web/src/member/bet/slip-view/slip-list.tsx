import type { Language } from '@megalot/contract'
import { betTypeByCode } from '@megalot/rules'
import IconAlertTriangle from '~icons/alert-triangle'
import IconX from '~icons/x'
import { memo, useCallback, useDeferredValue, useMemo, useRef, useState } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { localizedName } from '../../../lib/i18n/localized-name.ts'
import { formatBaht, formatWholeBaht } from '../../../lib/format/money.ts'
import { LazyBlock } from '../../../ui/lazy-block.tsx'
import { EmptyNote } from '../../../ui/query-view.tsx'
import { ProblemSign } from '../board/number-mark.tsx'
import { stateOfProblem } from '../board/number-states.ts'
import type { Desk } from '../desk.ts'
import { writeCell } from '../slip/cell-text.ts'
import { useCheckedSlip } from '../slip/checked-slip.ts'
import type { CheckedRows } from '../slip/checked-slip.ts'
import type { AmountColumn } from '../slip/slip-columns.ts'
import { listEntries } from '../slip/slip-entries.ts'
import type { SlipEntry } from '../slip/slip-entries.ts'
import classes from './slip-list.module.css'
import { amountColumns } from '../slip/slip-columns.ts'
import { isSameRowState } from '../slip/row-check.ts'
import { growRows, removeRow } from '../slip/slip-rows.ts'
import { editRows } from '../slip/slip-store.ts'

/** Longer lists draw only visible rows. */
const MAX_DRAWN_ROWS = 100
const BLOCK_ROWS = 20
const ROW_PX = 47

/** The slip grouped by bet type; every stake can be changed or taken off where it stands. */
export function SlipList({ desk }: { desk: Desk }) {
  const t = useTranslations('entry.list')
  const { store, slip, offered, isLocked } = desk
  const now = useCheckedSlip(slip, (state) => state)
  const later = useDeferredValue(now)
  const { rows, check } = isDrawnLater(now, later) ? later : now
  const entries = useMemo(() => listEntries(rows, check, offered), [rows, check, offered])
  const scroller = useRef<HTMLDivElement>(null)

  const change = useCallback(
    (row_id: number, column: AmountColumn, text: string) => {
      const before = store.getState().rows
      const after = before.flatMap((row) => {
        if (row.id !== row_id) return [row]
        const changed = { ...row, [column]: text }
        return amountColumns.every((one) => changed[one] === '') ? [] : [changed]
      })
      editRows(store, growRows(after), `${row_id} ${column}`)
    },
    [store],
  )
  const remove = useCallback((row_id: number) => editRows(store, removeRow(store.getState().rows, row_id)), [store])

  if (entries.length === 0) return <EmptyNote title={t('empty')}>{t('empty_hint')}</EmptyNote>
  const blocks = cutBlocks(entries)
  return (
    <section className={classes.list} aria-label={t('label')} data-testid="slip-list">
      <div ref={scroller} className={entries.length > MAX_DRAWN_ROWS ? classes.scroller : undefined}>
        {blocks.map((block, at) => (
          <LazyBlock
            key={at}
            root={scroller}
            isShown={blocks.length <= MAX_DRAWN_ROWS / BLOCK_ROWS || at === 0}
            heightPx={block.length * ROW_PX}
          >
            {() =>
              block.map((entry) => (
                <EntryLine key={entry.key} entry={entry} isLocked={isLocked} onChange={change} onRemove={remove} />
              ))
            }
          </LazyBlock>
        ))}
      </div>
    </section>
  )
}

/** Whether so many lines came at once that the totals are drawn before them. Less is drawn at once: a field follows each key. */
function isDrawnLater(now: CheckedRows, later: CheckedRows): boolean {
  return now.check.lines.length - later.check.lines.length > MAX_DRAWN_ROWS
}

function cutBlocks(entries: readonly SlipEntry[]): readonly (readonly SlipEntry[])[] {
  const count = Math.ceil(entries.length / BLOCK_ROWS)
  return Array.from({ length: count }, (_, at) => entries.slice(at * BLOCK_ROWS, (at + 1) * BLOCK_ROWS))
}

interface EntryLineProps {
  entry: SlipEntry
  isLocked: boolean
  onChange: (row_id: number, column: AmountColumn, text: string) => void
  onRemove: (row_id: number) => void
}

const EntryLine = memo(
  function EntryLine({ entry, isLocked, onChange, onRemove }: EntryLineProps) {
    const t = useTranslations('entry.list')
    const words = useTranslations('bet')
    const language = useLocale()
    if (entry.kind === 'head') {
      const name = entry.bet_type === null ? t('unfinished') : nameOf(entry.bet_type, language)
      return (
        <h3 className={classes.head} data-unfinished={entry.bet_type === null || undefined}>
          <span>{t('head', { name, count: entry.count })}</span>
          {entry.bet_type !== null && <span className="number">{formatBaht(entry.bet_satang)}</span>}
        </h3>
      )
    }
    if (entry.kind === 'unfinished') {
      const { state, number } = entry
      return (
        <div className={classes.line} data-look={state.kind === 'bad' ? 'bad' : 'warn'}>
          <span className={classes.number}>{number === '' ? '–' : number}</span>
          <span className={classes.problem}>
            <IconAlertTriangle size={16} stroke={1.75} aria-hidden="true" />
            {state.problem === null ? words('grid.no_amount') : words(`problem.${state.problem}`, { limit: '' })}
          </span>
          <RemoveButton label={t('remove', { number })} isLocked={isLocked} onRemove={() => onRemove(entry.row_id)} />
        </div>
      )
    }
    const { number, problem, limit_satang, look, row_id, column } = entry
    return (
      <div className={classes.line} data-look={look} data-state={stateOfProblem(problem) ?? undefined}>
        <span className={classes.number}>{number}</span>
        <span className={classes.problem}>
          {problem !== null && (
            <>
              <ProblemSign problem={problem} size={16} />
              {words(`problem.${problem}`, { limit: formatWholeBaht(limit_satang) })}
            </>
          )}
        </span>
        <StakeField
          label={t('amount', { number })}
          text={entry.text}
          isBad={look === 'bad'}
          isLocked={isLocked}
          onChange={(text) => onChange(row_id, column, text)}
        />
        <RemoveButton
          label={t('remove', { number })}
          isLocked={isLocked}
          onRemove={() => onChange(row_id, column, '')}
        />
      </div>
    )
  },
  (before, after) =>
    before.isLocked === after.isLocked &&
    before.onChange === after.onChange &&
    before.onRemove === after.onRemove &&
    isSameEntry(before.entry, after.entry),
)

function isSameEntry(a: SlipEntry, b: SlipEntry): boolean {
  if (a.kind === 'unfinished' && b.kind === 'unfinished')
    return a.row_id === b.row_id && a.number === b.number && isSameRowState(a.state, b.state)
  const names = Object.keys(a) as (keyof SlipEntry)[]
  return a.kind === b.kind && names.every((name) => a[name] === b[name])
}

function nameOf(bet_type: keyof typeof betTypeByCode, language: Language): string {
  return localizedName(betTypeByCode[bet_type], language)
}

interface StakeFieldProps {
  label: string
  text: string
  isBad: boolean
  isLocked: boolean
  onChange: (text: string) => void
}

/** An amount in the list. While it is being rewritten it may be empty for a moment; only leaving it empty takes it off. */
function StakeField({ label, text, isBad, isLocked, onChange }: StakeFieldProps) {
  const [isCleared, setIsCleared] = useState(false)
  return (
    <input
      className={classes.stake}
      aria-label={label}
      aria-invalid={isBad || undefined}
      inputMode="numeric"
      enterKeyHint="done"
      autoComplete="off"
      value={isCleared ? '' : text}
      disabled={isLocked}
      onFocus={(event) => event.currentTarget.select()}
      onChange={(event) => {
        const written = writeCell(event.currentTarget.value)
        setIsCleared(written.trim() === '')
        if (written.trim() !== '') onChange(written)
      }}
      onBlur={() => {
        if (isCleared) onChange('')
      }}
    />
  )
}

function RemoveButton({ label, isLocked, onRemove }: { label: string; isLocked: boolean; onRemove: () => void }) {
  return (
    <button type="button" className={classes.remove} aria-label={label} disabled={isLocked} onClick={onRemove}>
      <IconX size={18} stroke={1.75} />
    </button>
  )
}
