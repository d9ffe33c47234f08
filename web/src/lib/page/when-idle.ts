/** A page that is never idle gets its turn all the same. */
const MAX_WAIT_MS = 300

/** Calls back when the browser has drawn what is to be shown and has nothing else to do. @returns what takes the call back */
export function whenIdle(work: () => void): () => void {
  // Safari has no idle callbacks.
  if (typeof requestIdleCallback !== 'function') {
    const timer = setTimeout(work, MAX_WAIT_MS / 3)
    return () => clearTimeout(timer)
  }
  const handle = requestIdleCallback(work, { timeout: MAX_WAIT_MS })
  return () => cancelIdleCallback(handle)
}
