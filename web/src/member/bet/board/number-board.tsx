import { betTypeByCode, tenDigits } from '@megalot/rules'
import type { BetTypeCode } from '@megalot/rules'
import IconAlertTriangle from '~icons/alert-triangle'
import IconCircleHalf2 from '~icons/circle-half-2'
import IconLock from '~icons/lock'
import { useState } from 'react'
import type { KeyboardEvent } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { localizedName } from '../../../lib/i18n/localized-name.ts'
import { SegmentedControl } from '../../../ui/segmented-control.tsx'
import { SelectField } from '../../../ui/select-field.tsx'
import type { NumberStates } from '../desk.ts'
import classes from './number-board.module.css'
import { NumberMark } from './number-mark.tsx'
import { worstState } from './number-states.ts'

interface NumberBoardProps {
  digits: 1 | 2 | 3
  /** The bet types whose yellow and grey numbers are shown, one of them at a time or all together. */
  bet_types: readonly BetTypeCode[]
  states: NumberStates
  picked: readonly string[]
  onChange: (picked: readonly string[]) => void
}

/** Every number there is, a hundred at a time: tap to pick, tap again to let go. */
export function NumberBoard({ digits, bet_types, states, picked, onChange }: NumberBoardProps) {
  const t = useTranslations('entry.board')
  const language = useLocale()
  const [page, setPage] = useState('0')
  const [shownType, setShownType] = useState<BetTypeCode | 'all'>('all')
  const shownTypes = shownType !== 'all' && bet_types.includes(shownType) ? [shownType] : bet_types
  const numbers = numbersOnBoard(digits, page)
  const chosen = new Set(picked)
  const [focused, setFocused] = useState<string | null>(null)
  // One tab stop for all numbers: the one that last had the focus, else the first that is picked, else the first.
  const tabStop =
    numbers.find((number) => number === focused) ?? numbers.find((number) => chosen.has(number)) ?? numbers[0]
  const toggle = (number: string): void =>
    onChange(chosen.has(number) ? picked.filter((one) => one !== number) : [...picked, number])
  return (
    <div className={classes.board}>
      {digits === 3 && (
        <SegmentedControl
          label={t('page')}
          value={page}
          choices={tenDigits.map((digit) => ({ value: digit as string, label: `${digit}–` }))}
          onChange={setPage}
          fill
        />
      )}
      {bet_types.length > 1 && (
        <SelectField<BetTypeCode | 'all'>
          label={t('marks_of')}
          value={shownType}
          choices={[
            { value: 'all', label: t('all_types') },
            ...bet_types.map((value) => ({
              value,
              label: localizedName(betTypeByCode[value], language),
            })),
          ]}
          onChange={setShownType}
        />
      )}
      {/* The arrows move between the numbers; the group itself takes no keys. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
      <fieldset className={classes.grid} aria-label={t('label')} onKeyDown={moveOnBoard}>
        {numbers.map((number) => {
          const state = worstState(states, shownTypes, number)
          return (
            <button
              key={number}
              type="button"
              className={classes.number}
              data-state={state ?? undefined}
              aria-pressed={chosen.has(number)}
              tabIndex={number === tabStop ? 0 : -1}
              onFocus={() => setFocused(number)}
              onClick={() => toggle(number)}
            >
              {number}
              <NumberMark state={state} />
            </button>
          )
        })}
      </fieldset>
      <p className={classes.legend}>
        <span data-state="yellow">
          <IconAlertTriangle size={15} stroke={2} aria-hidden="true" /> {t('yellow')}
        </span>
        <span data-state="half">
          <IconCircleHalf2 size={15} stroke={2} aria-hidden="true" /> {t('half')}
        </span>
        <span data-state="grey">
          <IconLock size={15} stroke={2} aria-hidden="true" /> {t('grey')}
        </span>
        {picked.length > 0 && (
          <button type="button" className={classes.clear} onClick={() => onChange([])}>
            {t('clear', { count: picked.length })}
          </button>
        )}
      </p>
    </div>
  )
}

function numbersOnBoard(digits: 1 | 2 | 3, page: string): readonly string[] {
  if (digits === 1) return tenDigits
  const front = digits === 3 ? page : ''
  return tenDigits.flatMap((ten) => tenDigits.map((one) => front + ten + one))
}

/** The number that a key leads to, ten to a row; undefined where it leads nowhere, or is no key of the board. */
function nextOnBoard(key: string, at: number, count: number): number | undefined {
  const targets: Readonly<Record<string, number>> = {
    ArrowRight: at + 1,
    ArrowLeft: at - 1,
    ArrowDown: at + 10,
    ArrowUp: at - 10,
    Home: 0,
    End: count - 1,
  }
  const next = targets[key]
  return next === undefined || next < 0 || next >= count ? undefined : next
}

function moveOnBoard(event: KeyboardEvent<HTMLElement>): void {
  const buttons = [...event.currentTarget.querySelectorAll('button')]
  const at = buttons.findIndex((button) => button === event.target)
  const next = at < 0 ? undefined : nextOnBoard(event.key, at, buttons.length)
  if (next === undefined) return
  event.preventDefault()
  buttons[next]?.focus()
}
