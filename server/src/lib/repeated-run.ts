/**
 * Runs `run` now and every `everyMs` ms, one at a time: a run that takes longer replaces those that would begin meanwhile. For what each node
 * does by itself; work that one node does for all is a job (`jobs.ts`).
 * @returns its stop, which waits for the run that is in progress
 */
export function startRepeating(
  everyMs: number,
  run: () => Promise<unknown>,
  onError: (error: unknown) => void,
): () => Promise<unknown> {
  let running: Promise<unknown> | undefined
  const begin = (): void => {
    running ??= run()
      .catch(onError)
      .finally(() => (running = undefined))
  }
  begin()
  const timer = setInterval(begin, everyMs)
  return async () => {
    clearInterval(timer)
    await running
  }
}
