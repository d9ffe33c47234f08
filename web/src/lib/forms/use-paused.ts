import { useEffect, useState } from 'react'

const PAUSE_MS = 250

/** The text when typing last paused, so that the server is not asked at each key. */
export function usePaused(text: string): string {
  return useTypingPause(text)[0]
}

/** The same, with a function that ends the pause at once. */
export function useTypingPause(text: string): [string, (text: string) => void] {
  const [paused, setPaused] = useState(text)
  useEffect(() => {
    if (text === paused) return undefined
    const timer = setTimeout(() => setPaused(text), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text, paused])
  return [paused, setPaused]
}
