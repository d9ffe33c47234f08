import { Button } from '../../../ui/button.tsx'
import { readImportText } from '@megalot/rules'
import type { SlipLine } from '@megalot/rules'
import { useCallback, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { formatCount } from '../../../lib/format/money.ts'
import { onceAfterFrame } from '../../../lib/page/after-frame.ts'
import { whenIdle } from '../../../lib/page/when-idle.ts'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { Alert } from '../../../ui/alert.tsx'
import type { Desk } from '../desk.ts'
import { MAX_ADDED_ROWS, rowsOfLines } from '../slip/slip-lines.ts'
import { useAddLines } from '../slip/use-add-lines.ts'
import { splitIntoTickets } from '../slip/ticket-batch.ts'
import { ImportPreview } from './import-preview.tsx'
import type { TextRange } from './import-preview.tsx'
import classes from './import-sheet.module.css'

/** A text of so many characters, two thousand lines, is read while its frame is drawn; a longer one a moment later. */
const MAX_READ_AT_ONCE = 20_000
/** More characters that come at once are a paste of fifty lines or more, whose layout takes longer than the reading. */
const MAX_LAID_OUT_AT_ONCE = 500
const EXAMPLE = '12=50*50\n123 100 0 100\nx5=20*20'
/** Long enough that the browser compiles the reader to machine code. */
const WARM_UP = `${EXAMPLE}\n`.repeat(100)

/** Lays out the text of a field with the frame after the next: the preview comes first. */
function layOutLater({ style }: HTMLTextAreaElement): void {
  style.contentVisibility = 'hidden'
  onceAfterFrame(() => style.removeProperty('content-visibility'))
}

/** Selects a line of a field and scrolls to it. */
function selectLine(field: HTMLTextAreaElement, { line_no, start, end }: TextRange): void {
  field.focus()
  field.setSelectionRange(start, end)
  const lines = field.value.split('\n').length
  field.scrollTop = ((line_no - 1) / lines) * field.scrollHeight - field.clientHeight / 3
  field.scrollIntoView({ block: 'nearest' })
}

/** Numbers as people write them in chats: read, shown, and only then put on the slip. */
export function ImportSheet({ desk, onDone }: { desk: Desk; onDone: () => void }) {
  const t = useTranslations('entry.import')
  const [text, setText] = useState('')
  const [isSecondRoll, setIsSecondRoll] = useState(false)
  const addLines = useAddLines(desk.store)
  // The first lines take the longest, because the browser compiles the reader: that is done before a text comes.
  useEffect(() => whenIdle(() => void readImportText(WARM_UP, { offered: desk.offered })), [desk.offered])
  const isLong = text.length > MAX_READ_AT_ONCE
  // A short text is never deferred: it would be rendered a second time, with nothing new in it.
  const deferredText = useDeferredValue(isLong ? text : '')
  const readText = isLong ? deferredText : text
  const reading = useMemo(
    () => readImportText(readText, { offered: desk.offered, is_second_roll: isSecondRoll }),
    [readText, desk.offered, isSecondRoll],
  )
  const isTooMuch = useMemo(() => needTooManyRows(reading.items), [reading])
  const tickets = useMemo(() => countTickets(desk, reading.items), [desk, reading])
  const isBlank = readText.trim() === ''
  const isFailed = !isBlank && (reading.problem !== null || reading.items.length === 0 || isTooMuch)
  const field = useRef<HTMLTextAreaElement>(null)
  const select = useCallback((line: TextRange) => {
    if (field.current !== null) selectLine(field.current, line)
  }, [])
  const hasHeading = reading.items.length > 0 && reading.dropped.some((line) => line.is_heading)
  const add = (): void => {
    if (addLines(reading.items)) onDone()
  }
  return (
    <div className={classes.sheet}>
      <label className={classes.label} htmlFor="import-text">
        {t('text')}
      </label>
      <textarea
        ref={field}
        id="import-text"
        className={classes.text}
        rows={7}
        inputMode="text"
        autoComplete="off"
        spellCheck={false}
        placeholder={EXAMPLE}
        aria-describedby="import-hint"
        // Uncontrolled: a controlled one is given its whole text once more, as its default.
        onChange={({ currentTarget }) => {
          if (currentTarget.value.length - text.length > MAX_LAID_OUT_AT_ONCE) layOutLater(currentTarget)
          setText(currentTarget.value)
        }}
      />
      <p id="import-hint" className={classes.hint}>
        {t('hint')}
      </p>
      <Checkbox label={t('second_roll')} isChecked={isSecondRoll} onChange={setIsSecondRoll} />
      {isFailed && (
        <Alert kind="bad" title={t('failed')}>
          {reading.problem !== null && t(`problem.${reading.problem}`)}
          {isTooMuch && t('problem.too_many_rows', { most: formatCount(MAX_ADDED_ROWS) })}
        </Alert>
      )}
      {reading.problem === null && <ImportPreview reading={reading} onSelect={select} />}
      <div className={classes.add}>
        {hasHeading && (
          <Alert kind="warn" title={t('column_dropped')}>
            {t('column_dropped_hint')}
          </Alert>
        )}
        {tickets > 1 && !isFailed && (
          <Alert kind="plain">{t('several_tickets', { most: formatCount(desk.max_items), tickets })}</Alert>
        )}
        <Button
          isWide
          data-testid="import-add"
          disabled={isFailed || isBlank || desk.isLocked || readText !== text}
          onClick={add}
        >
          {t('add', { items: isFailed ? 0 : reading.items.length })}
        </Button>
      </div>
    </div>
  )
}

/** As how many tickets the slip would be sent with these lines on it. */
function countTickets({ slip, max_items }: Desk, added: readonly SlipLine[]): number {
  const { lines, row_states } = slip.getState().check
  if (lines.length + added.length <= max_items) return 1
  const rows = rowsOfLines(added).flatMap(({ number: _number, ...amounts }, index) =>
    Object.keys(amounts).map(() => ({ row: row_states.length + index })),
  )
  return splitIntoTickets([...lines, ...rows], max_items).length
}

/** A row holds one line or more: as many lines as there may be rows always fit. */
function needTooManyRows(lines: readonly SlipLine[]): boolean {
  return lines.length > MAX_ADDED_ROWS && rowsOfLines(lines).length > MAX_ADDED_ROWS
}
