/**
 * Runs `run` now and every `everyMs` ms, one at a time; a slow run replaces those due meanwhile. For each node's own
 * work; work that one node does for all is a job (`jobs.ts`).
 * @returns a stop function that waits for the run in progress
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
