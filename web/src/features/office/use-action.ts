import { useState } from 'react'
import { useErrorMessage } from '../../lib/errors/use-error-message.ts'

interface Action {
  isBusy: boolean
  /** Why the last one did not happen, in words. */
  failure: string | null
  /** Does it unless one is under way. @returns whether it happened */
  run: (work: () => Promise<void>) => Promise<boolean>
  forget: () => void
}

/** Something the office does and waits for. */
export function useAction(): Action {
  const errorMessage = useErrorMessage()
  const [isBusy, setIsBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const run = async (work: () => Promise<void>): Promise<boolean> => {
    if (isBusy) return false
    setIsBusy(true)
    setFailure(null)
    try {
      await work()
      return true
    } catch (error) {
      setFailure(errorMessage(error))
      return false
    } finally {
      setIsBusy(false)
    }
  }
  return { isBusy, failure, run, forget: () => setFailure(null) }
}
