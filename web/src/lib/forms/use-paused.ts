import { useEffect, useState } from 'react'

/** Typing has paused when nothing was typed for this long. */
const PAUSE_MS = 250

/** The text as it was when typing paused last, so that the server is not asked at each key. */
export function usePaused(text: string): string {
  const [paused, setPaused] = useState(text)
  useEffect(() => {
    if (text === paused) return undefined
    const timer = setTimeout(() => setPaused(text), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text, paused])
  return paused
}
