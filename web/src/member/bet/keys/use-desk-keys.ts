import { useEffect, useRef } from 'react'
import { findKeyAction } from './key-bindings.ts'
import type { KeyAction } from './key-bindings.ts'

type DeskKeys = Readonly<Record<KeyAction<'page'>, () => void>>

/** Fields in which every sign may be meant as it is; a cell for digits is none. */
function isFreeText(target: EventTarget | null): boolean {
  if (target instanceof HTMLTextAreaElement) return true
  return target instanceof HTMLInputElement && target.inputMode !== 'numeric' && target.type === 'text'
}

/** The keys of the whole page. They rest while a dialog is open: it has its own. */
export function useDeskKeys(keys: DeskKeys): void {
  const latest = useRef(keys)
  useEffect(() => {
    latest.current = keys
  })
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.isComposing) return
      const action = findKeyAction('page', event, isFreeText(event.target))
      if (action === null || document.querySelector('dialog[open]') !== null) return
      event.preventDefault()
      latest.current[action]()
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [])
}
