import {
  betTypeOfColumn,
  chosenDigits,
  getEntryMode,
  isJubwinOptionEnabled,
  jubwinOptions,
  tenDigits,
} from '@megalot/rules'
import type { EntryMode, JubwinOptions, StakeColumn } from '@megalot/rules'
import { Suspense } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { localizedName } from '../../../../lib/i18n/localized-name.ts'
import { Skeleton } from '../../../../ui/query-view.tsx'
import { Checkbox } from '../../../../ui/checkbox.tsx'
import type { Desk } from '../../desk.ts'
import { lazyChunks } from '../../lazy-chunks.ts'
import classes from './builder.module.css'
import { TextField } from '../text-field.tsx'
import { readTypedNumbers } from '../entry.ts'
import type { Entry } from '../entry.ts'

const { NumberBoard } = lazyChunks

interface EntryInputProps {
  entry: Entry
  desk: Desk
  columns: readonly StakeColumn[]
  onChange: (change: Partial<Entry>) => void
}

/** The input of the chosen method: a text, a board, digits, or none. */
export function EntryInput({ entry, desk, columns, onChange }: EntryInputProps) {
  const t = useTranslations('entry')
  const { method, digits } = entry
  if (method !== 'typed' && method !== 'board')
    return <ModeInput mode={getEntryMode(method)} entry={entry} onChange={onChange} />
  const reverse = digits > 1 && (
    <Checkbox
      label={t('builder.reverse')}
      isChecked={entry.isReversed}
      onChange={(isReversed) => onChange({ isReversed })}
    />
  )
  if (method === 'typed') {
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
      <Suspense fallback={<Skeleton count={5} height={44} gap={4} />}>
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
        .map(({ code, ...option }) => (
          <Checkbox
            key={code}
            label={localizedName(option, language)}
            isChecked={options[code] === true && isJubwinOptionEnabled(code, options)}
            isDisabled={!isJubwinOptionEnabled(code, options)}
            onChange={(isChecked) => onChange({ ...options, [code]: isChecked })}
          />
        ))}
    </fieldset>
  )
}
