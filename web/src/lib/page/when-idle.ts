/** A page that is never idle gets its turn all the same. */
const MAX_WAIT_MS = 300

/** Calls back once the page is drawn and the browser is idle. @returns a function that cancels the call */
export function whenIdle(work: () => void): () => void {
  // Safari has no idle callbacks.
  if (typeof requestIdleCallback !== 'function') {
    const timer = setTimeout(work, MAX_WAIT_MS / 3)
    return () => clearTimeout(timer)
  }
  const handle = requestIdleCallback(work, { timeout: MAX_WAIT_MS })
  return () => cancelIdleCallback(handle)
}
