import { useCallback, useState } from 'react'

interface Folding {
  isOpen: (name: string) => boolean
  toggle: (name: string) => void
  /** Whether all stand open, those that are not there yet too. */
  isAllOpen: boolean
  setAll: (isOpen: boolean) => void
}

/** Parts of a page that are folded up one by one, or all at once. */
export function useFolding(): Folding {
  const [isAllOpen, setIsAllOpen] = useState(true)
  const [others, setOthers] = useState<ReadonlySet<string>>(new Set())
  return {
    isAllOpen: isAllOpen && others.size === 0,
    isOpen: useCallback((name: string) => others.has(name) !== isAllOpen, [others, isAllOpen]),
    toggle: (name) =>
      setOthers((before) => {
        const after = new Set(before)
        if (!after.delete(name)) after.add(name)
        return after
      }),
    setAll: (isOpen) => {
      setIsAllOpen(isOpen)
      setOthers(new Set())
    },
  }
}
