import { useRef } from 'react'
import type { KeyboardEvent } from 'react'
import type { KeypadKey } from './keypad-keys.ts'

const SIGNS: readonly string[] = ['=', '*', '+', ' ']

/** The key of the keypad that a key of a keyboard stands for. Enter and Space press the focused button, except while typing. */
function keyOf(key: string, isTyping: boolean): KeypadKey | null {
  if (/^[0-9]$/.test(key)) return { kind: 'digits', digits: key }
  if (key === 'Backspace') return { kind: 'erase' }
  if (SIGNS.includes(key) && (key !== ' ' || isTyping)) return { kind: 'sign' }
  if (!isTyping) return null
  if (key === 'Enter') return { kind: 'enter' }
  return key === 'ArrowDown' ? { kind: 'number_key' } : null
}

/** Typing on a keyboard, whatever part of the keypad has the focus. */
export function useTypedKeys(press: (key: KeypadKey) => void, isLocked: boolean) {
  const isTyping = useRef(false)
  const stopTyping = (): void => void (isTyping.current = false)
  return {
    onKeyDown: (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.altKey || event.metaKey || event.nativeEvent.isComposing || isLocked) return
      const { target } = event
      if (!(target instanceof HTMLElement) || target.closest('dialog') !== null) return
      if (target instanceof HTMLInputElement && target.type !== 'radio') return
      const key = keyOf(event.key, isTyping.current)
      if (key === null) return
      isTyping.current = true
      event.preventDefault()
      press(key)
    },
    onKeyUp: (event: KeyboardEvent): void => {
      // Some browsers press a button when Space is let go.
      if (event.key === ' ' && isTyping.current) event.preventDefault()
    },
    onFocus: stopTyping,
    onPointerDown: stopTyping,
  }
}
