import { useEffect, useRef } from 'react'

export interface DeskKeys {
  help: () => void
  send: () => void
  undo: () => void
  import: () => void
  style: () => void
  firstCell: () => void
}

function actionOf(event: KeyboardEvent): keyof DeskKeys | null {
  if (event.isComposing) return null
  const isCommand = (event.ctrlKey || event.metaKey) && !event.altKey
  if (isCommand && event.key === 'Enter') return 'send'
  // In the note, undoing is the field's own.
  if (isCommand && !event.shiftKey && event.code === 'KeyZ') return isFreeText(event.target) ? null : 'undo'
  if (event.altKey && !event.ctrlKey && !event.metaKey) {
    if (event.code === 'KeyI') return 'import'
    if (event.code === 'KeyS') return 'style'
    if (event.code === 'KeyN') return 'firstCell'
    return null
  }
  return event.key === '?' && !isFreeText(event.target) ? 'help' : null
}

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
      const action = actionOf(event)
      if (action === null || document.querySelector('dialog[open]') !== null) return
      event.preventDefault()
      latest.current[action]()
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [])
}
