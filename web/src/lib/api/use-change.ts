// Changes on the server: how each is declared, made, and shown while it runs.

// oxlint-disable-next-line eslint/no-restricted-imports -- the only caller
import { useMutation } from '@tanstack/react-query'
import { useSend } from '../forms/use-send.ts'
import type { Sending } from '../forms/use-send.ts'
import { queryClient } from './query-client.ts'
import type { RefreshingAction } from './refresh.ts'

/** A call that a person starts; a constant beside the queries that it changes. */
export interface Change<Input = void, Result = unknown> {
  /** The actions whose queries are refreshed after success and failure. */
  changes: RefreshingAction | readonly RefreshingAction[]
  /** Ends only when the refreshed queries are on screen. */
  waits?: boolean
  /** Makes the call. Use `useChange` or `makeChange`, which also refresh. */
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

/** A change that a form or a button starts and shows. */
export function useChange<Input = void, Result = unknown>(
  change: Change<Input, Result>,
  onFailure?: (failure: string, error: unknown) => void,
): Sending<Input, Result> {
  const { mutateAsync } = useMutation(optionsOf(change), queryClient)
  return useSend((input: Input) => mutateAsync(input), onFailure)
}
