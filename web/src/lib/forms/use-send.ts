import { useRef, useState } from 'react'
import { useErrorMessage } from '../errors/use-error-message.ts'

export interface Sending<Input, Result> {
  isBusy: boolean
  error: unknown
  /** `error` in words, until the next run. */
  failure: string | null
  /** Ignores a second press while one runs. Resolves to null unless the call succeeded. */
  run: (input: Input) => Promise<{ result: Result } | null>
}

/**
 * A call that a form or a button starts and shows. `useChange` is the same for a call that changes queries. This hook
 * needs no query library, which the log-in page does not load.
 * @param onFailure runs after each failure
 */
export function useSend<Input = void, Result = unknown>(
  send: (input: Input) => Promise<Result>,
  onFailure?: (failure: string, error: unknown) => void,
): Sending<Input, Result> {
  const errorMessage = useErrorMessage()
  const [{ isBusy, error }, setState] = useState<{ isBusy: boolean; error: unknown }>({ isBusy: false, error: null })
  // A second press can come before the first has rendered.
  const isRunning = useRef(false)
  const run = async (input: Input): Promise<{ result: Result } | null> => {
    if (isRunning.current) return null
    isRunning.current = true
    setState({ isBusy: true, error: null })
    try {
      const result = await send(input)
      setState({ isBusy: false, error: null })
      return { result }
    } catch (thrown) {
      setState({ isBusy: false, error: thrown })
      onFailure?.(errorMessage(thrown), thrown)
      return null
    } finally {
      isRunning.current = false
    }
  }
  return { isBusy, error, failure: error === null ? null : errorMessage(error), run }
}
