import { getEntryMode, usualBetTypes } from '@megalot/rules'
import IconArrowBackUp from '~icons/arrow-back-up'
import IconBackspace from '~icons/backspace'
import IconCheck from '~icons/check'
import IconCoins from '~icons/coins'
import { useId, useLayoutEffect, useRef } from 'react'
import type { KeyboardEvent, ReactNode, RefObject } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { localizedName } from '../../../../lib/i18n/localized-name.ts'
import { formatWholeBaht } from '../../../../lib/format/money.ts'
import { useRootAttribute } from '../../../../ui/root-attribute.ts'
import type { Desk } from '../../desk.ts'
import { readAmount } from '../../slip/cell-text.ts'
import { columnsOfMarket } from '../../slip/slip-columns.ts'
import { useDraft } from '../../slip/slip-store.ts'
import type { Digits } from '../entry.ts'
import { QuickStakes } from '../quick-stakes.tsx'
import classes from './keypad-entry.module.css'
import { RunningList, RunningListPlaceholder } from './running-list.tsx'
import { idleKeypad, lengthOf, shortcutsOf, useKeypad } from './use-keypad.ts'
import type { Keypad } from './use-keypad.ts'

const digitChoices: readonly Digits[] = [3, 2, 1]
const digitKeys = ['1', '2', '3', '4', '5', '6', '7', '8', '9'] as const

interface KeypadEntryProps {
  desk: Desk
  /** Why the slip cannot be sent. */
  obstacle: ReactNode
  onOpenSlip: () => void
  /** Content above the keypad. */
  tools: ReactNode
  /** Content below the keypad. */
  totals: ReactNode
}

/**
 * The style for one thumb: an own keypad, numbers taken as soon as they are complete. The keypad, what it bets on and the
 * totals stay at the thumb, whatever is scrolled above them.
 */
export function KeypadEntry({ desk, obstacle, onOpenSlip, tools, totals }: KeypadEntryProps) {
  const t = useTranslations('entry')
  const keypad = useKeypad(desk)
  const canUndo = useDraft(desk.store, ({ past }) => past.length > 0)
  useRootAttribute('keypad')
  const thumb = useThumbHeight()
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.altKey || event.metaKey || desk.isLocked) return
    const { target } = event
    if (!(target instanceof HTMLElement) || target.closest('dialog') !== null) return
    if (target instanceof HTMLInputElement && target.type !== 'radio') return
    if (/^[0-9]$/.test(event.key)) keypad.press(event.key)
    else if (event.key === 'Backspace') keypad.erase()
  }
  return (
    // A keyboard types digits here too; the section itself takes no focus.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <section className={classes.entry} aria-label={t('style.mobile')} onKeyDown={onKeyDown}>
      <KeypadFace
        keypad={keypad}
        offered={desk.offered}
        isLocked={desk.isLocked}
        canUndo={canUndo}
        last={<RunningList desk={desk} last={keypad.state.last} obstacle={obstacle} onOpenSlip={onOpenSlip} />}
        tools={tools}
        totals={totals}
        thumbRef={thumb}
      />
    </section>
  )
}

/** The keypad of a market whose data are not there yet, for the prerendered frame. */
export function KeypadPlaceholder({ tools, totals }: Pick<KeypadEntryProps, 'tools' | 'totals'>) {
  const t = useTranslations('entry')
  return (
    <section className={classes.entry} aria-label={t('style.mobile')}>
      <KeypadFace
        keypad={idleKeypad}
        offered={usualBetTypes}
        isLocked={false}
        canUndo={false}
        last={<RunningListPlaceholder />}
        tools={tools}
        totals={totals}
      />
    </section>
  )
}

interface KeypadFaceProps {
  keypad: Keypad
  offered: Desk['offered']
  isLocked: boolean
  canUndo: boolean
  /** Content above the display: the rows added last. */
  last: ReactNode
  tools: ReactNode
  totals: ReactNode
  thumbRef?: RefObject<HTMLDivElement | null>
}

/** The visible state of the keypad. */
function KeypadFace({ keypad, offered, isLocked, canUndo, last, tools, totals, thumbRef }: KeypadFaceProps) {
  return (
    <>
      <Shortcuts keypad={keypad} />
      {tools}
      <div ref={thumbRef} className={classes.thumb}>
        <div className={classes.kinds}>
          <DigitChoice keypad={keypad} />
          <Columns keypad={keypad} offered={offered} />
        </div>
        {last}
        <Display keypad={keypad} />
        <div className={classes.quick}>
          <QuickStakes onStake={keypad.stake} isLocked={isLocked} />
        </div>
        <Keys keypad={keypad} isLocked={isLocked} canUndo={canUndo} />
        {totals}
      </div>
    </>
  )
}

/** Gives the style sheets the height of the keypad, so that the page can be scrolled from under it. */
function useThumbHeight() {
  const ref = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const thumb = ref.current
    if (thumb === null) return undefined
    const { style } = document.documentElement
    const observer = new ResizeObserver(() => style.setProperty('--thumb-height', `${thumb.offsetHeight}px`))
    observer.observe(thumb)
    return () => {
      observer.disconnect()
      style.removeProperty('--thumb-height')
    }
  }, [])
  return ref
}

/** How many digits the numbers have. Beside the columns there is room for a word each: radio buttons without a frame. */
function DigitChoice({ keypad }: { keypad: Keypad }) {
  const t = useTranslations('entry.digits')
  const name = useId()
  return (
    <fieldset className={classes.digits}>
      <legend className="visually-hidden">{t('label')}</legend>
      {digitChoices.map((digits) => (
        <label key={digits} className={classes.digit}>
          <input
            type="radio"
            name={name}
            value={digits}
            checked={keypad.state.digits === digits}
            onChange={() => keypad.setDigits(digits)}
          />
          <span className={classes.chip}>{t(`short.${digits}`)}</span>
        </label>
      ))}
    </fieldset>
  )
}

function Columns({ keypad, offered }: { keypad: Keypad; offered: Desk['offered'] }) {
  const t = useTranslations('entry.keypad')
  const words = useTranslations('bet.grid.column')
  return (
    <fieldset className={classes.columns} aria-label={t('columns')}>
      {columnsOfMarket(offered).map((column) => (
        <button
          key={column}
          type="button"
          className={classes.chip}
          aria-pressed={keypad.active.includes(column)}
          disabled={!keypad.available.includes(column)}
          onClick={() => keypad.toggleColumn(column)}
        >
          {words(column)}
        </button>
      ))}
    </fieldset>
  )
}

function Shortcuts({ keypad }: { keypad: Keypad }) {
  const t = useTranslations('entry')
  const language = useLocale()
  const { digits, shortcut } = keypad.state
  const shortcuts = shortcutsOf(digits)
  if (shortcuts.length === 0) return null
  return (
    <fieldset className={classes.row} aria-label={t('keypad.shortcuts')}>
      {shortcuts.map((one) => (
        <button
          key={one}
          type="button"
          className={classes.chip}
          data-quiet=""
          aria-pressed={one === shortcut}
          onClick={() => keypad.setShortcut(one === shortcut ? 'none' : one)}
        >
          {one === 'reverse' || one === 'none' ? t('keypad.reverse') : localizedName(getEntryMode(one), language)}
        </button>
      ))}
    </fieldset>
  )
}

/** The number being typed with its empty digits, and its amount. */
function Display({ keypad: { state, active, toNumber, toAmount } }: { keypad: Keypad }) {
  const t = useTranslations('entry.keypad')
  const words = useTranslations('bet.grid.column')
  const places = Array.from({ length: lengthOf(state) }, (_, place) => state.number[place] ?? '')
  const columns = active.map((column) => words(column)).join(' + ')
  const amount = readAmount(state.amount)
  const each = typeof amount === 'number' ? amount : 0
  return (
    <div className={classes.display}>
      <button
        type="button"
        className={classes.field}
        aria-pressed={!state.isAmountNext}
        aria-label={t('number', { number: state.number })}
        onClick={toNumber}
      >
        {places.map((digit, place) => (
          // The places of a number never change places.
          <span key={place} className={classes.place} data-filled={digit !== '' || undefined}>
            {digit}
          </span>
        ))}
      </button>
      <button
        type="button"
        className={classes.field}
        data-testid="keypad-amount"
        aria-pressed={state.isAmountNext}
        aria-label={t('amount', { amount: state.amount === '' ? '0' : state.amount, columns })}
        onClick={toAmount}
      >
        <span className={classes.word}>
          {columns === '' ? t('no_column') : columns}
          {/* Shows the cost of a number before it is complete. */}
          {active.length > 1 && each > 0 && (
            <span className={classes.each}>{t('each', { total: formatWholeBaht(each * active.length * 100) })}</span>
          )}
        </span>
        <span className={classes.amount}>{state.amount === '' ? '–' : state.amount}</span>
      </button>
    </div>
  )
}

interface KeysProps {
  keypad: Keypad
  isLocked: boolean
  canUndo: boolean
}

function Keys({ keypad, isLocked, canUndo }: KeysProps) {
  const t = useTranslations('entry.keypad')
  const { isAmountNext } = keypad.state
  const digit = (digits: string): ReactNode => (
    <button key={digits} type="button" className={classes.key} onClick={() => keypad.press(digits)}>
      {digits}
    </button>
  )
  return (
    <fieldset className={classes.keys} disabled={isLocked} aria-label={t('keys')}>
      {digitKeys.slice(0, 3).map(digit)}
      <SideKey label={t('erase')} icon={<IconBackspace size={24} stroke={1.6} />} onPress={keypad.erase} />
      {digitKeys.slice(3, 6).map(digit)}
      <SideKey
        label={t('undo')}
        icon={<IconArrowBackUp size={24} stroke={1.6} />}
        isOff={!canUndo}
        onPress={keypad.undo}
      />
      {digitKeys.slice(6).map(digit)}
      {isAmountNext ? (
        <SideKey label={t('done')} icon={<IconCheck size={24} stroke={2} />} onPress={keypad.toNumber} />
      ) : (
        <SideKey label={t('to_amount')} icon={<IconCoins size={24} stroke={1.6} />} onPress={keypad.toAmount} />
      )}
      {digit('00')}
      {digit('0')}
      {digit('000')}
    </fieldset>
  )
}

interface SideKeyProps {
  label: string
  icon: ReactNode
  isOff?: boolean
  onPress: () => void
}

function SideKey({ label, icon, isOff = false, onPress }: SideKeyProps) {
  return (
    <button type="button" className={classes.key} data-side="" aria-label={label} disabled={isOff} onClick={onPress}>
      {icon}
    </button>
  )
}
