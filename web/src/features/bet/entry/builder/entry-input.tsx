import {
  betTypeOfColumn,
  chosenDigits,
  getEntryMode,
  isJubwinOptionEnabled,
  jubwinOptions,
  tenDigits,
} from '@megalot/rules'
import type { EntryMode, JubwinOptions, StakeColumn } from '@megalot/rules'
import { Suspense, useId } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { Bones } from '../../../../ui/query-view.tsx'
import { CheckLine } from '../../../../ui/checkbox.tsx'
import type { Desk } from '../../desk.ts'
import { laterParts, lazyPart } from '../../lazy-chunks.ts'
import { writeCell } from '../../slip/cell-text.ts'
import fields from '../amount-fields.module.css'
import classes from './builder.module.css'
import { readTypedNumbers } from '../entry.ts'
import type { Entry } from '../entry.ts'

const NumberBoard = lazyPart(laterParts.board, ({ NumberBoard: component }) => component)

interface EntryInputProps {
  entry: Entry
  desk: Desk
  columns: readonly StakeColumn[]
  onChange: (change: Partial<Entry>) => void
}

/** What the chosen way asks for: a text, a board, digits, or nothing. */
export function EntryInput({ entry, desk, columns, onChange }: EntryInputProps) {
  const t = useTranslations('entry')
  const { way, digits } = entry
  if (way !== 'typed' && way !== 'board')
    return <ModeInput mode={getEntryMode(way)} entry={entry} onChange={onChange} />
  const reverse = digits > 1 && (
    <CheckLine
      label={t('builder.reverse')}
      isChecked={entry.isReversed}
      onChange={(isReversed) => onChange({ isReversed })}
    />
  )
  if (way === 'typed') {
    const { unfit } = readTypedNumbers(entry.text, digits)
    return (
      <div>
        <TextField
          label={t('builder.numbers', { digits })}
          text={entry.text}
          problem={unfit.length > 0 ? t('builder.unfit', { numbers: unfit.slice(0, 5).join(' ') }) : null}
          onChange={(text) => onChange({ text })}
        />
        {reverse}
      </div>
    )
  }
  const bet_types = columns.flatMap((column) => betTypeOfColumn(digits, column) ?? [])
  return (
    <div>
      <Suspense fallback={<Bones count={5} height={44} gap={4} />}>
        <NumberBoard
          digits={digits}
          bet_types={bet_types}
          states={desk.numberStates}
          picked={entry.picked}
          onChange={(picked) => onChange({ picked })}
        />
      </Suspense>
      {reverse}
    </div>
  )
}

interface TextFieldProps {
  label: string
  text: string
  problem?: string | null
  maxLength?: number
  onChange: (text: string) => void
}

/** A field for numbers, that takes Thai digits as well. */
export function TextField({ label, text, problem = null, maxLength = 4_000, onChange }: TextFieldProps) {
  const id = useId()
  return (
    <div className={fields.field}>
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        className={`${fields.input} ${classes.text}`}
        data-first-field=""
        data-testid="entry-text"
        inputMode="numeric"
        enterKeyHint="next"
        autoComplete="off"
        maxLength={maxLength}
        value={text}
        aria-invalid={problem !== null || undefined}
        aria-describedby={`${id}-problem`}
        onChange={(event) => onChange(writeCell(event.currentTarget.value))}
      />
      <output id={`${id}-problem`} className={classes.problem}>
        {problem}
      </output>
    </div>
  )
}

interface ModeInputProps {
  mode: EntryMode
  entry: Entry
  onChange: (change: Partial<Entry>) => void
}

function ModeInput({ mode, entry, onChange }: ModeInputProps) {
  const t = useTranslations('entry')
  const { input } = mode
  if (input.kind === 'none') return null
  if (input.kind === 'number') {
    return (
      <TextField
        label={t(input.digits === 1 ? 'builder.one_digit' : 'builder.three_digits')}
        text={entry.text}
        maxLength={input.digits}
        onChange={(text) => onChange({ text })}
      />
    )
  }
  const chosen = chosenDigits(entry.text)
  const toggle = (digit: string): void =>
    onChange({ text: (chosen.includes(digit) ? chosen.filter((one) => one !== digit) : [...chosen, digit]).join('') })
  return (
    <div className={classes.jubwin}>
      <fieldset className={classes.digits}>
        <legend className={classes.legend}>{t('builder.digit_set', { digits: String(input.digits) })}</legend>
        {tenDigits.map((digit, index) => (
          <button
            key={digit}
            type="button"
            className={classes.digit}
            data-first-field={index === 0 ? '' : undefined}
            aria-pressed={chosen.includes(digit)}
            onClick={() => toggle(digit)}
          >
            {digit}
          </button>
        ))}
      </fieldset>
      <JubwinOptionList mode={mode} options={entry.options} onChange={(options) => onChange({ options })} />
    </div>
  )
}

interface JubwinOptionListProps {
  mode: EntryMode
  options: JubwinOptions
  onChange: (options: JubwinOptions) => void
}

function JubwinOptionList({ mode, options, onChange }: JubwinOptionListProps) {
  const t = useTranslations('entry.builder')
  const language = useLocale()
  return (
    <fieldset className={classes.options}>
      <legend className="visually-hidden">{t('options')}</legend>
      {jubwinOptions
        .filter(({ code }) => mode.options.includes(code))
        .map(({ code, name_th, name_en }) => (
          <CheckLine
            key={code}
            label={language === 'th' ? name_th : name_en}
            isChecked={options[code] === true && isJubwinOptionEnabled(code, options)}
            isDisabled={!isJubwinOptionEnabled(code, options)}
            onChange={(isChecked) => onChange({ ...options, [code]: isChecked })}
          />
        ))}
    </fieldset>
  )
}
