import { useEffect, useMemo, useRef, useState } from 'react'
import type { FocusEvent } from 'react'

/** How long a pointer may rest in the board until its rows follow the amounts again. */
const REST_MS = 5_000

/** Whether somebody works in the board: it has the focus, or the pointer has moved in it a moment ago. */
export function useRowHold() {
  const [hasFocus, setHasFocus] = useState(false)
  const [isPointed, setIsPointed] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const handlers = useMemo(() => {
    const leave = (): void => {
      clearTimeout(timer.current)
      setIsPointed(false)
    }
    const move = (): void => {
      clearTimeout(timer.current)
      timer.current = setTimeout(leave, REST_MS)
      setIsPointed(true)
    }
    return {
      onPointerMove: move,
      onPointerDown: move,
      onWheel: move,
      onPointerLeave: leave,
      onFocus: () => setHasFocus(true),
      onBlur: ({ currentTarget, relatedTarget }: FocusEvent<HTMLElement>) =>
        setHasFocus(currentTarget.contains(relatedTarget)),
    }
  }, [])
  return { isHeld: hasFocus || isPointed, handlers }
}
