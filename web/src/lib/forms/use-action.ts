import { useRef, useState } from 'react'
import { useErrorMessage } from '../errors/use-error-message.ts'

export interface Action {
  isBusy: boolean
  /** What the last run threw; null while one is in progress, and after one that succeeded. */
  error: unknown
  /** The same in words. */
  failure: string | null
  /** Runs unless a run is in progress. @returns whether it ran, and to its end */
  run: (work: () => Promise<unknown>) => Promise<boolean>
}

/**
 * Something that a person starts and waits for: the one idiom for forms and buttons that call the server. What shows its
 * effect is refreshed by the call itself (`lib/api/refresh.ts`), so a run needs no more than this.
 * @param onFailure is given the failure in words, for a button that has no place of its own to show it
 */
export function useAction(onFailure?: (failure: string) => void): Action {
  const errorMessage = useErrorMessage()
  const [state, setState] = useState<{ isBusy: boolean; error: unknown }>({ isBusy: false, error: null })
  // A second press can come before the first has rendered.
  const isRunning = useRef(false)
  const run = async (work: () => Promise<unknown>): Promise<boolean> => {
    if (isRunning.current) return false
    isRunning.current = true
    setState({ isBusy: true, error: null })
    try {
      await work()
      setState({ isBusy: false, error: null })
      return true
    } catch (error) {
      setState({ isBusy: false, error })
      onFailure?.(errorMessage(error))
      return false
    } finally {
      isRunning.current = false
    }
  }
  return { ...state, failure: state.error === null ? null : errorMessage(state.error), run }
}
