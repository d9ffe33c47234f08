import { Button } from '../../../ui/button.tsx'
import { betTypeByCode, betTypeCodes, readImportText } from '@megalot/rules'
import type { BetTypeCode, ImportResult, SlipLine } from '@megalot/rules'
import { useDeferredValue, useEffect, useMemo, useState } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { localizedName } from '../../../lib/i18n/localized-name.ts'
import { formatBaht, formatCount } from '../../../lib/format/money.ts'
import { onceAfterFrame } from '../../../lib/page/after-frame.ts'
import { whenIdle } from '../../../lib/page/when-idle.ts'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { Alert } from '../../../ui/alert.tsx'
import tables from '../../../ui/table.module.css'
import type { Desk } from '../desk.ts'
import { MAX_ADDED_ROWS, rowsOfLines } from '../slip/slip-lines.ts'
import { useAddLines } from '../slip/use-add-lines.ts'
import classes from './import-sheet.module.css'

/** So many dropped and wrong lines are listed; their count is shown in any case. */
const MAX_LISTED = 50
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
  const isBlank = readText.trim() === ''
  const isFailed = !isBlank && (reading.problem !== null || reading.items.length === 0 || isTooMuch)
  const add = (): void => {
    if (addLines(reading.items)) onDone()
  }
  return (
    <div className={classes.sheet}>
      <label className={classes.label} htmlFor="import-text">
        {t('text')}
      </label>
      <textarea
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
      {reading.problem === null && <Preview reading={reading} />}
      <div className={classes.add}>
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

/** A row holds one line or more: as many lines as there may be rows always fit. */
function needTooManyRows(lines: readonly SlipLine[]): boolean {
  return lines.length > MAX_ADDED_ROWS && rowsOfLines(lines).length > MAX_ADDED_ROWS
}

/** What the text says: lines read, items made, lines dropped, lines in error with the reason. */
function Preview({ reading }: { reading: ImportResult }) {
  const t = useTranslations('entry.import')
  const reasons = useTranslations('bet.grid.paste')
  const language = useLocale()
  const { lines_read, items, dropped, errors } = reading
  const sums = useMemo(() => sumByType(items), [items])
  return (
    <section className={classes.preview} aria-label={t('preview')}>
      <output className={classes.summary} data-testid="import-summary">
        {t('summary', { lines: lines_read, items: items.length, dropped: dropped.length, errors: errors.length })}
      </output>
      {sums.length > 0 && (
        <table className={tables.table}>
          <tbody>
            {sums.map(({ bet_type, count, bet_satang }) => (
              <tr key={bet_type}>
                <th scope="row">{localizedName(betTypeByCode[bet_type], language)}</th>
                <td className={tables.figure}>{t('items', { count })}</td>
                <td className={tables.figure}>{formatBaht(bet_satang)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {items.length > 0 && dropped.some((line) => line.is_heading) && (
        <Alert kind="warn" title={t('column_dropped')}>
          {t('column_dropped_hint')}
        </Alert>
      )}
      {errors.length > 0 && (
        <details open>
          <summary>{t('errors', { count: errors.length })}</summary>
          <ul className={classes.lines}>
            {errors.slice(0, MAX_LISTED).map(({ line_no, text, code }) => (
              <li key={line_no}>
                <span className={classes.where}>
                  {reasons('line', { line: String(line_no) })} <q className={classes.quote}>{text}</q>
                </span>{' '}
                {reasons(`reason.${code}`)}
              </li>
            ))}
          </ul>
        </details>
      )}
      {dropped.length > 0 && (
        <details>
          <summary>{t('dropped', { count: dropped.length })}</summary>
          <ul className={classes.lines}>
            {dropped.slice(0, MAX_LISTED).map(({ line_no, text }) => (
              <li key={line_no}>
                <span className={classes.where}>{reasons('line', { line: String(line_no) })}</span>{' '}
                <q className={classes.quote}>{text}</q>
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  )
}

interface TypeSum {
  bet_type: BetTypeCode
  count: number
  bet_satang: number
}

function sumByType(items: readonly SlipLine[]): readonly TypeSum[] {
  const sums = new Map<BetTypeCode, TypeSum>()
  for (const { bet_type, bet_satang } of items) {
    const sum = sums.get(bet_type) ?? { bet_type, count: 0, bet_satang: 0 }
    sum.count += 1
    sum.bet_satang += bet_satang
    sums.set(bet_type, sum)
  }
  return betTypeCodes.flatMap((bet_type) => sums.get(bet_type) ?? [])
}
