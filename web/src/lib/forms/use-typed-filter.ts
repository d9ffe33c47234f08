import { useEffect, useEffectEvent, useState } from 'react'
import type { ChangeEvent, KeyboardEvent } from 'react'
import { useTypingPause } from './use-paused.ts'

/**
 * A text field that filters a list through the address. The field shows each key at once. The address follows when typing
 * pauses or on Enter. Another change of the address, as by a saved view, shows in the field.
 */
export function useTypedFilter(value = '', onFilter: (text: string) => void) {
  const [typed, setTyped] = useState(value)
  const [known, setKnown] = useState(value)
  const text = typed.trim()
  const [paused, endPause] = useTypingPause(text)
  if (known !== value) {
    setKnown(value)
    // The address follows the field late: more may have been typed since.
    if (value !== paused && value !== text) setTyped(value)
  }
  const report = useEffectEvent((filter: string) => {
    if (filter !== value.trim()) onFilter(filter)
  })
  useEffect(() => report(paused), [paused])
  return {
    value: typed,
    onChange: (event: ChangeEvent<HTMLInputElement>) => setTyped(event.currentTarget.value),
    onKeyDown: ({ key }: KeyboardEvent) => {
      if (key === 'Enter') endPause(text)
    },
  }
}
