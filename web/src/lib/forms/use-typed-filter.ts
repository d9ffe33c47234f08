import { useEffect, useRef, useState } from 'react'
import type { ChangeEvent, KeyboardEvent } from 'react'

/** The server is asked once typing has paused this long. */
const PAUSE_MS = 250

/**
 * A text field whose text filters a list through the address: the field shows each key at once, the address follows when
 * typing pauses, or at once with Enter. An address that changes otherwise, as by a saved view, shows in the field.
 */
export function useTypedFilter(value: string | undefined, onFilter: (text: string) => void) {
  const [typed, setTyped] = useState(value ?? '')
  const [known, setKnown] = useState(value)
  const report = useRef(onFilter)
  useEffect(() => {
    report.current = onFilter
  })
  if (known !== value) {
    setKnown(value)
    if ((value ?? '') !== typed.trim()) setTyped(value ?? '')
  }
  const text = typed.trim()
  const isReported = text === (value ?? '')
  useEffect(() => {
    if (isReported) return undefined
    const timer = setTimeout(() => report.current(text), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text, isReported])
  return {
    value: typed,
    onChange: (event: ChangeEvent<HTMLInputElement>) => setTyped(event.currentTarget.value),
    onKeyDown: ({ key }: KeyboardEvent) => {
      if (key === 'Enter' && !isReported) onFilter(text)
    },
  }
}
