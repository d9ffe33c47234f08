// Changes on the server: how each is declared, made, and shown while it runs.

// oxlint-disable-next-line eslint/no-restricted-imports -- the only caller
import { useMutation } from '@tanstack/react-query'
import { useRef } from 'react'
import { useErrorMessage } from '../errors/use-error-message.ts'
import { queryClient } from './query-client.ts'
import type { RefreshingAction } from './refresh.ts'

/** A call that a person starts; a constant beside the queries that it changes. */
export interface Change<Input = void, Result = unknown> {
  /** The actions whose queries are refreshed after success and failure; empty for a call that changes no query. */
  changes: RefreshingAction | readonly RefreshingAction[]
  /** Ends only when the refreshed queries are on screen. */
  waits?: boolean
  send: (input: Input) => Promise<Result>
}

const optionsOf = <Input, Result>({ changes, waits = false, send }: Change<Input, Result>) => ({
  mutationFn: (input: Input) => send(input),
  meta: { changes, waits },
})

/** Makes a change outside a component, or as one step of another change. */
export function makeChange<Input, Result>(change: Change<Input, Result>, input: Input): Promise<Result> {
  return queryClient.getMutationCache().build(queryClient, optionsOf(change)).execute(input)
}

/**
 * A change as a form or a button shows it. `run` ignores a second press while one runs, and resolves to null unless the
 * change succeeded. `failure` is `error` in words, until the next run.
 * @param onFailure runs after each failure
 */
export function useChange<Input = void, Result = unknown>(
  change: Change<Input, Result>,
  onFailure?: (failure: string, error: unknown) => void,
) {
  const errorMessage = useErrorMessage()
  const { isPending, error, mutateAsync } = useMutation(optionsOf(change), queryClient)
  // A second press can come before the first has rendered.
  const isRunning = useRef(false)
  const run = async (input: Input): Promise<{ result: Result } | null> => {
    if (isRunning.current) return null
    isRunning.current = true
    try {
      return { result: await mutateAsync(input) }
    } catch (thrown) {
      onFailure?.(errorMessage(thrown), thrown)
      return null
    } finally {
      isRunning.current = false
    }
  }
  return { isBusy: isPending, error, failure: error === null ? null : errorMessage(error), run }
}
