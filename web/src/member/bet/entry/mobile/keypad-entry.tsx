import { getEntryMode } from '@megalot/rules'
import IconArrowBackUp from '~icons/arrow-back-up'
import IconBackspace from '~icons/backspace'
import IconCheck from '~icons/check'
import IconCoins from '~icons/coins'
import { useId, useLayoutEffect, useRef } from 'react'
import type { ReactNode, RefObject } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { localizedName } from '../../../../lib/i18n/localized-name.ts'
import { useRootAttribute } from '../../../../ui/root-attribute.ts'
import type { Desk } from '../../desk.ts'
import { useDraft } from '../../slip/slip-store.ts'
import type { Digits } from '../entry.ts'
import { QuickStakes } from '../quick-stakes.tsx'
import classes from './keypad-entry.module.css'
import { RunningList, RunningListPlaceholder } from './running-list.tsx'
import { lengthOf, shortcutsOf } from './keypad-keys.ts'
import { useTypedKeys } from './use-typed-keys.ts'
import { idleKeypad, useKeypad } from './use-keypad.ts'
import type { Keypad } from './use-keypad.ts'

const digitChoices: readonly Digits[] = [3, 2, 1]
const digitKeys = ['1', '2', '3', '4', '5', '6', '7', '8', '9'] as const

interface KeypadEntryProps {
  desk: Desk
  user_id: number
  product_code: string
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
export function KeypadEntry({ desk, user_id, product_code, obstacle, onOpenSlip, tools, totals }: KeypadEntryProps) {
  const t = useTranslations('entry')
  const keypad = useKeypad(desk, user_id, product_code)
  const canUndo = useDraft(desk.store, ({ past }) => past.length > 0)
  useRootAttribute('keypad')
  const thumb = useThumbHeight()
  const typedKeys = useTypedKeys(keypad.press, desk.isLocked)
  return (
    // A keyboard types digits here too; the section itself takes no focus.
    <section className={classes.entry} aria-label={t('style.mobile')} {...typedKeys}>
      <KeypadFace
        keypad={keypad}
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
  isLocked: boolean
  canUndo: boolean
  /** Content above the display: the rows added last. */
  last: ReactNode
  tools: ReactNode
  totals: ReactNode
  thumbRef?: RefObject<HTMLDivElement | null>
}

/** The visible state of the keypad. */
function KeypadFace({ keypad, isLocked, canUndo, last, tools, totals, thumbRef }: KeypadFaceProps) {
  return (
    <>
      <Shortcuts keypad={keypad} />
      {tools}
      <div ref={thumbRef} className={classes.thumb}>
        {last}
        <div className={classes.kinds}>
          <DigitChoice keypad={keypad} />
          <NumberField keypad={keypad} />
        </div>
        <Prices keypad={keypad} />
        <div className={classes.quick}>
          <QuickStakes onStake={(baht) => keypad.press({ kind: 'price', baht })} isLocked={isLocked} />
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
            onChange={() => keypad.press({ kind: 'digit_count', digits })}
          />
          <span className={classes.chip}>{t(`short.${digits}`)}</span>
        </label>
      ))}
    </fieldset>
  )
}

/** A price for each column: digits go to the pressed one, quick prices to the marked one. */
function Prices({ keypad: { state, columns, available, chip, press } }: { keypad: Keypad }) {
  const t = useTranslations('entry.keypad')
  const words = useTranslations('bet.grid.column')
  return (
    <fieldset className={classes.prices} aria-label={t('prices')}>
      {columns.map((column) => {
        const price = available.includes(column) ? (state.prices[column] ?? '') : ''
        return (
          <button
            key={column}
            type="button"
            className={classes.price}
            data-testid={`keypad-price-${column}`}
            data-next={(state.slot === 'number' && column === chip) || undefined}
            data-long={price.length > 5 ? 'very' : price.length > 4 ? 'long' : undefined}
            aria-pressed={state.slot === column}
            aria-label={t('price', { column: words(column), amount: price === '' ? '0' : price })}
            disabled={!available.includes(column)}
            onClick={() => press({ kind: 'slot', column })}
          >
            <span className={classes.word}>{words(column)}</span>
            <span className={classes.amount}>{price === '' ? '–' : price}</span>
          </button>
        )
      })}
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
          onClick={() => keypad.press({ kind: 'shortcut', shortcut: one === shortcut ? 'none' : one })}
        >
          {one === 'reverse' || one === 'none' ? t('keypad.reverse') : localizedName(getEntryMode(one), language)}
        </button>
      ))}
    </fieldset>
  )
}

/** The number being typed with its empty digits. */
function NumberField({ keypad: { state, press } }: { keypad: Keypad }) {
  const t = useTranslations('entry.keypad')
  const places = Array.from({ length: lengthOf(state) }, (_, place) => state.number[place] ?? '')
  return (
    <button
      type="button"
      className={classes.number}
      data-testid="keypad-number"
      aria-pressed={state.slot === 'number'}
      aria-label={t('number', { number: state.number })}
      onClick={() => press({ kind: 'number_key' })}
    >
      {places.map((digit, place) => (
        // The places of a number never change places.
        <span key={place} className={classes.place} data-filled={digit !== '' || undefined}>
          {digit}
        </span>
      ))}
    </button>
  )
}

interface KeysProps {
  keypad: Keypad
  isLocked: boolean
  canUndo: boolean
}

function Keys({ keypad, isLocked, canUndo }: KeysProps) {
  const t = useTranslations('entry.keypad')
  const press = (kind: 'erase' | 'price_key' | 'number_key') => () => keypad.press({ kind })
  const digit = (digits: string): ReactNode => (
    <button key={digits} type="button" className={classes.key} onClick={() => keypad.press({ kind: 'digits', digits })}>
      {digits}
    </button>
  )
  return (
    <fieldset className={classes.keys} disabled={isLocked} aria-label={t('keys')} data-keys="">
      {digitKeys.slice(0, 3).map(digit)}
      <SideKey label={t('erase')} icon={<IconBackspace size={24} stroke={1.6} />} onPress={press('erase')} />
      {digitKeys.slice(3, 6).map(digit)}
      <SideKey
        label={t('undo')}
        icon={<IconArrowBackUp size={24} stroke={1.6} />}
        isOff={!canUndo}
        onPress={keypad.undo}
      />
      {digitKeys.slice(6).map(digit)}
      <SideKey label={t('next_price')} icon={<IconCoins size={24} stroke={1.6} />} onPress={press('price_key')} />
      {digit('00')}
      {digit('0')}
      {digit('000')}
      <SideKey label={t('done')} icon={<IconCheck size={24} stroke={2} />} onPress={press('number_key')} />
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
