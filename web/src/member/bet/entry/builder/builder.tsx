import { Button } from '../../../../ui/button.tsx'
import { getEntryMode } from '@megalot/rules'
import type { StakeColumn } from '@megalot/rules'
import IconPlus from '~icons/plus'
import { useDeferredValue, useMemo, useRef, useState } from 'react'
import type { KeyboardEvent } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { localizedName } from '../../../../lib/i18n/localized-name.ts'
import { formatBaht } from '../../../../lib/format/money.ts'
import { showToast } from '../../../../lib/feedback/toast.ts'
import { SegmentedControl } from '../../../../ui/segmented-control.tsx'
import type { Desk } from '../../desk.ts'
import { readStakes } from '../../slip/slip-lines.ts'
import { useAddLines } from '../../slip/use-add-lines.ts'
import { AmountFields, focusNextAmount } from '../amount-fields.tsx'
import { keepPrices, readPrices } from '../price-memory.ts'
import type { Prices } from '../price-memory.ts'
import classes from './builder.module.css'
import { columnsOf, linesOf, numbersOf, problemOf, entryMethodsOf } from '../entry.ts'
import type { Digits, Entry, EntryMethod } from '../entry.ts'
import { EntryInput } from './entry-input.tsx'
import { NumberPreview } from './number-preview.tsx'

const EMPTY_ENTRY: Entry = { digits: 2, method: 'typed', text: '', picked: [], isReversed: false, options: {} }
const digitChoices: readonly Digits[] = [3, 2, 1]

interface BuilderProps {
  desk: Desk
  user_id: number
  product_code: string
  /** In a sheet: numbers were added. */
  onDone?: () => void
}

/** The formulas: numbers of one kind, typed, picked or by a mode; then their prices, once for all. Style B, and a sheet of the others. */
export function Builder({ desk, user_id, product_code, onDone }: BuilderProps) {
  const t = useTranslations('entry')
  const root = useRef<HTMLElement>(null)
  const isSheet = onDone !== undefined
  const [entry, setEntry] = useState(() => firstEntry(2, isSheet))
  const [stakes, setStakes] = useState(() => readPrices(user_id, product_code))
  const addLines = useAddLines(desk.store)

  const columns = useMemo(() => columnsOf(entry, desk.offered), [entry, desk.offered])
  // Typing and tapping stay quick; the numbers follow a moment later.
  const shownEntry = useDeferredValue(entry)
  const numbers = useMemo(() => numbersOf(shownEntry), [shownEntry])
  const amounts = useMemo(() => readStakes<StakeColumn>(stakes), [stakes])
  const lines = useMemo(
    () => (amounts === null ? [] : linesOf(shownEntry, amounts, columnsOf(shownEntry, desk.offered), numbers)),
    [shownEntry, amounts, numbers, desk.offered],
  )

  const change = (changed: Partial<Entry>): void => setEntry((before) => ({ ...before, ...changed }))
  const price = (prices: Prices): void => {
    setStakes(prices)
    // Below a sheet a keypad keeps its own.
    if (!isSheet) keepPrices(user_id, product_code, prices)
  }
  const add = (): void => {
    const problem = problemOf(entry, amounts, columns)
    if (problem !== null) {
      showToast('bad', t(`problem.${problem}`, { digits: digitsNeeded(entry) }))
      return
    }
    const added = linesOf(entry, amounts ?? {}, columns, numbersOf(entry))
    if (!addLines(added)) return
    if (onDone !== undefined) return onDone()
    change({ text: '', picked: [] })
    root.current?.querySelector<HTMLElement>('[data-first-field]')?.focus()
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    const { target } = event
    if (!(target instanceof HTMLInputElement) || target.closest('dialog') !== root.current?.closest('dialog')) return
    if (event.key !== 'Enter' || event.nativeEvent.isComposing || event.ctrlKey) return
    event.preventDefault()
    // An amount typed after another one must never land in the field of the numbers.
    if (!focusNextAmount(root.current, target)) add()
  }
  const total = lines.reduce((sum, line) => sum + line.bet_satang, 0)
  return (
    // Enter is caught for all fields at once; the section itself takes no keys.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <section
      ref={root}
      className={classes.builder}
      data-sheet={isSheet || undefined}
      aria-label={t('style.builder')}
      onKeyDown={onKeyDown}
    >
      <SegmentedControl<`${Digits}`>
        label={t('digits.label')}
        value={`${entry.digits}`}
        choices={digitChoices.map((digits) => ({ value: `${digits}`, label: t(`digits.${digits}`) }))}
        onChange={(value) => setEntry(firstEntry(Number(value) as Digits, isSheet))}
        fill
      />
      <MethodPicker
        methods={entryMethodsOf(entry.digits)}
        method={entry.method}
        onPick={(method) => setEntry({ ...EMPTY_ENTRY, digits: entry.digits, method })}
      />
      <EntryInput entry={entry} desk={desk} columns={columns} onChange={change} />
      <NumberPreview numbers={numbers} columns={columns} digits={shownEntry.digits} states={desk.numberStates} />
      <AmountFields columns={columns} stakes={stakes} onChange={price} isLocked={desk.isLocked} />
      <div className={classes.add}>
        <Button
          isWide
          data-testid="add-entry"
          icon={<IconPlus size={20} stroke={2} />}
          disabled={desk.isLocked}
          onClick={add}
        >
          {lines.length === 0
            ? t('builder.add_nothing')
            : t('builder.add', { items: lines.length, total: formatBaht(total) })}
        </Button>
      </div>
    </section>
  )
}

/** Style B begins with typed numbers, and the sheet with the first mode: what can be typed has a place of its own there. */
function firstEntry(digits: Digits, isSheet: boolean): Entry {
  const [typed, , mode] = entryMethodsOf(digits)
  return { ...EMPTY_ENTRY, digits, method: (isSheet ? mode : typed) ?? 'typed' }
}

function digitsNeeded({ method, digits }: Entry): number {
  return method === 'typed' || method === 'board' ? digits : getEntryMode(method).input.digits
}

interface MethodPickerProps {
  methods: readonly EntryMethod[]
  method: EntryMethod
  onPick: (method: EntryMethod) => void
}

/** More choices than fit one line: radio buttons that wrap. */
function MethodPicker({ methods, method, onPick }: MethodPickerProps) {
  const t = useTranslations('entry.way')
  const language = useLocale()
  return (
    <fieldset className={classes.methods}>
      <legend className="visually-hidden">{t('label')}</legend>
      {methods.map((one) => (
        <label key={one} className={classes.method}>
          <input
            type="radio"
            name="entry-way"
            value={one}
            className={classes.radio}
            checked={one === method}
            onChange={() => onPick(one)}
          />
          <span className={classes.face}>
            {one === 'typed' || one === 'board' ? t(one) : localizedName(getEntryMode(one), language)}
          </span>
        </label>
      ))}
    </fieldset>
  )
}
